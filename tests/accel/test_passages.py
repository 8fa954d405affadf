"""Runs of statements that are remembered: when, what they leave, and when they are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.values.array import Array, to_numpy
from tests.accel.loops import remembered, session

#: Fresh arrays of 3000 elements, above the threshold of these sessions.
ARRAYS = "A = rand(60,50); B = rand(60,50);"
BODY = "C = A .* B + k;\nD = C - mean(C);\nE = sqrt(D .^ 2 + 1);\n"


def folder_with(folder: Path, **functions: str) -> Path:
    for name, text in functions.items():
        (folder / f"{name}.m").write_text(text)
    return folder


def function(body: str, outputs: str = "E", inputs: str = "A, B, k") -> str:
    return f"function [{outputs}] = f({inputs})\n{body}end\n"


def started(folder: Path, provider: str = "null", **more: str) -> Session:
    made = session(provider, **more)
    made.run(f"addpath('{folder}'); rng(5);")
    return made


def values(made: Session, *names: str) -> list[Any]:
    return [np.array(to_numpy(made.interp.variables[name])) for name in names]


@pytest.mark.parametrize("provider", ["null", "inprocess"])
def test_the_third_run_is_a_look_up(provider: str, tmp_path: Path) -> None:
    folder_with(tmp_path, f=function(BODY))
    found = {}
    for on in ("true", "false"):
        made = started(tmp_path, provider, RUNMAT_ACCEL_PASSAGES=on)
        made.run("".join(f"{ARRAYS} k = 2; E{n} = f(A, B, k);\n" for n in range(6)))
        made.run("s = rng; s = double(s.State);")
        found[on] = values(made, *[f"E{n}" for n in range(6)], "s")
        # the first run finds out that it captures, the second is met, the third written down
        assert remembered(made) == (3 if on == "true" else 0)
    for one, other in zip(found["true"], found["false"], strict=True):
        np.testing.assert_array_equal(one, other)


def test_functions_are_part_of_it(tmp_path: Path) -> None:
    body = "h = @plus;\nC = A .* B;\nE = g(C) - 1;\nE = h(E, 1);\n"
    folder_with(tmp_path, f=function(body, outputs="E, h", inputs="A, B, g"))
    made = started(tmp_path)
    made.run(f"k = 2; for n = 1:6, {ARRAYS} [E, h] = f(A, B, @(x) x + k); disp(E(1)), end")
    assert remembered(made) == 3
    made.run("d = max(max(abs(E - A.*B - 2))) + abs(h(3, 2) - 5);")
    assert made["d"] < 1e-12


def test_no_operation_of_it_is_captured_again(tmp_path: Path) -> None:
    folder_with(tmp_path, f=function(BODY))
    made = started(tmp_path)
    made.run(f"for n = 1:5, {ARRAYS} E = f(A, B, 2); e = E(1); disp(e), end")
    graph = made.interp.seat.engine.graph  # type: ignore[union-attr]
    made.run(ARRAYS)
    appended: list[Any] = []
    append, grow = graph.append, graph.grow
    graph.append = lambda *given, **named: appended.append(given) or append(*given, **named)
    graph.grow = lambda *given, **named: appended.append(given) or grow(*given, **named)
    made.run("E = f(A, B, 2);")
    assert not appended
    made.run("E = A + B; E = any(A);")
    assert len(appended) >= 2


def test_a_script_that_is_run_again(tmp_path: Path) -> None:
    script = f"rng(4);\n{ARRAYS}\nk = 2;\n{BODY}fprintf('%.6f\\n', sum(E(:)));\n"
    (tmp_path / "whole.m").write_text(script)
    made = started(tmp_path)
    texts = {made.capture("whole") for _ in range(6)}
    assert len(texts) == 1
    assert remembered(made) == 3


@pytest.mark.parametrize(
    "default",
    [
        "if ~exist('k', 'var'), k = getenv('K'); end",
        "if nargin < 3 || isempty(k)\n  k = str2double(getenv('K'));\nend",
        "if nargin < 3, k = 1; elseif isempty(k), k = pi; end",
    ],
)
def test_defaults_of_inputs_are_no_part_of_it(default: str, tmp_path: Path) -> None:
    folder_with(tmp_path, f=function(f"{default}\n{BODY}"))
    made = started(tmp_path)
    made.run("".join(f"{ARRAYS} k = 2; E{n} = f(A, B, k);\n" for n in range(6)))
    assert remembered(made) == 3


@pytest.mark.parametrize("generator", ["philox", "twister"])
def test_random_numbers_go_on(generator: str, tmp_path: Path) -> None:
    body = "C = rand(60,50) + A;\nD = randn(60,50,'single') .* C;\nE = D + rand(60,50);\n"
    folder_with(tmp_path, f=function(body))
    found = []
    for on in ("true", "false"):
        made = started(tmp_path, RUNMAT_ACCEL_PASSAGES=on, RUNMAT_LANGUAGE_RNG=generator)
        made.run("A = rand(60,50);" + "".join(f"E{n} = f(A, A, 1);" for n in range(6)))
        made.run("z = rand;")
        found.append(values(made, *[f"E{n}" for n in range(6)], "z"))
        expected = 3 if generator == "philox" else 0
        assert remembered(made) == (expected if on == "true" else 0)
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("provider", ["null", "inprocess"])
def test_a_few_uniform_numbers_are_drawn_again(provider: str, tmp_path: Path) -> None:
    body = "v = rand(50,1);\nw = rand(1,50,'single');\nE = A * v + k;\nE = E .* w;\n"
    folder_with(tmp_path, f=function(body, "E, v, w"))
    found = []
    for on in ("true", "false"):
        made = started(tmp_path, provider, RUNMAT_ACCEL_PASSAGES=on)
        calls = "".join(f"[E{n}, v{n}, w{n}] = f(A, A, 1);" for n in range(9))
        made.run(f"A = rand(60,50);{calls} z = rand(3,1);")
        found.append(values(made, *[f"{name}{n}" for n in range(9) for name in "Evw"], "z"))
        # the stream is in either half of a block of words by turns: of each the first run is met,
        # the second written down, and before them one finds out that there is something to capture
        assert remembered(made) == (4 if on == "true" else 0)
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
    assert (found[0][0] != found[0][3]).all()


def test_an_error_ends_the_writing_down(tmp_path: Path) -> None:
    """Afterwards a few numbers are drawn on the host again."""
    folder_with(tmp_path, f=function("v = rand(50,1);\nC = A * v + k;\nE = B * C;\nE = E + 1;\n"))
    made = started(tmp_path)
    made.run("A = rand(60,50); B = rand(50,60); E = f(A, B, 1); E = f(A, B, 1);")
    made.run("try, E = f(A, A, 1); catch, end")
    seat = made.interp.seat
    assert seat is not None
    made.run("try, E = f(A, A, 1); catch, end, rng(3); v = rand(4,1);")
    made.run("w = rand(4,1);")
    assert seat.writing is None
    assert isinstance(made.interp.variables["w"], Array)


def test_loops_are_part_of_it(tmp_path: Path) -> None:
    body = "Y = A;\nfor t = 1:20\n  x = rand(60,50);\n  Y = 0.9*Y + x*k;\nend\nE = Y - mean(Y);\n"
    folder_with(tmp_path, f=function(body, "E, t, x"))
    found = []
    for on in ("true", "false"):
        made = started(tmp_path, RUNMAT_ACCEL_PASSAGES=on)
        calls = "".join(f"[E{n}, t{n}, x{n}] = f(A, A, 0.1);" for n in range(6))
        made.run("A = rand(60,50);" + calls + "z = rand;")
        engine = made.interp.seat.engine  # type: ignore[union-attr]
        assert engine.loops.captured == 6
        found.append(values(made, *[f"{name}{n}" for n in range(6) for name in "Etx"], "z"))
        assert remembered(made) == (3 if on == "true" else 0)
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


#: Functions that do more than append nodes, or that depend on more than what they read.
NOT_REMEMBERED = {
    "prints": "C = A .* B + k;\ndisp(k)\nE = C - 1;\nE = E * 2;\n",
    "calls what prints": "C = A .* B + said(k);\nE = C - 1 + k;\n",
    "calls what prints and stands below it": "C = A .* B + below(k);\nE = C - 1 + k;\nend\n"
    "function y = below(x)\ndisp(x)\ny = x;\n",
    "looks at an element": "C = A .* B;\nE = C - C(1) * k;\nif C(2) > 0, E = E + 1; end\n",
    "looks at many": "C = A .* B + k;\nn = numel(find(C > 0.5));\nE = C + n;\n",
    "warns": "C = A .* B + k;\nv = inv([1 2; 2 4]);\nE = C - 1;\n",
    "draws on the host": "C = A .* B + rand;\nE = C - 1 + k;\n",
    "draws a few normal numbers": "v = randn(50,1);\nC = A * v + k;\nE = C - 1;\n",
    "has a clock": "C = A .* B + 0 * now;\nE = C - 1 + k;\n",
    "keeps state": "C = A .* B + counted(k);\nE = C - 1 + k;\n",
    "changes a global": "C = A .* B + shared(k);\nE = C - 1 + k;\n",
    "seeds": "r = rng(k);\nC = A .* B + rand(60,50);\nE = C - 1;\n",
    "reads what is kept": "persistent n\nif isempty(n), n = 0; end\nn = n + 1;\nC = A .* B + n;\n"
    "E = C - 1 + k;\n",
    "reads a global": "global G\nC = A .* B + numel(G);\nE = C - 1 + k;\nG(end+1) = k;\n",
    "evaluates": "C = A .* B + k;\nE = C - eval('k') + 1;\n",
}


@pytest.mark.parametrize("what", NOT_REMEMBERED)
def test_what_does_more_is_run(what: str, tmp_path: Path) -> None:
    folder_with(
        tmp_path,
        f=function(NOT_REMEMBERED[what]),
        said="function y = said(x)\nfprintf('%g\\n', x);\ny = x;\nend\n",
        counted="function y = counted(x)\npersistent n\nif isempty(n), n = 0; end\nn = n + 1;\n"
        "y = x + n;\nend\n",
        shared="function y = shared(x)\nglobal G\nG = [G x];\ny = numel(G);\nend\n",
    )
    found = []
    for on in ("true", "false"):
        made = started(tmp_path, RUNMAT_ACCEL_PASSAGES=on)
        made.run(f"rng(7); global G; G = [];{ARRAYS} warning('off', 'all');")
        shown = made.capture(
            "".join(f"E{n} = f(A, B, 3); lastwarn\nlastwarn('');" for n in range(6))
        )
        made.run("H = G;")
        found.append((shown, values(made, *[f"E{n}" for n in range(6)], "H")))
        assert remembered(made) == 0
    assert found[0][0] == found[1][0]
    for one, other in zip(found[0][1], found[1][1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


CHANGES = {
    "a scalar": ("k = {n};", "f(A, B, k)"),
    "a class": ("if {n} > 3, A = single(A); end", "f(A, B, 2)"),
    "a size": ("if {n} > 3, A = A(:,1:40); B = B(:,1:40); end", "f(A, B, 2)"),
    "signs": ("if {n} > 3, B = B - 1.5; end", "f(A .* B, B, 0)"),
    "views": ("if {n} > 3, A = A(:,end:-1:1); end", "f(A, B, 2)"),
    "the same array twice": ("if {n} > 3, B = A; end", "f(A, B, 2)"),
    "complex": ("if {n} > 3, A = A + 1i*B; end", "f(A, B, 2)"),
    "what is on the host": (
        "if {n} > 3, A = cellfun(@(x) x, {{A}}, 'UniformOutput', false); A = A{{1}}; end",
        "f(A, B, 2)",
    ),
    "negative zeros": ("k = 0; if {n} > 3, k = -k; end", "f(A, B, 1 / k)"),
    "a text": ("w = 'sum'; if {n} > 3, w = 'max'; end", "f(A, w, 2)"),
    "a function": ("w = @(x) x + k; if {n} > 3, w = @(x) x - k; end", "f(A, w, 2)"),
    "what a function captured": ("k = min({n}, 5); w = @(x) x + k;", "f(A, w, 2)"),
    "an array that a function captured": ("k = [k(1) {n}]; w = @(x) x + sum(k);", "f(A, w, 2)"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changes_is_seen(what: str, tmp_path: Path) -> None:
    body = BODY.replace("sqrt(D .^ 2 + 1)", "sqrt(D + C)")
    if what == "a text":
        body = "C = A .* k;\nif B(1) == 's', C = C + 1; else, C = C - 1; end\nE = C .* A;\n"
    if "function" in what:
        body = "C = A .* k;\ng = @(x) B(x) + k;\nE = g(C) .* A;\n"
    folder_with(tmp_path, f=function(body))
    change, call = CHANGES[what]
    found = []
    for on in ("true", "false"):
        made = started(tmp_path, RUNMAT_ACCEL_PASSAGES=on)
        lines = [f"{ARRAYS}{change.format(n=n)} E{n} = {call};" for n in range(8)]
        made.run("k = 1;" + "\n".join(lines))
        found.append(values(made, *[f"E{n}" for n in range(8)]))
    for one, other in zip(*found, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-12, equal_nan=True)


def test_places_that_leave_the_array_after_scalars_changed(tmp_path: Path) -> None:
    # whether a place is in the array follows from a number that the given array was made with
    body = "C = A(P);\nD = C .* 2 + k;\nE = D - mean(D);\n"
    folder_with(tmp_path, f=function(body, inputs="A, P, k"))
    made = started(tmp_path)
    setup = "A = rand(60,50); U = rand(60,50);"
    made.run(setup + "".join("P = floor(U * 2999) + 1; E = f(A, P, 1);" for _ in range(5)))
    with pytest.raises(Exception, match=r"exceeds|out of bound") as problem:
        made.run("P = floor(U * 9000) + 1; E = f(A, P, 1); E(1)")
    assert problem.value.identifier == "MATLAB:badsubscript"  # type: ignore[attr-defined]


def test_a_function_that_is_written_anew(tmp_path: Path) -> None:
    folder_with(
        tmp_path, f=function(BODY.replace("+ k", "+ g(k)")), g="function y = g(x)\ny = x;\nend\n"
    )
    made = started(tmp_path)
    made.run(ARRAYS + "E = f(A, B, 2);" * 5)
    before = remembered(made)
    assert before == 2
    path = tmp_path / "g.m"
    path.write_text("function y = g(x)\ny = x + 1000;\nend\n% longer\n")
    made.run("E1 = f(A, B, 2); C = A .* B + 1002; D = C - mean(C); E2 = sqrt(D.^2 + 1);")
    one, other = values(made, "E1", "E2")
    np.testing.assert_array_equal(one, other)


def test_operations_are_where_they_are_written(tmp_path: Path) -> None:
    folder_with(tmp_path, f=function(BODY))
    made = started(tmp_path)
    records: list[Any] = []
    made.run(ARRAYS + "E = f(A, B, 2);" * 3)
    made.interp.seat.engine.listeners.append(records.append)  # type: ignore[union-attr]
    made.run("E = f(A, B, 2); e = E(1); disp(e)")
    assert remembered(made) == 1
    lines = {note.name: note.line[1] for record in records for note in record.nodes}
    assert (lines["times"], lines["mean"], lines["sqrt"]) == (2, 3, 4)


def test_variables_that_a_loop_without_trips_leaves(tmp_path: Path) -> None:
    body = "E = A .* B;\nfor t = 1:k\n  C = E + t;\n  E = C * 0.5;\nend\nE = E + 1;\n"
    script = body
    (tmp_path / "whole.m").write_text(script)
    made = started(tmp_path)
    for k in (3, 3, 3, 3, 0, 0, 0, 0, 3):
        made.run(f"{ARRAYS} k = {k}; C = 7; t = -1; whole; expected = A .* B;")
        made.run("for s = 1:k, expected = (expected + s) * 0.5; end, expected = expected + 1;")
        one, other, last = values(made, "E", "expected", "C")
        np.testing.assert_allclose(one, other, rtol=1e-14)
        assert (last.size == 1) == (k == 0)


def test_a_passage_whose_scalars_differ_is_given_up(tmp_path: Path) -> None:
    folder_with(tmp_path, f=function(BODY))
    made = started(tmp_path)
    made.run(ARRAYS + "for n = 1:40, E = f(A, B, n); e = E(1); disp(e), end")
    assert remembered(made) == 0


def test_how_many_outputs_are_asked_for(tmp_path: Path) -> None:
    body = "C = A .* B + k;\nD = C * 2;\nif nargout > 1, D = D + 1000; end\nE = D + nargin;\n"
    folder_with(tmp_path, f=function(body, "E, D"))
    made = started(tmp_path)
    made.run(ARRAYS + "E = f(A, B, 2);" * 4 + "[F, D] = f(A, B, 2); G = F - E;")
    np.testing.assert_allclose(values(made, "G")[0], 1000.0, rtol=1e-12)


def test_a_loop_over_parts_of_an_array(tmp_path: Path) -> None:
    body = "C = A .* B;\nw = [0 0];\nfor w(2) = 1:k\n  C = C + w(2);\nend\nE = C * 2;\n"
    folder_with(tmp_path, f=function(body))
    made = started(tmp_path)
    made.run(ARRAYS + "E = f(A, B, 3);" * 5 + "G = E - 2 * (A .* B + 6);")
    np.testing.assert_allclose(values(made, "G")[0], 0.0, atol=1e-12)


def test_arrays_that_the_program_put_on_the_device_end_it(tmp_path: Path) -> None:
    folder_with(tmp_path, f=function(BODY))
    made = started(tmp_path)
    made.run(ARRAYS + "A = gpuArray(A);" + "E = f(A, B, 2);" * 5 + "g = isgpuarray(E);")
    assert remembered(made) == 0
    assert made["g"] is True


def test_other_providers_begin_anew(tmp_path: Path) -> None:
    folder_with(tmp_path, f=function(BODY))
    made = started(tmp_path)
    made.run(ARRAYS + "E = f(A, B, 2);" * 5)
    count = remembered(made)
    made.provider("inprocess")
    made.run("E1 = f(A, B, 2); C = A .* B + 2; D = C - mean(C); E2 = sqrt(D.^2 + 1);")
    assert remembered(made) == count
    one, other = values(made, "E1", "E2")
    np.testing.assert_allclose(one, other, rtol=1e-14)


def test_values_are_their_own(tmp_path: Path) -> None:
    # what is remembered is handed out again and again: nobody may write to it
    body = "E = A .* B;\nC = [1 2 3] * k;\nw = ['ab' 'c'];\nE = E + C(2);\n"
    folder_with(tmp_path, f=function(body, "E, C, w"))
    made = started(tmp_path)
    made.run(ARRAYS + "[E, C, w] = f(A, B, 2); D = C; C(1) = 99; w(1) = 'z';" * 6)
    assert remembered(made) == 3
    made.run("[E, C, w] = f(A, B, 2);")
    assert list(values(made, "C")[0].ravel()) == [2.0, 4.0, 6.0]
    assert made["w"] == "abc"
