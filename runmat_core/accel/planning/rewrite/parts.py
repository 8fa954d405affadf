"""Rules about arrays made of parts: what is read is the array that a part was cut from.

Most look at where parts begin, so they are for bodies of loops, whose parts begin where they do in
every iteration, or are placeholders where they move. In other plans that holds for parts of what is
computed there, since its key says where they begin.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from runmat_core.accel.graph.node import Node, Shape
from runmat_core.accel.ops.parts import CAT, CAT_OF_VIEWS, UPDATE_BY_VIEW
from runmat_core.accel.planning.regions import region_of
from runmat_core.accel.planning.rewrite import strided
from runmat_core.accel.planning.rewrite.draft import Draft
from runmat_core.accel.planning.rewrite.strided import Strided
from runmat_core.accel.planning.rewrite.views import add_view

#: What kernels make as they need it, so that no view of it lies in memory.
_MADE = frozenset({"fill", "range", "random"})
#: Most parts of an array that is written part by part.
PARTS = 16

#: First and last position along each axis.
Box = list[tuple[int, int]]
#: Finds what a view of a node shows of another one, and where.
ShownBy = Callable[[Draft, int, Strided], tuple[int, Strided] | None]


# -- parts that are views --------------------------------------------------------------------------


def concatenated(draft: Draft, number: int) -> int | None:
    """Read views that are concatenated where their elements lie: ``[x(2:end); x(1)]``."""
    return _concatenated(draft, number, _shown_by)


def concatenated_of_pending(draft: Draft, number: int) -> int | None:
    """Return the same for views of what is computed in the same plan."""
    return _concatenated(draft, number, _shown_of_pending)


def _concatenated(draft: Draft, number: int, shown_by: ShownBy) -> int | None:
    node = draft.nodes[number]
    inputs = draft.inputs[number]
    known = node.option("parts")
    if known is None and _alike(draft, inputs):
        return None
    views = [strided.whole(draft.nodes[k].shape) for k in inputs]
    if known is not None:
        views = [Strided(*view) for view in known]
    shown = [shown_by(draft, k, view) for k, view in zip(inputs, views, strict=True)]
    if not any(shown):
        return None
    found = [one or (k, view) for one, k, view in zip(shown, inputs, views, strict=True)]
    parts = tuple([tuple(view) for _, view in found])
    static = (("axis", node.option("axis")), ("parts", parts))
    bases = tuple([base for base, _ in found])
    return draft.add(CAT_OF_VIEWS, bases, node.shape, number, static)


def replaced(draft: Draft, number: int) -> int | None:
    """Read a view that replaces a region where its elements lie."""
    return _replaced(draft, number, _shown_by)


def replaced_of_pending(draft: Draft, number: int) -> int | None:
    """Return the same for a view of what is computed in the same plan."""
    return _replaced(draft, number, _shown_of_pending)


def _replaced(draft: Draft, number: int, shown_by: ShownBy) -> int | None:
    node = draft.nodes[number]
    base, new = draft.inputs[number]
    part = node.option("part")
    if new < 0 or node.option("advance", 0) or (part is None and draft.nodes[new].size == 1):
        return None
    view = strided.whole(draft.nodes[new].shape) if part is None else Strided(*part)
    found = shown_by(draft, new, view)
    if found is None:
        return None
    shape, counts = found[1].shape, node.option("region")
    if [n for n in shape if n != 1] != [n for n in counts if n != 1]:
        return None
    static = (*[one for one in node.static if one[0] != "part"], ("part", tuple(found[1])))
    return draft.add(UPDATE_BY_VIEW, (base, found[0]), node.shape, number, static)


def _alike(draft: Draft, inputs: tuple[int, ...]) -> bool:
    """Whether all parts are of one size, so that each is written where it is computed."""
    return len({draft.nodes[k].shape for k in inputs}) == 1 and draft.nodes[inputs[0]].size > 1


def _shown_by(draft: Draft, number: int, view: Strided) -> tuple[int, Strided] | None:
    """Return what a view of a node shows of another one; None where there is no other in memory."""
    if draft.kinds[number] != "view":
        return _through(draft, number, view)
    base = draft.inputs[number][0]
    node = draft.nodes[number]
    if draft.kinds[base] in _MADE or not _plain(draft, number):
        return None
    if draft.nodes[base].dtype != node.dtype:
        return None
    found = strided.compose(view, node.shape, strided.view_of(node))
    return None if found is None else (base, found)


def _shown_of_pending(draft: Draft, number: int, view: Strided) -> tuple[int, Strided] | None:
    """Return what a view of a node shows of another one that is computed in the same plan."""
    if draft.kinds[number] != "view" or draft.nodes[draft.inputs[number][0]].data is not None:
        return None
    return _shown_by(draft, number, view)


def _plain(draft: Draft, number: int) -> bool:
    """Whether a view leaves complex elements as they are."""
    return draft.nodes[number].op.name != "ctranspose" or draft.real(number)


# -- views of what was replaced --------------------------------------------------------------------


def unreplaced(draft: Draft, number: int) -> int | None:
    """View what a region replaced, or came from, where that is enough.

    A view beside a region shows what was there before, a view of the region itself what came there,
    a view of one part of a concatenation that part.
    """
    found = _through(draft, draft.inputs[number][0], strided.view_of(draft.nodes[number]))
    if found is None or not _plain(draft, number):
        return None
    return add_view(draft, *found)


def _through(draft: Draft, source: int, view: Strided) -> tuple[int, Strided] | None:
    """Return what a view of an array of several parts shows, if that is one part alone."""
    below = draft.nodes[source]
    if draft.kinds[source] == "cat":
        return _of_part(draft, source, view)
    if draft.kinds[source] != "update" or below.option("advance", 0):
        return None
    folded, spans = region_of(below)
    box = _box(view, folded)
    if box is None:
        return None
    for (low, high), (start, step, count) in zip(box, spans, strict=True):
        ends = sorted((start, start + step * (count - 1)))
        if high < ends[0] or low > ends[1]:
            return draft.inputs[source][0], view
    new = draft.inputs[source][1]
    if new < 0 or draft.nodes[new].cls != below.cls or not _same_region(view, below):
        return None
    part = below.option("part")
    if part is None:
        if draft.nodes[new].size != prod(view.shape):
            return None
        return new, strided.whole(view.shape)
    shown = strided.compose(strided.whole(view.shape), part[0], Strided(*part))
    return None if shown is None else (new, shown)


def _of_part(draft: Draft, source: int, view: Strided) -> tuple[int, Strided] | None:
    """Return a view of one part of a concatenation along the last axis."""
    node = draft.nodes[source]
    axis: int = node.option("axis")
    box = _box(view, node.shape)
    if box is None or axis != len(node.shape) - 1 or node.option("parts") is not None:
        return None
    if source in draft.outputs or any(draft.kinds[k] != "view" for k in draft.users[source]):
        return None  # it has to be in memory anyway
    start, page = 0, prod(node.shape[:-1])
    for k in draft.inputs[source]:
        part = draft.nodes[k]
        count = part.size // page
        if start <= box[axis][0] and box[axis][1] < start + count:
            if part.cls != node.cls:
                return None
            return k, view._replace(offset=view.offset - start * page)
        start += count
    return None


def _same_region(view: Strided, update: Node) -> bool:
    """Whether a view has the elements of a replaced region, in their order."""
    if view.offset != update.option("offset"):
        return False
    own = [(n, s) for n, s in zip(view.shape, view.strides, strict=True) if n != 1]
    pairs = zip(update.option("region"), update.option("strides"), strict=True)
    other = [(n, s) for n, s in pairs if n != 1]
    return _run(own) == _run(other)


def _run(axes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Axes with those joined that run through without a gap."""
    found: list[tuple[int, int]] = []
    for extent, stride in axes:
        if found and stride == found[-1][0] * found[-1][1]:
            found[-1] = found[-1][0] * extent, found[-1][1]
        else:
            found.append((extent, stride))
    return found


