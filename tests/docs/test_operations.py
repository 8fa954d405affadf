"""The page of kernel operations says what the code has, and its NumPy forms are right."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from runmat_docs import operations
from runmat_provider_tests.conformance import test_ops as kit
from runmat_provider_tests.oracle import ORACLE
from scipy import special

from runmat_core.api import ir
from runmat_core.api.ir import COMPLEX_OPS, FLOATS, INTEGERS, OPS, reducers
from runmat_core.api.ir.meanings import MEANINGS

TYPES = {
    "floats": FLOATS,
    "integers": INTEGERS,
    "reals": FLOATS | INTEGERS,
    "reals and bool": FLOATS | INTEGERS | {"bool"},
    "bool": {"bool"},
}


def test_the_page_is_what_the_code_gives() -> None:
    assert operations.PAGE.read_text() == operations.text(), "python -m runmat_docs.operations"


def test_every_operation_has_a_meaning_and_types_that_are_tested() -> None:
    assert MEANINGS.keys() == OPS.keys()
    for op in OPS.keys() - kit.ELSEWHERE:
        assert set(kit.types_of(op)) <= TYPES[MEANINGS[op].types], op
    assert {op for op in OPS if MEANINGS[op].types == "complex types"} <= COMPLEX_OPS


@pytest.mark.parametrize("op", sorted(OPS.keys() - kit.ELSEWHERE))
def test_numpy_forms_are_what_the_kit_expects(op: str) -> None:
    for dtype in {"f64", "i32", "u8", "bool"} & set(kit.types_of(op)):
        arrays = kit.operands(op, dtype)
        names: dict[str, Any] = dict(zip("xy", arrays, strict=False))
        with np.errstate(all="ignore"):
            expected = np.asarray(ORACLE[op](*arrays))
            got = np.asarray(eval(MEANINGS[op].numpy, {"np": np, "special": special}, names))
        plain = np.ones(len(arrays[0]), bool)
        if op in ("mod", "rem"):
            # what the page says in words: by zero, of and by infinities, and up to round-off
            x, y = arrays
            plain = (y != 0) & np.isfinite(x) & np.isfinite(y) & (np.rint(y) == y)
        np.testing.assert_allclose(got[plain], expected[plain], rtol=1e-12, err_msg=f"{op} {dtype}")


def test_all_names_of_ir_are_listed() -> None:
    assert dir(ir) == sorted(ir.__all__)
    assert all(hasattr(ir, name) for name in dir(ir))


def test_every_standard_reducer_is_listed_by_its_name() -> None:
    types = {"floats": "f32", "reals": "i8", "complex": "c64"}
    made, functions = set(), set()
    for function, elements, _ in reducers.STANDARD.values():
        make: Any = getattr(reducers, function)
        functions.add(function)
        for kind in elements.split(", "):
            dtype = [types.get(kind, kind)] if function not in ("any_", "all_") else []
            ways = product((False, True), repeat=2) if function.startswith("extremum") else [()]
            made |= {make(*dtype, *way).name for way in ways}
    assert made == reducers.STANDARD.keys()
    every = {name for name, value in vars(reducers).items() if hasattr(value, "cache_info")}
    assert every - functions == {"running_sum"}
