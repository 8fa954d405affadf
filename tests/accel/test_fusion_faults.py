"""Fusion specs that cannot be used: one warning that names the culprit, and the host rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.accel import context
from runmat_core.accel.ops.elementwise import TRACE, map_op, traced
from runmat_core.api import ir
from runmat_core.api.builtin import BuiltinSpec, builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map, Reduction, Scan
from runmat_core.builtins import fusing
from runmat_core.values import from_numpy
from runmat_core.values.notices import warnings_to
from tests.accel.referee import Referee


def branches(x: Any) -> Any:
    return x if x > 0 else -x


def gives_text(x: Any) -> Any:
    return "x"


def fails(x: Any) -> Any:
    return x + {}["missing"]


def sums_text(x: Any) -> Any:
    return "total"


def spec_named(name: str, fusion: Any) -> BuiltinSpec:
    @builtin(name, family="tests", fusion=fusion)
    def host(x: Any) -> Any:
        return x

    spec: BuiltinSpec = host.__runmat_builtin__  # type: ignore[attr-defined]
    return spec


def captured(spec: BuiltinSpec) -> tuple[list[Any], list[tuple[str, str]]]:
    """What two calls give, and what they warn of."""
    referee = Referee()
    warnings: list[tuple[str, str]] = []
    x = from_numpy(np.ones((2, 3)))
    with warnings_to(lambda *warning: warnings.append(warning)), context.running(referee.seat):
        results = [fusing.capture(spec, (x,), 1) for _ in range(2)]
    return results, warnings


@pytest.mark.parametrize(
    ("name", "fusion", "part"),
    [
        ("branching", branches, "truth value"),
        ("texting", gives_text, "returns values"),
        ("failing", fails, "KeyError"),
        ("text_sum", Reduction(sums_text), "returns values"),
        ("text_scan", Scan(lambda x, reverse: "x"), "returns values"),
        ("odd_rule", Map(lambda x: x, "floats"), "neither a class rule"),
        ("no_function", Map(np.sin), "cannot"),
    ],
)
def test_a_spec_that_does_not_trace_is_warned_of_once(name: str, fusion: Any, part: str) -> None:
    results, warnings = captured(spec_named(name, fusion))
    assert results == [NotImplemented, NotImplemented]
    ((identifier, message),) = warnings
    assert identifier == TRACE
    assert name in message
    assert __name__ in message or fusion.__class__ is Map
    assert part in message
    assert message.endswith("The host rule is used.")


def test_the_error_itself_names_builtin_and_module() -> None:
    with pytest.raises(MatlabError) as caught:
        traced("branching", branches, branches, ("f32",))
    assert caught.value.identifier == "RunMat:fusion:trace"
    assert f"'branching' in {__name__}" in caught.value.message
    assert "f32" in caught.value.message


def test_a_function_that_declines_a_type_has_no_code_for_it() -> None:
    op = map_op("halves", Map(lambda x: x / 2 if x.dtype == "f64" else NotImplemented), lambda x: x)
    assert op.fragment is not None
    assert op.fragment(("f64",), (None,), ()) is not None
    assert op.fragment(("f32",), (None,), ()) is None


def test_one_spec_makes_one_operation() -> None:
    spec = Map(lambda x: ir.exp(x))
    host: Callable[..., Any] = np.exp
    assert map_op("grow", spec, host) is map_op("grow", spec, host)


def test_a_plain_function_is_an_elementwise_spec() -> None:
    results, warnings = captured(spec_named("sigmoid", lambda x: 1.0 / (1.0 + ir.exp(-x))))
    assert not warnings
    assert np.allclose(results[0].data, 1 / (1 + np.exp(-1.0)))


def test_an_unknown_argument_count_is_for_the_host_rule() -> None:
    referee = Referee()
    spec = spec_named("doubling", lambda x: x + x)
    x = from_numpy(np.ones((2, 3)))
    with context.running(referee.seat):
        assert fusing.capture(spec, (x, 1.0), 1) is NotImplemented
        assert fusing.capture(spec, (x,), 2) is NotImplemented
        assert fusing.capture(spec, (x,), 1) is not NotImplemented
