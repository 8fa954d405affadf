"""Providers of tables whose functions fail, or give what they must not: host rules compute it."""

from __future__ import annotations

import pytest

from runmat_core.api.array_provider import ArrayProvider
from runmat_core.session import Session, config
from tests.accel.provider_packages import Maker

PROGRAM = """
rng(3); x = rand(60, 50); y = exp(x) .* 2 + 1; s = sum(y(:)); z = rand(60) * x; w = sort(x, 1);
fprintf('%.10g %.10g %.10g %.10g\\n', s, y(7), z(8), w(9));
"""
SOURCE = """
import sys
import numpy as np
from runmat_core.api.array_provider import ArrayProvider

def sort(call, extents, x):
    return (np.sort(x, axis=0),)

def matmul(call, extents, a, b):
    return (np.matmul(a, b),)

def total(x, axes):
    return x.sum(axis=axes, keepdims=True)

exp = np.exp
{edit}

class Made(ArrayProvider):
    title = "tables"
    kind = "device"
    ops = {{"add": np.add, "mul": np.multiply, "exp": lambda x: exp(x)}}
    reducers = {{"sum": lambda x, axes: total(x, axes)}}
    calls = {{
        "sort": lambda *given: sort(*given),
        "matmul": lambda *given: matmul(*given),
    }}
"""
#: What a function does, or gives, in place of an array.
WRONG = {
    "raises": "raise RuntimeError('CUDA error: an illegal memory access')",
    "lacks memory": "raise MemoryError('no room')",
    "exits": "sys.exit(3)",
    "nothing": "return None",
    "text": "return 'x'",
    "fewer elements": "return np.zeros((3, 2))",
    "objects": "return np.array([[object()]])",
}
FUNCTIONS = {"exp": "x", "total": "x, axes", "sort": "call, extents, x", "matmul": "call, n, a, b"}


def printed(provider: str) -> str:
    settings = config.load().replace(
        accel__provider=provider,
        accel__fallback="none",
        accel__threshold=1,
        accel__offload__force="device",
    )
    with Session(config=settings) as session:
        return session.capture(PROGRAM)


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_host_rules_take_over(provider_package: Maker, function: str, wrong: str) -> None:
    edit = f"def {function}({FUNCTIONS[function]}):\n    {WRONG[wrong]}\n"
    provider_package("tabled", source=SOURCE.format(edit=edit))
    expected = printed("none")
    found = printed("tabled")
    assert found.splitlines()[-1] == expected.splitlines()[-1]
    assert "Traceback" not in found
    assert found.count("Warning: ") == 1, found
    assert "tabled" in found


@pytest.mark.parametrize(
    ("table", "name", "near"),
    [
        ("ops", "sqqrt", "sqrt"),
        ("reducers", "summ", "sum"),
        ("scans", "prd", "prod"),
        ("calls", "sorrt", "sort"),
        ("matrices", "sdv", "svd"),
    ],
)
def test_a_misspelt_name_of_a_table_is_refused(table: str, name: str, near: str) -> None:
    with pytest.raises(TypeError, match=f"{table} has an unknown name: '{name}'.*'{near}'"):
        type("Wrong", (ArrayProvider,), {table: {name: len}})
