"""Rules about views: nothing is moved that need not be."""

from __future__ import annotations

from runmat_core.accel.graph.node import Shape
from runmat_core.accel.planning.rewrite import strided
from runmat_core.accel.planning.rewrite.draft import SCALAR, Draft
from runmat_core.accel.planning.rewrite.operations import VIEW, is_product
from runmat_core.accel.planning.rewrite.strided import Strided
from runmat_core.values.classes import FLOAT_CLASSES


def expanded(draft: Draft, number: int, shape: Shape) -> int:
    """Node `number`, repeated to `shape` along axes of extent 1; itself where it has the shape."""
    below = draft.nodes[number].shape
    if below == shape:
        return number
    padded = below + (1,) * (len(shape) - len(below))
    steps = strided.natural(padded)
    strides = tuple(
        step if extent == wide else 0
        for extent, wide, step in zip(padded, shape, steps, strict=True)
    )
    return add_view(draft, number, Strided(shape, 0, strides))


def add_view(draft: Draft, number: int, view: Strided) -> int:
    """Return a view of a node, or the node itself where the view is the whole of it as it is."""
    node = draft.nodes[number]
    if view.shape == node.shape and strided.is_reshape(view, node.shape):
        return number
    return draft.add(VIEW, (number,), view.shape, number, strided.static_of(view))


def compose(draft: Draft, number: int) -> int | None:
    """Make a view of a view one view, and leave out a view of everything as it is.

    Double transposes, a reshape of a reshape, a column of a transpose. A transpose that a product
    reads stays as it is: there it is a flag.
    """
    source = draft.inputs[number][0]
    node, below = draft.nodes[number], draft.nodes[source]
    outer = strided.view_of(node)
    if not (draft.real(number) or _plain(draft, number, source)):
        return None
    if node.shape == below.shape and strided.is_reshape(outer, below.shape):
        return source
    if draft.kinds[source] != "view":
        return None
    if strided.is_transpose(outer, below.shape) and _feeds_product(draft, number):
        return None
    found = strided.compose(outer, below.shape, strided.view_of(below))
    return None if found is None else add_view(draft, draft.inputs[source][0], found)


def of_fill(draft: Draft, number: int) -> int | None:
    """Make a view of equal elements a fill: ``repmat(zeros(2, 1), 3, 1)``."""
    source = draft.inputs[number][0]
    if draft.kinds[source] != "fill":
        return None
    below = draft.nodes[source]
    return draft.add(
        below.op, (SCALAR,), draft.nodes[number].shape, source, below.static, scalars=source
    )


def converted_fill(draft: Draft, number: int) -> int | None:
    """Equal elements of another floating class: ``single(zeros(1, n))``."""
    node = draft.nodes[number]
    if node.op.name not in FLOAT_CLASSES or len(draft.inputs[number]) != 1:
        return None
    source = draft.inputs[number][0]
    if source < 0 or draft.kinds[source] != "fill":
        return None
    if not {node.cls, draft.nodes[source].cls} <= FLOAT_CLASSES:
        return None
    op = draft.nodes[source].op
    return draft.add(op, (SCALAR,), node.shape, number, (), scalars=source)


def unexpanded(draft: Draft, number: int) -> int | None:
    """Leave the expansion of inputs to maps: ``A - repmat(m, n, 1)`` reads `m`."""
    shape = draft.nodes[number].shape
    for position, source in enumerate(draft.inputs[number]):
        if source < 0 or draft.kinds[source] != "view":
            continue
        base = draft.inputs[source][0]
        if not strided.is_expansion(
            strided.view_of(draft.nodes[source]), draft.nodes[base].shape
        ) or not _spans(draft, number, position, base, shape):
            continue
        draft.redirect(number, position, base)
        return number
    return None


def _spans(draft: Draft, number: int, position: int, base: int, shape: Shape) -> bool:
    """Whether the inputs make up the shape with `base` in place of one of them."""
    wide = [1] * len(shape)
    for k, source in enumerate(draft.inputs[number]):
        if source >= 0:
            for axis, extent in enumerate(draft.nodes[base if k == position else source].shape):
                if extent != 1:
                    wide[axis] = extent
    return tuple(wide) == shape


def _plain(draft: Draft, *numbers: int) -> bool:
    """Whether these views leave complex elements as they are."""
    return all(draft.kinds[k] != "view" or draft.nodes[k].op.name != "ctranspose" for k in numbers)


def _feeds_product(draft: Draft, number: int) -> bool:
    return any(is_product(draft, user) for user in draft.users[number])
