"""Products with a side of few elements, for which reading the long factor is all there is to do.

Two forms, by how the long factor lies in memory. Where its columns run along the long side,
`columns`: a thread has a vector of the long side and all of the short side, and the threads above
it have other pieces of the inner extent. Where they run along the inner extent, `dots`: the threads
of a workgroup share the inner extent of a few rows and columns. Both add up their threads pairwise,
and where that does not keep the device busy, store parts of the inner extent.

Words: see `codegen.products.tiled`.
"""

from __future__ import annotations

from collections.abc import Sequence

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
#: Statements of a step along the inner extent: what it reads, and what it adds.
Step = tuple[list[str], list[str]]
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

    @property
    def ahead(self) -> int:
        """Reads of each row and column that a thread has under way."""
        return AHEAD if self.rows + self.columns <= 5 else 1


def columns(
    product: Product,
    form: Columns,
    operands: tuple[Operand, Operand],
    ending: Ending,
    parts: bool,
    target: Target,
) -> Written:
    """Return the shader of a form."""
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

    def step(number: int) -> Step:
        at = f"l{number}"
        value = _vector(draft, long, x, "start", at, many, outer, vector)
        read = [f"let {at} = l + {number * form.slices}u;", f"let x{number} = {value};"]
        add = [
            f"{name} += x{number} * {_element(draft, short, y, f's{j}', at)};"
            for j, name in enumerate(names)
        ]
        return read, add

    body += _loop([step(number) for number in range(AHEAD)], form.slices, "last")
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
    """Return the shader of a form; the factors are bound as vectors both or not at all."""
    draft = _draft(product, operands, ending, parts, target)
    vectors = operands[0].vector
    many = product.width if vectors else 1
    words = draft.words
    names = [f"c{r}_{j}" for r in range(form.rows) for j in range(form.columns)]
    scale = f" / {many}u" if vectors else ""
    body = [
        *_number(draft),
        f"let first_a = number % {words.field('tiles_m')} * {form.rows}u;",
        f"let first_b = number / {words.field('tiles_m')} * {form.columns}u;",
        *piece(draft, parts),
        *(f"var {name} = {STORAGE[product.dtype]}();" for name in names),
    ]
    sides = list(zip("ab", operands, (form.rows, form.columns), strict=True))
    for x, _, count in sides:
        outer = words.field(f"outer_{x}")
        body += [f"let o{x}{r} = min(first_{x} + {r}u, {outer} - 1u);" for r in range(count)]
    body += [f"let end = last{scale};", f"var l = first{scale} + t;"]

    def step(number: int) -> Step:
        at = f"l{number}"
        read = [f"let {at} = l + {number * form.threads}u;"]
        for x, operand, count in sides:
            for r in range(count):
                value = _along(draft, operand, x, f"o{x}{r}", at)
                read.append(f"let f{x}{r}_{number} = {value};")
        add = []
        for r in range(form.rows):
            for j in range(form.columns):
                a, b = f"fa{r}_{number}", f"fb{j}_{number}"
                terms = [f"{a}.{c} * {b}.{c}" for c in COMPONENTS[:many]]
                add.append(f"c{r}_{j} += {' + '.join(terms) if vectors else f'{a} * {b}'};")
        return read, add

    body += _loop([step(number) for number in range(form.ahead)], form.threads, "end")
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


def _loop(steps: Sequence[Step], stride: int, end: str) -> list[str]:
    """Along the inner extent from ``l`` on, all reads of a few steps before they are used."""
    lines = []
    if len(steps) > 1:
        together = [line for half in (0, 1) for both in steps for line in both[half]]
        further = (len(steps) - 1) * stride
        head = f"for (; l + {further}u < {end}; l += {len(steps) * stride}u)"
        lines += block(head, together)
    read, add = steps[0]
    return lines + block(f"for (; l < {end}; l += {stride}u)", [*read, *add])


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
    """Return a vector of a direct factor: outer indices from `start` on."""
    if not operand.vector:
        places = [f"min({start} + {c}u, {outer} - 1u)" for c in range(many)]
        return f"{vector}({', '.join(_element(draft, operand, name, p, inner) for p in places)})"
    ld = draft.words.field(f"ld_{name}")
    value = f"{draft.buffer(operand.buffer)}[({inner}) * {ld} + min({start} / {many}u, {ld} - 1u)]"
    return value if operand.row is None else f"{value} - {draft.element(operand.row, inner)}"


def _along(draft: Draft, operand: Operand, name: str, outer: str, inner: str) -> str:
    """Return what a thread reads of a factor for dot products: a vector, or one element."""
    if not operand.vector:
        return _element(draft, operand, name, outer, inner)
    place = f"{outer} * {draft.words.field(f'ld_{name}')} + {inner}"
    value = f"{draft.buffer(operand.buffer)}[{place}]"
    return value if operand.row is None else f"({value} - {draft.element(operand.row, outer)})"


def _element(draft: Draft, operand: Operand, name: str, outer: str, inner: str) -> str:
    """Return an element of a factor that is bound as single elements."""
    ld = draft.words.field(f"ld_{name}")
    place = f"({inner}) * {ld} + {outer}" if operand.direct else f"{outer} * {ld} + {inner}"
    value = draft.element(operand.buffer, place)
    if operand.row is None:
        return value
    return f"({value} - {draft.element(operand.row, inner if operand.direct else outer)})"
