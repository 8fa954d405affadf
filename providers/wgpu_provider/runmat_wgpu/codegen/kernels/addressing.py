"""A launch's space made simple: axes put in memory's order, merged and dropped.

Axes of extent 1 go; axes along which the first store is close in memory come first; neighbouring
axes that no view tells apart become one, so that an elementwise kernel of whole arrays has a single
axis. Only parallel axes are touched; others keep their order behind them.
"""

from __future__ import annotations

from math import prod

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Axis, Instr, Kernel
from runmat_wgpu.codegen.kernels.places import Layout


@attrs.frozen
class Space:
    """A kernel over other axes than it was written over, with the sizes of a launch.

    Attributes:
        kernel: the same buffers, views and params in the same order, and the same code.
    """

    kernel: Kernel
    extents: tuple[int, ...]
    views: tuple[Addressing, ...]

    @property
    def points(self) -> int:
        return prod(self.extents)

    def span(self, view: int) -> tuple[int, int]:
        """Return the least and the greatest element number of a view; extents are not zero."""
        where = self.views[view]
        steps = [s * (e - 1) for s, e in zip(where.strides, self.extents, strict=True)]
        low = where.offset + sum(step for step in steps if step < 0)
        return low, where.offset + sum(step for step in steps if step > 0)

    def part(self, axis: int, first: int, extent: int) -> Space:
        """Return the points from `first` on along an axis."""
        views = tuple(
            attrs.evolve(where, offset=where.offset + where.strides[axis] * first)
            for where in self.views
        )
        extents = (*self.extents[:axis], extent, *self.extents[axis + 1 :])
        return Space(self.kernel, extents, views)


def simplify(
    kernel: Kernel, extents: tuple[int, ...], views: tuple[Addressing, ...], merge: bool = True
) -> Space:
    """Return the same points over as few axes as the views allow, at least one.

    Args:
        merge: whether axes may become one; they are only put in order otherwise.
    """
    groups = _groups(kernel, extents, views, merge)
    strides = [
        tuple(where.strides[group[0]] if group else 0 for group in groups) for where in views
    ]
    sizes = tuple(prod(extents[k] for k in group) for group in groups)
    return Space(
        rewritten(kernel, groups, tuple(tuple(s != 0 for s in each) for each in strides)),
        sizes,
        tuple(Addressing(w.offset, s) for w, s in zip(views, strides, strict=True)),
    )


def _groups(
    kernel: Kernel, extents: tuple[int, ...], views: tuple[Addressing, ...], merge: bool
) -> tuple[tuple[int, ...], ...]:
    """Old axes that become each of the new ones, in order."""
    movable = [k for k in kernel.axes_of("parallel") if extents[k] != 1]
    first = next((i.attr for i in kernel.code if i.op == "store"), None)
    if first is not None:
        steps = views[int(first)].strides  # type: ignore[call-overload]
        movable.sort(key=lambda k: (steps[k] == 0, abs(steps[k])))
    groups: list[tuple[int, ...]] = []
    for k in movable:
        if merge and groups and _continues(groups[-1], k, extents, views):
            groups[-1] += (k,)
        else:
            groups.append((k,))
    rest = [(k,) for k, axis in enumerate(kernel.axes) if axis.kind != "parallel"]
    return tuple(groups or [()]) + tuple(rest)


def _continues(
    group: tuple[int, ...], axis: int, extents: tuple[int, ...], views: tuple[Addressing, ...]
) -> bool:
    length = prod(extents[k] for k in group)
    return all(w.strides[axis] == w.strides[group[0]] * length for w in views)


def rewritten(
    kernel: Kernel, groups: tuple[tuple[int, ...], ...], moves: tuple[tuple[bool, ...], ...]
) -> Kernel:
    """Return a kernel over new axes, each made of some of the old, whose views move as given."""
    axes = tuple(kernel.axes[group[0]] if group else Axis() for group in groups)
    views = tuple(
        attrs.evolve(view, moves=m, contiguous=False)
        for view, m in zip(kernel.views, moves, strict=True)
    )
    code: list[Instr] = []
    masks = {
        kind: sum(1 << k for k, axis in enumerate(axes) if axis.kind == kind)
        for kind in ("reduce", "scan", "serial")
    }
    for instr in kernel.code:
        over = 0
        for k, group in enumerate(groups):
            over |= any(instr.over >> old & 1 for old in group) << k
        if instr.op in ("load", "index", "store") and not (instr.op == "load" and instr.args):
            moving = moves[int(instr.attr)]  # type: ignore[call-overload]
            over = sum(1 << k for k, m in enumerate(moving) if m)
        elif instr.op != "carry":  # what it takes on varies along no more than it was said to
            over = 0
            for a in instr.args:
                over |= code[a].over
            if instr.op == "reduce":
                over &= ~masks["reduce"]
            elif instr.op == "scan":
                over |= masks["scan"]
            elif instr.op == "last":
                over &= ~masks["serial"]
        code.append(attrs.evolve(instr, over=over))
    return attrs.evolve(kernel, axes=axes, views=views, code=tuple(code))


def layout_of(space: Space, lanes: int = 1, vectors: frozenset[int] = frozenset()) -> Layout:
    """Return what text for a launch may take for granted."""
    narrow, even = True, set()
    for v, view in enumerate(space.kernel.views):
        if view.buffer is None:
            low, high = space.span(v)
            narrow &= low >= 0 and high < 1 << 31
            where = space.views[v]
            if where.offset % lanes == 0 and all(s % lanes == 0 for s in where.strides[1:]):
                even.add(v)
    unit = frozenset(
        (v, axis)
        for v, where in enumerate(space.views)
        for axis, stride in enumerate(where.strides)
        if stride == 1
    )
    return Layout(unit, vectors, narrow, frozenset(even) if lanes > 1 else frozenset())


def vector_views(space: Space, width_of: dict[int, int], axis: int = 0) -> frozenset[int]:
    """Return views of memory that can be read in vectors along an axis.

    Args:
        width_of: elements of a vector, for each buffer.
    """
    found = set()
    for v, (view, where) in enumerate(zip(space.kernel.views, space.views, strict=True)):
        if view.buffer is None or where.strides[axis] != 1 or space.extents[axis] == 1:
            continue
        width = width_of[view.buffer]
        if width == 1:
            continue
        others = (s for k, s in enumerate(where.strides) if k != axis)
        if where.offset % width == 0 and all(s % width == 0 for s in others):
            found.add(v)
    return frozenset(found)


def vector_buffers(kernel: Kernel, layout: Layout) -> tuple[frozenset[int], Layout]:
    """Return the buffers to bind as vectors, and the layout with the views that this leaves.

    They are those of which everything that reads or writes them takes vectors.
    """
    scalar = {view.buffer for v, view in enumerate(kernel.views) if v not in layout.vectors}
    vectors = frozenset(v for v in layout.vectors if kernel.views[v].buffer not in scalar)
    buffers = (kernel.views[v].buffer for v in vectors)
    return frozenset(b for b in buffers if b is not None), attrs.evolve(layout, vectors=vectors)
