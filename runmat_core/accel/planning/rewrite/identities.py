"""Rules that hold for every IEEE number, signed zeros, infinities and NaN included.

``x + 0`` is not among them (``-0 + 0`` is 0), nor ``x * 0`` or ``x - x``. Those with numbers are
for floating classes only: integer classes round and saturate.
"""

from __future__ import annotations

from runmat_core.accel.planning.rewrite.draft import SCALAR, Draft
from runmat_core.accel.planning.rewrite.views import expanded
from runmat_core.values.classes import FLOAT_CLASSES

#: For binary operations, at which places a 1 leaves the other operand as it is.
_ONE_AT = {"times": (0, 1), "rdivide": (1,), "ldivide": (0,), "power": (1,)}

#: Operations that undo themselves.
_INVOLUTIONS = frozenset({"uminus"})

#: Operations whose results are whole numbers, which they all leave as they are.
_ROUNDINGS = frozenset({"round", "fix", "floor", "ceil"})

#: Operations that leave a value of their own class as it is.
_CASTS = frozenset(
    "double single logical int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
)


def neutral(draft: Draft, number: int) -> int | None:
    r"""``x .* 1``, ``x ./ 1``, ``1 .\ x``, ``x .^ 1`` are `x`."""
    places = _ONE_AT.get(draft.nodes[number].op.name)
    if places is None or draft.nodes[number].cls not in FLOAT_CLASSES:
        return None
    inputs = draft.inputs[number]
    if len(inputs) != 2:
        return None
    for place in places:
        if _is_one(draft, number, place):
            return _same_class(draft, number, inputs[1 - place], expand=True)
    return None


def _is_one(draft: Draft, number: int, position: int) -> bool:
    """Whether an input is 1, or an array of ones: told by the value class of a scalar."""
    source = draft.inputs[number][position]
    if source >= 0:
        if draft.kinds[source] != "fill" or draft.nodes[source].cls not in FLOAT_CLASSES:
            return False
        number, position = source, 0
    value = draft.scalar(number, position)
    return value.__class__ is float and value == 1.0


def _same_class(draft: Draft, number: int, source: int, expand: bool = False) -> int | None:
    if source == SCALAR:
        return None
    node, below = draft.nodes[number], draft.nodes[source]
    if below.cls != node.cls:
        return None
    if below.shape == node.shape:
        return source
    # ones(n, 1) * m repeats m; the array of ones has a size, if no value, to give
    return expanded(draft, source, node.shape) if expand else None


def doubled(draft: Draft, number: int) -> int | None:
    """``-(-x)``, ``+x``, ``~~x`` of logical `x`, rounding what is rounded, ``abs(abs(x))``."""
    node = draft.nodes[number]
    name, source = node.op.name, draft.inputs[number][0]
    if len(draft.inputs[number]) != 1 or source == SCALAR:
        return None
    below = draft.nodes[source]
    inside = below.op.name if draft.kinds[source] == "map" else ""
    if below.cls != node.cls or below.shape != node.shape:
        return None
    if name == "uplus" or (name in _CASTS and name == below.cls):
        return source
    if name in _ROUNDINGS and inside in _ROUNDINGS and len(draft.inputs[source]) == 1:
        # of a complex number, too, each part is rounded for itself
        return source
    if name == inside == "abs":
        return source
    innermost = draft.inputs[source][0] if inside else SCALAR
    if innermost == SCALAR or draft.nodes[innermost].cls != node.cls:
        return None
    if name in _INVOLUTIONS and inside == name and node.cls in FLOAT_CLASSES:
        return innermost
    if name == inside == "not":
        return innermost
    if name == "abs" and inside == "uminus" and node.cls in FLOAT_CLASSES:
        draft.redirect(number, 0, innermost)
        return number
    return None
