"""Class rules: the class of a result, the type computed in, and what does not fuse."""

from __future__ import annotations

import pytest

from runmat_core.accel.graph.classes import Operand, Operands, check, of_types, outcome

ARRAYS = {name: Operand(name, False, False) for name in "double single logical int8 int64".split()}
NUMBER = Operand("double", True, True)
FLAG = Operand("logical", True, True)
PENDING = Operand("double", True, False)


def operands(*given: str | Operand) -> Operands:
    return tuple(ARRAYS[g] if isinstance(g, str) else g for g in given)


@pytest.mark.parametrize(
    ("rule", "given", "expected"),
    [
        ("float", ["double", "single"], ("single", "f32")),
        ("float", ["logical", "logical"], ("double", "f64")),
        ("float", ["single", NUMBER], ("single", "f32")),
        ("float", ["int8"], None),
        ("arithmetic", ["int8", NUMBER], ("int8", "f64")),
        ("arithmetic", ["int8", FLAG], ("int8", "f64")),
        ("arithmetic", ["int8", PENDING], ("int8", "f64")),
        ("arithmetic", ["int8", "int8"], ("int8", "f64")),
        ("arithmetic", ["int8", "double"], None),
        ("arithmetic", ["int8", "single"], None),
        ("arithmetic", ["int8", "int64"], None),
        ("arithmetic", ["int64", "int64"], None),
        ("common", ["int64", "int64"], ("int64", "i64")),
        ("common", ["int64", NUMBER], ("int64", "i64")),
        ("common", ["logical", "double"], ("double", "f64")),
        ("same", ["int64"], ("int64", "i64")),
        ("same", ["logical"], ("double", "f64")),
        ("compare", ["int64", "int64"], ("logical", "i64")),
        ("compare", ["int64", NUMBER], None),
        ("compare", ["int8", "double"], ("logical", "f64")),
        ("compare", ["single", NUMBER], ("logical", "f32")),
        ("compare", ["single", "double"], ("logical", "f64")),
        # whether a pending scalar is to be rounded to single is not known to the code
        ("compare", ["single", PENDING], None),
        ("compare", ["logical", "logical"], ("logical", "f32")),
        ("logical", ["double", "int8"], ("logical", "bool")),
        ("test", ["single"], ("logical", "f32")),
        ("own", ["int8", NUMBER], ("int8", "")),
        ("int8", ["double"], ("int8", "f64")),
        ("logical", ["double"], ("logical", "bool")),
    ],
)
def test_rules(rule: str, given: list[str | Operand], expected: tuple[str, str] | None) -> None:
    assert outcome(rule, operands(*given)) == expected


def test_text_does_not_fuse() -> None:
    assert outcome("arithmetic", (Operand("char", False, False), NUMBER)) is None


@pytest.mark.parametrize("rule", ["floats", "char", ""])
def test_a_rule_that_is_none_is_refused(rule: str) -> None:
    with pytest.raises(ValueError, match="neither a class rule nor a numeric class"):
        check(rule)


def test_types_stand_for_operands_that_were_allowed() -> None:
    assert of_types(("f32", "f32"), (None, "2")) == (
        Operand("single", False, False),
        Operand("single", True, True),
    )
    # a double beside an integer class is a scalar: nothing else is captured
    assert outcome("arithmetic", of_types(("i8", "f64"), (None, None))) == ("int8", "f64")
