"""Products with a side of few elements, for which reading the long factor is all there is to do.

Two forms, by how the long factor lies in memory. Where its columns run along the long side,
`columns`: a thread has a vector of the long side and all of the short side, and the threads above
it have other pieces of the inner extent. Where they run along the inner extent, `dots`: the threads
of a workgroup share the inner extent of a few rows and columns. Both add up their threads pairwise,
and where that does not keep the device busy, store parts of the inner extent.

Words: see `codegen.products.tiled`.
"""

from __future__ import annotations

import attrs

from runmat_wgpu.codegen.kernels.draft import Draft, Written, block
from runmat_wgpu.codegen.products.call import Operand, Product
from runmat_wgpu.codegen.products.ending import Ending, put_parts
from runmat_wgpu.codegen.products.fetch import COMPONENTS
from runmat_wgpu.codegen.products.tiled import BUILTINS, piece
from runmat_wgpu.codegen.products.tree import add_up
from runmat_wgpu.codegen.shader import STORAGE, Target

#: The longest short side.
SHORT = 8
#: Reads of the long factor that a thread has under way.
AHEAD = 4


@attrs.frozen
class Columns:
    """A form for a long factor whose columns run along the long side.

    Attributes:
        swapped: the right factor is the long one.
        short: elements of the short side, a power of two at least as large.
        lanes: vectors side by side in a workgroup.
        slices: pieces of the inner extent in a workgroup.
    """

    swapped: bool
    short: int
    lanes: int
    slices: int

    @property
    def threads(self) -> int:
        return self.lanes * self.slices


@attrs.frozen
class Dots:
    """A form for factors of which columns run along the inner extent.

    Attributes:
        rows, columns: elements of a workgroup.
        threads: they share the inner extent.
    """

    rows: int
    columns: int
    threads: int


def columns(
    product: Product,
    form: Columns,
    operands: tuple[Operand, Operand],
    ending: Ending,
    parts: bool,
    target: Target,
) -> Written:
    """The shader of a form."""
    draft = _draft(product, operands, ending, parts, target)
    many, vector = product.width, f"vec{product.width}<{STORAGE[product.dtype]}>"
    long, short = operands[::-1] if form.swapped else operands
    x, y = "ba" if form.swapped else "ab"
    words = draft.words
    outer, few = words.field(f"outer_{x}"), words.field(f"outer_{y}")
    names = [f"c{j}" for j in range(form.short)]
    body = [
        *_number(draft),
        f"let lane = t % {form.lanes}u;",
        f"let slice = t / {form.lanes}u;",
        f"let start = (number * {form.lanes}u + lane) * {many}u;",
        *piece(draft, parts),
        *(f"let s{j} = min({j}u, {few} - 1u);" for j in range(form.short)),
        *(f"var {name} = {vector}();" for name in names),
        "var l = first + slice;",
    ]

    def step(number: int) -> tuple[list[str], list[str]]:
        at = f"l + {number * form.slices}u" if number else "l"
        value = _vector(draft, long, x, "start", at, many, outer, vector)
        read = [f"let l{number} = {at};", f"let x{number} = {value};"]
        add = [
            f"{name} += x{number} * {_element(draft, short, y, f's{j}', f'l{number}')};"
            for j, name in enumerate(names)
        ]
        return read, add

    steps = [step(number) for number in range(AHEAD)]
    stride = form.slices * AHEAD
    body += block(
        f"for (; l + {stride - form.slices}u < last; l += {stride}u)",
        [line for half in (0, 1) for both in steps for line in both[half]],
    )
    body += block(f"for (; l < last; l += {form.slices}u)", [*steps[0][0], *steps[0][1]])
    body += add_up(draft, names, vector, "slice", "lane", form.lanes, form.slices)
    stored = []
    for j, name in enumerate(names):
        for c in range(many):
            i, jj = (f"{j}u", f"start + {c}u") if form.swapped else (f"start + {c}u", f"{j}u")
            stored.append(f"put({i}, {jj}, {name}.{COMPONENTS[c]});")
    body += block("if (slice == 0u)", stored)
    return draft.finish(body, (form.threads,), BUILTINS)


