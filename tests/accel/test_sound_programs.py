"""What whole programs may rely on, whatever is captured, bounded, divided or run where."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runmat_core import MatlabError, Session
from runmat_core.accel.graph.node import Node
from runmat_core.session import config
from tests.accel.everywhere import session
from tests.accel.machine import call, null, read, recorder
from tests.accel.test_cases import PARAMETERS, run
from tests.accel.test_cases import session as of_case

# -- complex results -------------------------------------------------------------------------------

#: The last element of the last array leaves the reals; nobody has looked at it.
PENDING = "x = linspace(1, -1e-3, 4000)'; z = sqrt(x + 0);"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("disp(isreal(z))", "0"),
        ("disp(isreal(z * 2))", "0"),
        ("w = whos('z'); disp(w.complex)", "1"),
        ("disp(any(imag(z) ~= 0))", "1"),
        ("save('kept.mat', 'z'); s = load('kept.mat'); disp(isreal(s.z))", "0"),
        ("disp(isreal(sort(z)))", "0"),
        ("c = {z}; disp(isreal(c{1}))", "0"),
    ],
)
@pytest.mark.parametrize("provider", ["inprocess", "null"])
def test_who_asks_whether_it_is_complex_is_told_of_pending_guards(
    provider: str, code: str, shown: str, tmp_path: Path
) -> None:
    with session(provider) as made:
        made.run(f"cd('{tmp_path}'); {PENDING}")
        assert made.capture(code).split() == [shown]


@pytest.mark.parametrize("cls", ["single", "double"])
@pytest.mark.parametrize("case", PARAMETERS)
def test_facts_prove_the_benchmark_cases_real(
    case: str, cls: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    guarded: list[str] = []
    made = Node.__init__

    def watching(node: Node, *args: Any, **named: Any) -> None:
        made(node, *args, **named)
        if node.guarded and node.op.kind == "map":
            guarded.append(node.op.name)

    monkeypatch.setattr(Node, "__init__", watching)
    with of_case("inprocess") as there:
        run(there, case, cls)
    assert guarded == []


# -- bounds, loops and places change nothing that can be seen -------------------------------------

WAYS = {
    "by host rules": {"RUNMAT_ACCEL_PROVIDER": "none"},
    "one node at a time": {"RUNMAT_ACCEL_MAX_NODES": "1"},
    "few nodes": {"RUNMAT_ACCEL_MAX_NODES": "3"},
    "all at once": {"RUNMAT_ACCEL_MAX_NODES": "100000"},
    "one byte": {"RUNMAT_ACCEL_MAX_BYTES": "1"},
    "loops as they stand": {"RUNMAT_ACCEL_LOOPS": "false"},
    "on a device": {"RUNMAT_ACCEL_PROVIDER": "null", "RUNMAT_ACCEL_OFFLOAD_FORCE": "device"},
}
MOVES = [
    "x = rand(40, 30); y = randn(40, 30);",
    "for k = 1:6\n x = 0.5 * x + 0.1 * k * rand(40, 30);\nend",
    "unused = rand(50);",
    "y = (x - mean(x)) ./ std(x);",
    "for k = 1:4\n y(:, k) = sin(y(:, k)) + k;\nend",
    "m = y(y > 0); n = randi(9, 1, 3);",
    "z = sqrt(y - 1); t = real(z) .* 2;",
    "q = cumsum(x .* y, 2) * rand(30, 5);",
]
SINKS = ["disp(size(x));", "s = x(3);", "e = toc(tic) >= 0;", "t = sum(y(:)) > 0;"]
ENDS = {
    "": "",
    "MATLAB:sizeDimensionsMustMatch": "w = x + ones(7, 2);",
    "MATLAB:badsubscript": "w = x(41, 1);",
    "MATLAB:posdef": "w = chol(-(x' * x));",
    "MATLAB:nologicalnan": "v = x; v(40, 30) = NaN; w = v & true;",
}


def outcome(way: dict[str, str], code: str, path: Path) -> tuple[Any, ...]:
    """Variables, the place in the stream and the error with its line."""
    environment = {
        "RUNMAT_ACCEL_PROVIDER": "inprocess",
        "RUNMAT_ACCEL_THRESHOLD": "100",
        "RUNMAT_ACCEL_OFFLOAD_CALIBRATE": "never",
        **way,
    }
    path.write_text(code)
    with Session(
        config=config.load(path.parent, environment | {"RUNMAT_ACCEL_PLAN_FILES": "0"})
    ) as made:
        problem = None
        try:
            made.run_file(path)
        except MatlabError as raised:
            problem = raised.identifier, [(frame.name, frame.line) for frame in raised.stack]
        made.run("place = rng; place = double(place.State(:)'); later = rand(1, 4);")
        values = {name: made[name] for name in made.workspace if not name.startswith("place")}
        return values, made["place"], problem


@pytest.mark.sweep(8)
@pytest.mark.parametrize("identifier", ENDS)
@pytest.mark.parametrize("seed", range(4))
def test_values_stream_and_errors_are_the_same_whatever_is_put_off(
    seed: int, identifier: str, tmp_path: Path
) -> None:
    rng = np.random.default_rng(seed)
    lines = [f"rng({seed});", MOVES[0]]
    for move in rng.permutation(MOVES[1:]):
        lines += [str(move), *rng.choice(SINKS, rng.integers(0, 2)).tolist()]
    code = "\n".join([*lines, ENDS[identifier], ""])
    wanted, place, problem = outcome(WAYS["by host rules"], code, tmp_path / "moves.m")
    assert (problem or ("",))[0] == identifier
    for name, way in WAYS.items():
        found, there, raised = outcome(way, code, tmp_path / "moves.m")
        assert raised == problem, name
        assert np.array_equal(there, place), name
        assert found.keys() == wanted.keys(), name
        for variable, value in wanted.items():
            one, other = np.asarray(found[variable]), np.asarray(value)
            assert (one.dtype, one.shape) == (other.dtype, other.shape), (name, variable)
            assert np.allclose(one, other, 1e-9, 1e-12, equal_nan=True), (name, variable)


@pytest.mark.parametrize("provider", ["none", "inprocess", "null"])
def test_the_stack_of_a_call_that_guards_has_its_callers(provider: str, tmp_path: Path) -> None:
    code = """A = rand(20);
    outer(A);
    function r = outer(A)
      r = inner(A);
    end
    function r = inner(A)
      r = chol(-(A' * A));
      r = r + 1;
    end
    """
    path = tmp_path / "steps.m"
    path.write_text(code)
    with session(provider) as made, pytest.raises(MatlabError) as raised:
        made.run_file(path)
    frames = [(frame.name, frame.line) for frame in raised.value.stack]
    assert frames == [("inner", 7), ("outer", 4), ("steps", 2)]


# -- what providers are asked ----------------------------------------------------------------------


def test_what_is_compiled_and_run_can_be_sent_to_another_process() -> None:
    engine = null()
    x = np.asfortranarray(np.random.default_rng(0).random((50, 40)))
    centred = call(engine, "minus", x, call(engine, "mean", x, axes=(0,)))
    read(call(engine, "sqrt", call(engine, "times", centred, centred)))
    asked = [request for name, request in recorder(engine).requests if name == "compile"]
    assert asked
    for request in asked:
        again = pickle.loads(pickle.dumps(request))
        assert again.units == request.units
        assert repr(again) == repr(request)
