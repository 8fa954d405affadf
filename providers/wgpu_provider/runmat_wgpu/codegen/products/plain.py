"""Products without shared memory: a thread reads what it needs and keeps its results in registers.

The form for devices on which barriers are slow (emulated ones) or shared memory is too small. A
thread computes `DOWN` vectors of `ACROSS` columns. Outer indices beyond their extent are clamped,
for what comes of them is not stored. Words: see `codegen.products.tiled`; a "tile" is a thread's.
"""

from __future__ import annotations

from runmat_wgpu.codegen.kernels.draft import Draft, Written, block
from runmat_wgpu.codegen.products.call import Operand, Product
from runmat_wgpu.codegen.products.ending import Ending, put_parts
from runmat_wgpu.codegen.products.tiled import BUILTINS, piece
from runmat_wgpu.codegen.shader import STORAGE, Target

#: Vectors down and columns across of a thread.
DOWN, ACROSS = 2, 4
#: Threads of a workgroup.
THREADS = 64


def plain(
    product: Product,
    operands: tuple[Operand, Operand],
    ending: Ending,
    parts: bool,
    target: Target,
) -> Written:
    """Return the shader.

    Only the left factor may be bound as vectors, and only where it is direct.
    """
    a, b = operands
    many = product.width
    bound = {o.buffer for o in operands if o.vector}
    draft = Draft(product.kernel, target, bound | (set() if parts else ending.vectors))
    if parts:
        put_parts(draft, product, product.width, ending.aligned)
    else:
        ending.put(draft, product, product.width)
    words, vector = draft.words, f"vec{many}<{STORAGE[product.dtype]}>"
    m, n = words.extent(0), words.extent(1)
    side = f"(({m} + {DOWN * many - 1}u) / {DOWN * many}u)"
    number = "workgroup_id.y * num_workgroups.x + workgroup_id.x"
    body = [
        f"let number = ({number}) * {THREADS}u + local_invocation_index;",
        f"if (number >= {words.field('tiles')}) {{ return; }}",
        f"let first_a = number % {side} * {DOWN * many}u;",
        f"let first_b = number / {side} * {ACROSS}u;",
    ]
    if product.syrk:  # above the diagonal
        body.append(f"if (first_a + {DOWN * many - 1}u < first_b) {{ return; }}")
    body += piece(draft, parts)
    body += [f"let i{r} = first_a + {r * many}u;" for r in range(DOWN)]
    body += [f"let j{j} = min(first_b + {j}u, {n} - 1u);" for j in range(ACROSS)]
    body += [f"var c{r}_{j} = {vector}();" for r in range(DOWN) for j in range(ACROSS)]
    inner = [f"let fa{r} = {_column(draft, a, f'i{r}', m, many, vector)};" for r in range(DOWN)]
    inner += [f"let fb{j} = {_element(draft, b, 'b', f'j{j}')};" for j in range(ACROSS)]
    inner += [f"c{r}_{j} += fa{r} * fb{j};" for j in range(ACROSS) for r in range(DOWN)]
    body += block("for (var l = first; l < last; l++)", inner)
    body += [f"put(i{r}, first_b + {j}u, c{r}_{j});" for j in range(ACROSS) for r in range(DOWN)]
    return draft.finish(body, (THREADS,), BUILTINS)


def _column(draft: Draft, a: Operand, i: str, m: str, many: int, vector: str) -> str:
    """Return a vector of the left factor: rows from `i` on of column ``l``."""
    if a.vector:
        ld = draft.words.field("ld_a")
        value = f"{draft.buffer(a.buffer)}[l * {ld} + min({i} / {many}u, {ld} - 1u)]"
        if a.row is not None:
            value += f" - {draft.element(a.row, 'l')}"
        return f"({value})"
    rows = [f"min({i} + {c}u, {m} - 1u)" for c in range(many)]
    return f"{vector}({', '.join(_element(draft, a, 'a', row) for row in rows)})"


def _element(draft: Draft, operand: Operand, name: str, outer: str) -> str:
    """Return an element of a factor at inner index ``l``."""
    ld = draft.words.field(f"ld_{name}")
    place = f"l * {ld} + {outer}" if operand.direct else f"{outer} * {ld} + l"
    value = draft.element(operand.buffer, place)
    if operand.row is None:
        return value
    return f"({value} - {draft.element(operand.row, 'l' if operand.direct else outer)})"