def dots(
    product: Product,
    form: Dots,
    operands: tuple[Operand, Operand],
    ending: Ending,
    parts: bool,
    target: Target,
) -> Written:
    """The shader of a form; the factors are bound as vectors both or not at all."""
    draft = _draft(product, operands, ending, parts, target)
    vectors = operands[0].vector
    many = product.width if vectors else 1
    words = draft.words
    names = [f"c{r}_{j}" for r in range(form.rows) for j in range(form.columns)]
    body = [
        *_number(draft),
        f"let first_a = number % {words.field('tiles_m')} * {form.rows}u;",
        f"let first_b = number / {words.field('tiles_m')} * {form.columns}u;",
        *piece(draft, parts),
        *(f"var {name} = {STORAGE[product.dtype]}();" for name in names),
    ]
    inner = []
    for x, operand, count in zip("ab", operands, (form.rows, form.columns), strict=True):
        outer = words.field(f"outer_{x}")
        for r in range(count):
            body.append(f"let o{x}{r} = min(first_{x} + {r}u, {outer} - 1u);")
            if vectors:
                value = f"{draft.buffer(operand.buffer)}[o{x}{r} * {words.field(f'ld_{x}')} + l]"
                if operand.row is not None:
                    value = f"({value} - {draft.element(operand.row, f'o{x}{r}')})"
            else:
                value = _element(draft, operand, x, f"o{x}{r}", "l")
            inner.append(f"let f{x}{r} = {value};")
    for r in range(form.rows):
        for j in range(form.columns):
            terms = [f"fa{r}.{c} * fb{j}.{c}" for c in COMPONENTS[:many]]
            inner.append(f"c{r}_{j} += {' + '.join(terms) if vectors else f'fa{r} * fb{j}'};")
    scale = f" / {many}u" if vectors else ""
    head = f"for (var l = first{scale} + t; l < last{scale}; l += {form.threads}u)"
    body += block(head, inner)
    kind = STORAGE[product.dtype]
    body += add_up(draft, names, kind, "t", "0u", 1, form.threads)
    stored = [
        f"put(first_a + {r}u, first_b + {j}u, c{r}_{j});"
        for j in range(form.columns)
        for r in range(form.rows)
    ]
    body += block("if (t == 0u)", stored)
    return draft.finish(body, (form.threads,), BUILTINS)


# -- parts ----------------------------------------------------------------------------------------


def _draft(
    product: Product,
    operands: tuple[Operand, Operand],
    ending: Ending,
    parts: bool,
    target: Target,
) -> Draft:
    bound = {o.buffer for o in operands if o.vector}
    draft = Draft(product.kernel, target, bound)
    if parts:
        put_parts(draft, product, 1)
    else:
        ending.put(draft, product, 1)
    return draft


def _number(draft: Draft) -> list[str]:
    return [
        "let t = local_invocation_index;",
        "let number = workgroup_id.y * num_workgroups.x + workgroup_id.x;",
        f"if (number >= {draft.words.field('tiles')}) {{ return; }}",
    ]


def _vector(
    draft: Draft,
    operand: Operand,
    name: str,
    start: str,
    inner: str,
    many: int,
    outer: str,
    vector: str,
) -> str:
    """A vector of a direct factor: outer indices from `start` on."""
    if not operand.vector:
        places = [f"min({start} + {c}u, {outer} - 1u)" for c in range(many)]
        return f"{vector}({', '.join(_element(draft, operand, name, p, inner) for p in places)})"
    ld = draft.words.field(f"ld_{name}")
    value = f"{draft.buffer(operand.buffer)}[({inner}) * {ld} + min({start} / {many}u, {ld} - 1u)]"
    return value if operand.row is None else f"{value} - {draft.element(operand.row, inner)}"


def _element(draft: Draft, operand: Operand, name: str, outer: str, inner: str) -> str:
    """An element of a factor that is bound as single elements."""
    ld = draft.words.field(f"ld_{name}")
    place = f"({inner}) * {ld} + {outer}" if operand.direct else f"{outer} * {ld} + {inner}"
    value = draft.element(operand.buffer, place)
    if operand.row is None:
        return value
    return f"({value} - {draft.element(operand.row, inner if operand.direct else outer)})"