def _box(view: Strided, shape: Shape) -> Box | None:
    """Return the positions along each axis of `shape` between which a view has its elements."""
    steps = strided.natural(shape)
    low = [view.offset // step % extent for step, extent in zip(steps, shape, strict=True)]
    high = list(low)
    for extent, stride in zip(view.shape, view.strides, strict=True):
        left, step = extent, abs(stride)
        ends = high if stride > 0 else low
        while left > 1 and step:
            k = max(k for k, one in enumerate(steps) if one <= step)
            if step % steps[k]:
                return None
            by = step // steps[k]
            room = shape[k] // by
            if left <= room or k == len(shape) - 1:
                ends[k] += (left - 1) * by * (1 if stride > 0 else -1)
                left = 1
            elif by * room == shape[k] and left % room == 0 and low[k] == high[k] == 0:
                # all of this axis, and then along the next one
                ends[k] += (room - 1) * by * (1 if stride > 0 else -1)
                left, step = left // room, steps[k] * shape[k]
            else:
                return None
    if any(a < 0 or b >= extent for a, b, extent in zip(low, high, shape, strict=True)):
        return None
    return list(zip(low, high, strict=True))


# -- regions that cover an array -------------------------------------------------------------------


def covered(draft: Draft, number: int) -> int | None:
    """Parts that replace all of an array one after the other are a concatenation."""
    found = _pages(draft.nodes[number])
    if found is None:
        return None
    if _only(draft, number) and draft.kinds[draft.users[number][0]] == "update":
        draft.look_at(draft.users[number][0])  # the last one is what may be replaced
        return None
    axis, count = found
    parts: dict[int, tuple[int, Strided]] = {}
    at = number
    while draft.kinds[at] == "update":
        node = draft.nodes[at]
        if _pages(node) != found or (at != number and not _only(draft, at)):
            return None
        base, new = draft.inputs[at]
        page = region_of(node)[1][axis][0]
        if page not in parts:
            part = node.option("part")
            if new < 0 or (part is None and draft.nodes[new].size * count != node.size):
                return None
            shown = strided.whole(draft.nodes[new].shape) if part is None else Strided(*part)
            parts[page] = new, shown
        if len(parts) == count:
            break
        at = base
    if len(parts) < count:
        return None
    shape = draft.nodes[number].shape
    page_shape = tuple([1 if k == axis else n for k, n in enumerate(shape)])
    while len(page_shape) > 2 and page_shape[-1] == 1:
        page_shape = page_shape[:-1]
    inputs = []
    for page in range(count):
        new, shown = parts[page]
        page_view = strided.compose(strided.whole(page_shape), shown.shape, shown)
        if page_view is None:
            return None
        inputs.append(add_view(draft, new, page_view))
    return draft.add(CAT, tuple(inputs), shape, number, (("axis", axis),))


def _only(draft: Draft, number: int) -> bool:
    return number not in draft.outputs and len(draft.users[number]) == 1


def _pages(node: Node) -> tuple[int, int] | None:
    """Return the axis along which an update replaces one page of several, and their number."""
    if node.option("advance", 0):
        return None
    folded, spans = region_of(node)
    axis = len(folded) - 1
    if folded != node.shape or not 2 <= folded[axis] <= PARTS or spans[axis][2] != 1:
        return None
    others = zip(folded[:axis], spans[:axis], strict=True)
    if any(n != 1 and span != (0, 1, n) for n, span in others):
        return None
    return axis, folded[axis]
