"""Products by tiles in shared memory: the form for matrices that are large in all extents.

Everything is unrolled by the generator: accumulators are named registers (compilers spill private
arrays), and sums run along the inner extent in its order. A grid is ``(x, y, parts)``: x and y
number the tiles, panels of a few rows of tiles after one another, so that tiles which run at the
same time share what they read; each part has its own piece of the inner extent.

Words besides the extents (e0, e1): ``k``; ``chunk``, inner elements of a part; ``tiles``, how many
there are; ``tiles_m``, ``tiles_n`` and ``panel``, rows of tiles, columns, and rows in a panel;
``page``, elements of the product.
"""

from __future__ import annotations

from runmat_wgpu.codegen.kernels.draft import Draft, Written, block
from runmat_wgpu.codegen.products.call import Operand, Product
from runmat_wgpu.codegen.products.ending import Ending, put_parts
from runmat_wgpu.codegen.products.fetch import COMPONENTS, Fetch
from runmat_wgpu.codegen.products.tiles import Tile
from runmat_wgpu.codegen.shader import STORAGE, Target

BUILTINS = ("workgroup_id", "num_workgroups", "local_invocation_index")


def tiled(
    product: Product,
    tile: Tile,
    operands: tuple[Operand, Operand],
    ending: Ending,
    parts: bool,
    target: Target,
) -> Written:
    """Return the shader.

    Args:
        parts: whether it stores parts of the product, to be added up and ended later.
    """
    bound = {o.buffer for o in operands if o.vector}
    draft = Draft(product.kernel, target, bound | (set() if parts else ending.vectors))
    if parts:
        put_parts(draft, product, product.width, ending.aligned)
    else:
        ending.put(draft, product, product.width)
    kind, many = product.dtype, product.width
    a = Fetch(draft, operands[0], tile, "a", tile.rows, kind, many)
    b = Fetch(draft, operands[1], tile, "b", tile.columns, kind, many, reverse=True)
    a.share()
    b.share()
    body = [
        *place_of_tile(draft, tile, product.syrk),
        *piece(draft, parts),
        *place_of_thread(tile),
        *a.setup(),
        *b.setup(),
        *accumulators(tile, kind, many),
        *_loop(tile, a, b, many),
        *results(tile, many),
    ]
    return draft.finish(body, (tile.threads,), BUILTINS)


def place_of_tile(draft: Draft, tile: Tile, triangle: bool) -> list[str]:
    """Which tile a workgroup computes; of a symmetric product those on and below the diagonal."""
    words = draft.words
    lines = [
        "let t = local_invocation_index;",
        "let number = workgroup_id.y * num_workgroups.x + workgroup_id.x;",
        f"if (number >= {words.field('tiles')}) {{ return; }}",
    ]
    if triangle:
        lines += [
            "var down = u32((sqrt(8.0 * f32(number) + 1.0) - 1.0) * 0.5);",
            "if (down * (down + 1u) / 2u > number) { down -= 1u; }",
            "if ((down + 1u) * (down + 2u) / 2u <= number) { down += 1u; }",
            "let right = number - down * (down + 1u) / 2u;",
        ]
    else:
        across, panel = words.field("tiles_n"), words.field("panel")
        lines += [
            f"let above = number / ({panel} * {across}) * {panel};",
            f"let rows = min({panel}, {words.field('tiles_m')} - above);",
            f"let within = number - above * {across};",
            "let down = above + within % rows;",
            "let right = within / rows;",
        ]
    return [
        *lines,
        f"let first_a = down * {tile.rows}u;",
        f"let first_b = right * {tile.columns}u;",
    ]


def piece(draft: Draft, parts: bool) -> list[str]:
    """Return a workgroup's part of the inner extent: from ``first`` to ``last``."""
    k = draft.words.field("k")
    if not parts:
        return ["let first = 0u;", f"let last = {k};"]
    chunk, page = draft.words.field("chunk"), draft.words.field("page")
    return [
        f"let first = workgroup_id.z * {chunk};",
        f"let last = min(first + {chunk}, {k});",
        f"part = workgroup_id.z * {page};",
    ]


def place_of_thread(tile: Tile) -> list[str]:
    """Where a thread stands in its tile: 32 in a row form a block 8 wide, to share their reads."""
    wide, high = tile.wide, tile.high
    if wide > 8 and wide % 8 == 0 and high % 4 == 0:
        blocks = wide // 8
        return [
            f"let x = t % 8u + (t / 32u) % {blocks}u * 8u;",
            f"let y = (t / 8u) % 4u + t / {32 * blocks}u * 4u;",
        ]
    return [f"let x = t % {wide}u;", f"let y = t / {wide}u;"]


def accumulators(tile: Tile, dtype: str, many: int) -> list[str]:
    """``c0_5``: vector 0 of the thread's column 5."""
    return [
        f"var c{r}_{j} = vec{many}<{STORAGE[dtype]}>();"
        for j in range(tile.across)
        for r in range(tile.down // many)
    ]


def results(tile: Tile, many: int) -> list[str]:
    """Hand each vector to ``put``; a thread's vectors are spread over the tile."""
    lines = []
    for j in range(tile.across):
        s, c = divmod(j, many)
        lines.append(f"let j{j} = first_b + (y + {s * tile.high}u) * {many}u + {c}u;")
        for r in range(tile.down // many):
            row = f"first_a + (x + {r * tile.wide}u) * {many}u"
            lines.append(f"put({row}, j{j}, c{r}_{j});")
    return lines


def _loop(tile: Tile, a: Fetch, b: Fetch, many: int) -> list[str]:
    """Along the inner extent: whole tiles, and a row at a time of the one that is left."""
    depth = tile.depth
    lines = ["var turn = 0u;"] if tile.double else []
    share = [*a.write(), *b.write(), "workgroupBarrier();"]
    inside = []
    if tile.ahead:
        ready = [*a.read("first"), *b.read("first")]
        lines += block(f"if (first + {depth}u <= last)", ready)
    else:
        inside += [*a.read("l"), *b.read("l")]
    inside += share
    if tile.ahead:
        inside.append(f"let next = l + {depth}u;")
        inside += block(f"if (next + {depth}u <= last)", [*a.read("next"), *b.read("next")])
    for inner in range(depth):
        inside += ["{", *("  " + line for line in _row(tile, a, b, many, inner)), "}"]
    # a double tile is written again only after the barrier of the next one
    inside.append("turn = 1u - turn;" if tile.double else "workgroupBarrier();")
    rest = [*a.read("l", edge=True), *b.read("l", edge=True), *share]
    rest += block("for (var i = 0u; i < last - l; i++)", _row(tile, a, b, many, "i"))
    lines.append("var l = first;")
    lines += block(f"for (; l + {depth}u <= last; l += {depth}u)", inside)
    return [*lines, *block("if (l < last)", rest)]


def _row(tile: Tile, a: Fetch, b: Fetch, many: int, inner: int | str) -> list[str]:
    """Add the products of a column of one shared tile with a row of the other."""
    lines = []
    for fetch, place, count, threads in (
        (a, "x", tile.down // many, tile.wide),
        (b, "y", tile.across // many, tile.high),
    ):
        for r in range(count):
            at = fetch.at(inner, f"{place} + {r * threads}u" if r else place)
            lines.append(f"let f{fetch.name}{r} = {at};")
    for j in range(tile.across):
        s, c = divmod(j, many)
        factor = f"fb{s}.{COMPONENTS[c]}"
        lines += [f"c{r}_{j} += fa{r} * {factor};" for r in range(tile.down // many)]
    return lines
