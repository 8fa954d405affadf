"""Every builtin that is accelerated gives on each provider what its host rule gives.

The cases are made from the registry: calls with one to three arguments of a class, and with a
dimension. What is an error without a provider is the same error with one.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import attrs
import numpy as np
import pytest

from runmat_core.accel.ops.elementwise import as_spec
from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map, Reduction, Scan
from runmat_core.builtins import catalog, registry
from runmat_core.session import Session, config

PROVIDERS = {"inprocess": "host", "wgpu": "device"}
CLASSES = "double single int32 uint8 logical".split()

#: First operands: numbers of both signs with a zero, ties of `round`, NaN and infinity, and columns
#: without the last ones, so that sums are finite; a row from one on, where all functions are real.
MATRIX = "[-2.5 0 1.5 NaN; 0.25 -7 40 3; 1 2 -0.5 Inf; 12 0.75 -1 -3]"
ROW = "[1 1.5 2 3.25]"
#: What meets them element by element.
OTHER = "[2 3 -1.5 1; 0.5 2 4 NaN; 1 -2 3 2; 7 0 1 5]"
#: What library calls take: symmetric and definite.
SQUARE = "[9 1 0.5 2; 1 8 1 0.25; 0.5 1 7 1; 2 0.25 1 6]"
CALLS = [
    *((matrix, form) for matrix in (MATRIX, SQUARE) for form in ("(x)", "(x, 2)", "(x, y)")),
    (MATRIX, "(x, y, y)"),
    *((ROW, form) for form in ("(x)", "(x, x)")),
    # some library calls are worth it only where the operand is put off, too
    (SQUARE, "(x + 0)"),
    # others take two operands, and no NaN
    (SQUARE, "(x, x + 1)"),
    # coefficients come before what is filtered
    (SQUARE, "([1 0.5], 1, x + 0)"),
]

#: Steps of the last place that elementwise functions may differ by; for what adds up elements, of
#: the largest result.
ULPS = 32.0


def accelerated() -> list[str]:
    """Builtins of the core whose marks say that they are computed elsewhere from their operands."""
    return [e.name for e in catalog.core() if e.acceleration not in ("host", "generator")]


def spec_of(name: str) -> BuiltinSpec:
    spec = registry.find(name)
    assert spec is not None
    return spec


def kind_of(name: str) -> Any:
    fusion = spec_of(name).fusion
    return None if fusion is None else as_spec(fusion)


@cache
def session(provider: str) -> Session:
    """A session that puts off all that it can and has it computed by the provider, or by none."""
    settings = config.load().replace(
        accel__provider=provider,
        accel__fallback="none",
        accel__threshold=1,
        accel__offload__calibrate="never",
        accel__offload__force=PROVIDERS.get(provider, "rules"),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = Session(config=settings)
    made.run("warning off all")
    return made


@pytest.fixture(params=sorted(PROVIDERS))
def provider(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name == "wgpu":
        from tests.providers.wgpu.machine import adapter_device

        adapter_device()
    return name


@attrs.frozen
class Outcome:
    """A class and elements, or the identifier of an error; whether a provider had a part in it."""

    cls: str
    data: Any
    elsewhere: bool


def outcome(where: str, name: str, matrix: str, form: str, cls: str) -> Outcome:
    """What a call gives in a session with a provider, or with ``none``."""
    s = session(where)
    for variable, source in (("x", matrix), ("y", OTHER)):
        source = source.replace("NaN", "1") if cls == "logical" else source
        s.run(f"{variable} = {cls}({source});")
        assert s[variable] is not None  # computed, not part of the call
    telemetry = s.telemetry
    assert telemetry is not None or where == "none"
    if telemetry is not None:
        telemetry.clear()
    try:
        s.run(f"r = {name}{form};")
        data = np.asarray(s["r"])
    except MatlabError as error:
        return Outcome(error.identifier, None, False)
    steps = [step for run in telemetry.runs for step in run.steps] if telemetry else []
    kinds = ("kernel", "call") if spec_of(name).gpu is None else ("call",)
    computed = any(step.kind in kinds for step in steps)
    return Outcome(str(s.eval("class(r)")), data, computed)


def assert_alike(got: Outcome, want: Outcome, name: str) -> None:
    assert got.cls == want.cls
    if want.data is None:
        assert got.data is None
        return
    assert got.data.shape == want.data.shape
    assert got.data.dtype == want.data.dtype
    if want.data.dtype.kind not in "fc":
        assert np.array_equal(got.data, want.data)
        return
    kind = want.data.real.dtype
    limit = ULPS * np.finfo(kind).eps
    finite = np.abs(want.data[np.isfinite(want.data)])
    largest = float(finite.max()) if finite.size and not isinstance(kind_of(name), Map) else 0.0
    np.testing.assert_allclose(
        got.data,
        want.data,
        rtol=limit,
        atol=max(limit * largest, 2 * float(np.finfo(kind).tiny)),
        equal_nan=True,
    )


@pytest.mark.sweep
@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("name", accelerated())
def test_providers_give_what_host_rules_give(name: str, cls: str, provider: str) -> None:
    elsewhere = 0
    for matrix, form in CALLS:
        want = outcome("none", name, matrix, form, cls)
        got = outcome(provider, name, matrix, form, cls)
        assert_alike(got, want, name)
        elsewhere += got.elsewhere
    kind, call = kind_of(name), spec_of(name).gpu
    free = isinstance(kind, Map) and kind.refuses is None and kind.accepts is None
    offered = call is not None and session(provider).interp.seat.engine.places.offers(call.name)
    if cls == "double" and (free or offered or isinstance(kind, Reduction | Scan)):
        assert elsewhere, f"no call was computed by {provider}"
