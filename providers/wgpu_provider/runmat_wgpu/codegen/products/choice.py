"""Which form, shape and number of parts a product of given sizes takes.

The choice depends on sizes and target alone, so results are the same whenever it is made.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from runmat_wgpu.codegen.products.call import Product
from runmat_wgpu.codegen.products.thin import SHORT, Columns, Dots
from runmat_wgpu.codegen.products.tiles import TILES, Tile, tuned
from runmat_wgpu.codegen.shader import STORED_BYTES, Target

#: Rates of a large device, which weigh multiplying against launching and adding up parts.
FLOPS = {"f32": 47e12, "f64": 21e12}
BYTES = 3e12
LAUNCH = 5e-6
#: Threads that keep a unit of the device busy.
BUSY = 384
#: By how much tiles of 64 x 64, which read twice as much for each product, are slower than those of
#: 128 x 128.
NARROW = 0.15
#: Workgroups of a thin product that a unit of the device should have.
WAVES = 4
#: Elements of a factor that no cache holds.
LARGE = 1 << 22
#: Inner elements of a part, at least.
PIECE = 256


@attrs.frozen
class Cut:
    """How tiles and parts divide the work.

    Attributes:
        form: None for the form without shared memory.
        parts: pieces of the inner extent.
        chunk: inner elements of each but the last.
    """

    form: Tile | Columns | Dots | None
    parts: int
    chunk: int


def cut(product: Product, m: int, n: int, k: int, target: Target) -> Cut:
    """Return the division that should take the least time."""
    if target.software:
        return _without_tiles(m, n, k, target)
    if min(m, n) <= SHORT:
        return thin(product, m, n, k, target)
    best, least = _without_tiles(m, n, k, target), float("inf")
    for tile in _shapes(product, m, n, target):
        for parts in _parts(product, tile, m, n, k, target):
            chunk = _up(-(-k // parts), tile.depth)
            needed = max(1, -(-k // chunk))
            seconds = _seconds(product, tile, needed, chunk, (m, n), target)
            if seconds < least:
                best, least = Cut(tile, needed, chunk), seconds
    return best


def _without_tiles(m: int, n: int, k: int, target: Target) -> Cut:
    """Return the form without shared memory, in parts if threads are few or loops long."""
    few = min(16, k // 4096) if m * n <= 1 << 14 else 1
    parts = max(1, few, -(-k // target.iterations))
    return Cut(None, parts, -(-k // parts))


def thin(product: Product, m: int, n: int, k: int, target: Target) -> Cut:
    """Return the form for a short side, and parts that keep the device busy."""
    units = tuned(target, "gemm.units")
    swapped = n > SHORT
    short = 1 << (min(m, n) - 1).bit_length()
    long_ = max(m, n)
    along = product.trans_b if swapped else not product.trans_a
    if long_ > SHORT and along and not product.syrk:
        lanes = next((v for v in (64, 16) if long_ >= 2 * units * v * product.width), 4)
        if long_ * k >= LARGE:  # memory is read best in long pieces
            lanes = max(lanes, 16)
        form = Columns(swapped, short, lanes, 256 // lanes)
        if form.threads <= target.invocations and _pile(form, product) <= target.workgroup_bytes:
            groups = -(-long_ // (lanes * product.width))
            return _parted(form, k, groups, form.slices * 16, (m, n), product, target)
    side = 8 if long_ * k >= LARGE and short > 1 else 4
    sides = [
        1 << (min(extent, side if extent > SHORT else SHORT) - 1).bit_length() for extent in (m, n)
    ]
    threads = 128 if product.dtype == "f32" else 64
    while threads > 1 and not _dots_fit(threads, sides, product, target):
        threads //= 2
    dot = Dots(sides[0], sides[1], threads)
    groups = -(-m // sides[0]) * -(-n // sides[1])
    return _parted(dot, k, groups, threads * 16, (m, n), product, target)


def _pile(form: Columns, product: Product) -> int:
    return form.threads // 2 * form.short * product.width * STORED_BYTES[product.dtype]


def _dots_fit(threads: int, sides: list[int], product: Product, target: Target) -> bool:
    pile = threads // 2 * sides[0] * sides[1] * STORED_BYTES[product.dtype]
    return threads <= target.invocations and pile <= target.workgroup_bytes


def _parted(
    form: Columns | Dots,
    k: int,
    groups: int,
    least: int,
    size: tuple[int, int],
    product: Product,
    target: Target,
) -> Cut:
    """Parts of at least so many inner elements, where there are fewer groups than units."""
    room = target.binding_bytes // (size[0] * size[1] * STORED_BYTES[product.dtype])
    wanted = max(1, min(WAVES * tuned(target, "gemm.units") // groups, k // least, room))
    chunk = _up(-(-k // wanted), least)
    return Cut(form, max(1, -(-k // chunk)), chunk)


def tiles(tile: Tile, m: int, n: int, syrk: bool) -> int:
    """How many tiles cover the product; of a symmetric one those on and below the diagonal."""
    down, across = -(-m // tile.rows), -(-n // tile.columns)
    return down * (down + 1) // 2 if syrk else down * across


def _shapes(product: Product, m: int, n: int, target: Target) -> Iterator[Tile]:
    letter = "s" if product.dtype == "f32" else "d"
    names = ["syrk.tile" if product.syrk else "gemm.tile", "gemm.small"]
    known = TILES[product.dtype]
    if product.dtype == "f32" and not product.syrk:
        names += ["gemm.tall", "gemm.broad"]
        usual = known[tuned(target, "sgemm.tile")]
        if tiles(usual, m, n, False) <= 2 * tuned(target, "gemm.units"):
            # so few that smaller ones may leave fewer units idle at the end
            names.append("gemm.middle")
    chosen = [known[tuned(target, letter + name)] for name in names]
    fitting = [t for t in chosen if t.fits(product.dtype, target)]
    for tile in fitting or [t for t in known if t.fits(product.dtype, target)]:
        if tile.rows == tile.columns or not product.syrk:
            yield tile


def _parts(product: Product, tile: Tile, m: int, n: int, k: int, target: Target) -> Iterator[int]:
    """Numbers of parts to try: all small ones, of large ones every sixteenth or so."""
    groups = tiles(tile, m, n, product.syrk)
    most = max(1, 8 * tuned(target, "gemm.units") // groups)
    room = target.binding_bytes // (max(1, m * n) * STORED_BYTES[product.dtype])
    parts, last = 1, max(1, min(most, k // PIECE, room))
    while parts <= last:
        yield parts
        parts += max(1, parts // 16)


def _seconds(
    product: Product, tile: Tile, parts: int, chunk: int, size: tuple[int, int], target: Target
) -> float:
    """Return an estimate, good enough to compare."""
    m, n = size
    units = tuned(target, "gemm.units")
    groups = tiles(tile, m, n, product.syrk) * parts
    # reads of shared memory, per product of two elements, are what small shapes wait for
    rate = FLOPS[product.dtype] / units * tile.down * tile.across / (tile.down + tile.across) / 4
    work = 2 * tile.rows * tile.columns * chunk / rate
    work *= 1.0 + NARROW * (64.0 / tile.rows + 64.0 / tile.columns - 1.0)
    seconds = max(-(-groups // units) * work, work * BUSY / tile.threads)
    if parts > 1 or product.syrk:
        seconds += LAUNCH + (2 * parts + 1) * m * n * STORED_BYTES[product.dtype] / BYTES
    return seconds


def _up(count: int, step: int) -> int:
    return max(1, -(-count // step)) * step
