"""The class rules of elementwise operations: from the classes of operands to that of the result.

A rule says in which class the result is and in which element type a kernel computes it, so that the
result is the host rule's. Where there is no such type (64-bit integers do not fit into doubles), or
where the classes do not go together at all, there is no answer: the operation does not fuse, and
the host rule computes it or raises its error.

Source: MATLAB's documentation of integer arithmetic and of operations with single operands; the
host rules in `runmat_core.values.arithmetic` and `comparison` are what this agrees with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from runmat_core.accel.graph.node import COMPLEX_CLASSES
from runmat_core.api.fusion import ClassRule
from runmat_core.api.ir.kernel import CLASS_OF, COMPLEX_CLASS, COMPLEX_OF, DTYPE_OF, PART_OF
from runmat_core.api.tuples import NamedTuple

_INTEGERS = frozenset(
    ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)
_LONG = frozenset({"int64", "uint64"})
#: Classes that count as double in arithmetic.
_DOUBLES = frozenset({"double", "logical"})


#: The class of every element type, and MATLAB's class of arrays of each.
ELEMENT_CLASS: dict[str, str] = CLASS_OF | COMPLEX_CLASS
CLASS_SEEN: dict[str, str] = {cls: cls for cls in DTYPE_OF} | {
    cls: CLASS_OF[PART_OF[dtype]] for dtype, cls in COMPLEX_CLASS.items()
}


class Operand(NamedTuple):
    """What a rule sees of an operand.

    Attributes:
        cls: its class.
        one: whether it has one element.
        host: whether it is a Python scalar, whose value takes the precision of what it meets.
    """

    cls: str
    one: bool
    host: bool


class Outcome(NamedTuple):
    """What a rule says: the class of the result, and the element type that is computed in.

    An empty type says that operands come as they are.
    """

    cls: str
    dtype: str


Operands = tuple[Operand, ...]


def _float(operands: Operands) -> Outcome | None:
    """Single if one operand is, else double."""
    classes = {operand.cls for operand in operands}
    if classes & _INTEGERS:
        return None
    return Outcome("single", "f32") if "single" in classes else Outcome("double", "f64")


def _integer(operands: Operands) -> str | None:
    """Return the one integer class among the operands, with nothing else but scalar doubles."""
    classes = {operand.cls for operand in operands if operand.cls in _INTEGERS}
    if len(classes) != 1:
        return None
    for operand in operands:
        # char and logical count as double
        if operand.cls not in classes and not (operand.one and operand.cls in _DOUBLES):
            return None
    return classes.pop()


def _arithmetic(operands: Operands) -> Outcome | None:
    if not any(operand.cls in _INTEGERS for operand in operands):
        return _float(operands)
    cls = _integer(operands)
    # doubles hold every step of the arithmetic of up to 32 bits
    return None if cls is None or cls in _LONG else Outcome(cls, "f64")


def _common(operands: Operands) -> Outcome | None:
    if not any(operand.cls in _INTEGERS for operand in operands):
        return _float(operands)
    cls = _integer(operands)
    return None if cls is None else Outcome(cls, DTYPE_OF[cls])


def _ordered(operands: Operands) -> Outcome | None:
    if all(operand.cls == "logical" for operand in operands):
        return Outcome("logical", "bool")
    return _common(operands)


def _same(operands: Operands) -> Outcome | None:
    cls = operands[0].cls
    cls = "double" if cls == "logical" else cls
    return Outcome(cls, DTYPE_OF[cls])


def _compare(operands: Operands) -> Outcome | None:
    """Logical, computed in a type that holds the values of both operands."""
    classes = {operand.cls for operand in operands}
    if len(classes) == 1:
        cls = classes.pop()
        # of single, because devices order floats, and single holds 0 and 1
        return Outcome("logical", "f32" if cls == "logical" else DTYPE_OF[cls])
    if classes & _LONG:
        return None
    if classes & _INTEGERS:
        return Outcome("logical", "f64")
    if classes == {"single", "double"}:
        # a scalar double takes the precision of the single array, an array of doubles does not
        doubles = [operand for operand in operands if operand.cls == "double"]
        if all(operand.host for operand in doubles):
            return Outcome("logical", "f32")
        return None if any(operand.one for operand in doubles) else Outcome("logical", "f64")
    return Outcome("logical", "f32" if "single" in classes else "f64")


def _long(operands: Operands) -> Outcome | None:
    """Return the 64-bit integer class of the operands.

    Doubles among them are scalars on the host.
    """
    cls = _integer(operands)
    if cls not in _LONG or any(o.cls == "double" and not o.host for o in operands):
        return None
    return Outcome(cls, DTYPE_OF[cls])


def _long_compare(operands: Operands) -> Outcome | None:
    found = _long(operands)
    return None if found is None else Outcome("logical", found.dtype)


def _logical(operands: Operands) -> Outcome | None:
    return Outcome("logical", "bool")


def _test(operands: Operands) -> Outcome | None:
    return Outcome("logical", DTYPE_OF[operands[0].cls])


def _own(operands: Operands) -> Outcome | None:
    return Outcome(operands[0].cls, "")


def _complex(operands: Operands) -> Outcome | None:
    found = _float(_parts_of(operands))
    if found is None or not any(operand.cls in COMPLEX_CLASSES for operand in operands):
        return None
    dtype = COMPLEX_OF[found.dtype]
    return Outcome(COMPLEX_CLASS[dtype], dtype)


def _part(operands: Operands) -> Outcome | None:
    found = _float(_parts_of(operands))
    return None if found is None else Outcome(found.cls, COMPLEX_OF[found.dtype])


def _parts(operands: Operands) -> Outcome | None:
    if any(operand.cls in COMPLEX_CLASSES for operand in operands):
        return None
    found = _float(operands)
    return None if found is None else Outcome(COMPLEX_CLASS[COMPLEX_OF[found.dtype]], found.dtype)


def _logical_of_complex(rule: ClassRule, operands: Operands) -> Outcome | None:
    """Return a comparison or test of operands of which one is complex."""
    found = _RULES[rule](_parts_of(operands))
    if found is None or found.dtype not in COMPLEX_OF:
        return None
    return Outcome(found.cls, COMPLEX_OF[found.dtype])


def _parts_of(operands: Operands) -> Operands:
    """Return the operands with the classes of their parts."""
    return tuple([o._replace(cls=CLASS_SEEN[o.cls]) for o in operands])


_RULES: dict[str, Callable[[Operands], Outcome | None]] = {
    "float": _float,
    "arithmetic": _arithmetic,
    "common": _common,
    "ordered": _ordered,
    "same": _same,
    "compare": _compare,
    "long": _long,
    "long compare": _long_compare,
    "logical": _logical,
    "test": _test,
    "own": _own,
    "complex": _complex,
    "mixed": _complex,
    "part": _part,
    "parts": _parts,
}
#: The rules that know complex operands.
_OF_COMPLEX = frozenset({"complex", "mixed", "part", "parts"})


@lru_cache(maxsize=4096)
def outcome(rule: ClassRule, operands: Operands) -> Outcome | None:
    """Return what `rule` says of `operands`; None where they do not fuse."""
    for operand in operands:
        if operand.cls not in DTYPE_OF or operand.cls == "char":
            return None
    if rule in COMPLEX_CLASSES:
        (operand,) = operands
        return Outcome(rule, DTYPE_OF[operand.cls]) if operand.cls in COMPLEX_CLASSES else None
    if rule not in _OF_COMPLEX and any(operand.cls in COMPLEX_CLASSES for operand in operands):
        return _logical_of_complex(rule, operands) if rule in ("compare", "test") else None
    function = _RULES.get(rule)
    if function is not None:
        return function(operands)
    return Outcome(rule, DTYPE_OF[operands[0].cls])


def check(rule: ClassRule) -> None:
    """Raise ValueError where `rule` is neither a class rule nor a class."""
    if rule not in _RULES and (rule not in DTYPE_OF or rule == "char"):
        raise ValueError(f"{rule!r} is neither a class rule nor a numeric class")


def of_types(dtypes: Sequence[str], known: Sequence[str | None]) -> Operands:
    """Operands as a fragment knows them, by element types and value classes of scalars.

    A double that is a node may have one element or many, which nothing but its size tells. That it
    meets an integer class or single at all means that it was allowed to.
    """
    integers = any(dtype[0] in "iu" for dtype in dtypes)
    return tuple(
        Operand(ELEMENT_CLASS[dtype], kind is not None or integers, kind is not None)
        for dtype, kind in zip(dtypes, known, strict=True)
    )
