"""The ordinary programs print what they should, and the runner notices when they do not."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.programs import __main__ as command
from benchmarks.programs import measure, tables
from benchmarks.programs.__main__ import chosen
from benchmarks.programs.cases import Program, WrongResultError, program, programs, write
from benchmarks.programs.measure import least
from runmat_core.session import Session

PROGRAMS = programs()


@pytest.mark.sweep(20)
@pytest.mark.parametrize("each", [pytest.param(each, id=each.name) for each in PROGRAMS])
def test_results_at_the_small_size(
    each: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed: list[str] = []
    with Session(stdout=printed.append) as session:
        session.run_file(write(each.at(each.small), each.name, tmp_path))
    each.check("".join(printed), each.small)


def test_octave_gets_functions_before_statements() -> None:
    text = "n = 2;\n% Doubles.\nfprintf('%d', twice(n))\n\nfunction y = twice(x)\n  y = 2*x;\nend\n"
    lines = Program("p", "looked_at", text, {"n = 2": "4"}).for_octave().splitlines()
    assert lines.index("function y = twice(x)") < lines.index("fprintf('%d', twice(n))")


@pytest.mark.parametrize(
    ("printed", "right"),
    [
        ("7 0.1250001 ok\n", True),
        ("7 0.12501 ok\n", False),
        ("8 0.125 ok\n", False),
        ("7 0.125 bad\n", False),
        ("7 0.125\n", False),
        ("7 0.125 ok ok\n", False),
        ("", False),
        ("7 NaN ok", False),
    ],
)
def test_a_wrong_result_fails(printed: str, right: bool) -> None:
    case = Program("p", "looked_at", "", {"n = 2": "7 0.125 ok"})
    row = least({"warm": lambda: printed}, 2, case.check)
    assert ("warm_s" in row) == right
    assert list(row["failures"]) == ([] if right else ["warm"])
    if not right:
        with pytest.raises(WrongResultError, match="p printed"):
            case.check(printed)


def test_a_result_that_is_wrong_once_has_no_time() -> None:
    case = Program("p", "looked_at", "", {"n = 2": "7"})
    answers = iter("767")
    row = least({"warm": lambda: next(answers)}, 3, case.check)
    assert "warm_s" not in row
    assert "printed '6', not '7'" in row["failures"]["warm"]


def test_times_that_differ_are_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(measure.time, "perf_counter", lambda: clock[0])

    def lasting(seconds: list[float]) -> Callable[[], str]:
        left = iter(seconds)

        def run() -> str:
            clock[0] += next(left)
            return "7"

        return run

    case = Program("p", "looked_at", "", {"n = 2": "7"})
    runs = {"warm": lasting([1.5, 1.2, 1.0, 1.01]), "none": lasting([1.0, 1.0, 1.0, 1.0])}
    row = least(runs, 2, case.check)
    assert (row["warm_s"], row["none_s"]) == (1.0, 1.0)
    never = lasting([2.0 / (k + 1) for k in range(2 * measure.MOST_ROUNDS)])
    assert least({"warm": never}, 2, case.check)["warm_s"] == pytest.approx(0.25)


def test_a_program_must_say_what_it_prints(tmp_path: Path) -> None:
    path = tmp_path / "p.m"
    path.write_text("n = 2;\n% Says nothing.\n")
    with pytest.raises(ValueError, match=r"p\.m must start"):
        program(path)


def test_names_that_there_are_not() -> None:
    with pytest.raises(SystemExit, match="no program nonsense"):
        chosen(["nonsense"])


def test_the_command_fails_where_a_program_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "n = 3;\n% Doubles.\nfprintf('%d\\n', twice(n))\nfunction y = twice(x)\n  y = 2*x;\nend\n"
    )
    right = Program("right", "looked_at", text, {"n = 3": "6"})
    wrong = Program("wrong", "held_out", text, {"n = 3": "7"})
    monkeypatch.setattr(command, "programs", lambda: [right, wrong])
    monkeypatch.setattr(measure, "starts", lambda rounds: {"failures": {}})
    assert command.main(["--runs", "1", "--no-octave", "--only", "right"]) == 0
    assert "failed" not in capsys.readouterr().out
    assert command.main(["--runs", "1", "--no-octave", "--only", "wrong"]) == 1
    printed = capsys.readouterr().out
    for name in ("cold", "warm", "none"):
        assert f"wrong: {name} failed: wrong printed '6', not '7'" in printed


@pytest.mark.parametrize("arguments", [["--table"], ["--save", "--only", "life"]])
def test_what_cannot_be_kept_or_shown(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "RECORD", tmp_path / "programs.json")
    with pytest.raises(SystemExit) as ended:
        command.main(arguments)
    assert ended.value.code == 2


def test_the_record_is_kept_and_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "RECORD", tmp_path / "programs.json")
    monkeypatch.setattr(command, "PLOT", tmp_path / "programs.png")
    command.keep(RECORD)
    assert command.main(["--table"]) == 0
    assert capsys.readouterr().out.splitlines() == list(tables.markdown(RECORD))


def test_the_figure_shows_every_program(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from benchmarks.programs import plot

    assert plot.write(RECORD, tmp_path / "programs.png").stat().st_size > 0


def row(name: str, half: str, octave: float | None, cold: float, warm: float, none: float) -> Any:
    times = {"octave_s": octave, "cold_s": cold, "warm_s": warm, "none_s": none}
    known = {key: value for key, value in times.items() if value is not None}
    return {"program": name, "half": half, "size": "n = 1", "failures": {}, **known}


RECORD: dict[str, Any] = {
    "start": {"failures": {}, "import numpy_s": 0.1, "import numpy_user_s": 0.1, "disp(1)_s": 0.15},
    "rows": [
        row("quick", "looked_at", 1.0, 0.5, 0.25, 0.25),
        row("slow", "held_out", 0.5, 2.0, 1.25, 1.0),
        row("alone", "held_out", None, 1.0, 1.0, 1.0),
    ],
}


def test_the_table_marks_what_misses_its_target() -> None:
    assert list(tables.markdown(RECORD))[2:8] == [
        "| quick | 1.00 | 0.50 | 0.25 | 0.25 | 1.00 | 0.25 | 0.50 |",
        r"| slow \* | 0.50 | 2.00 | 1.25 | 1.00 | **1.25** | **2.50** | 4.00 |",
        r"| alone \* | - | 1.00 | 1.00 | 1.00 | 1.00 | - | - |",
        "| mean of all |  |  |  |  | 1.08 | **0.79** | **1.41** |",
        "| mean of looked at |  |  |  |  | 1.00 | 0.25 | 0.50 |",
        "| mean of held out |  |  |  |  | 1.12 | **2.50** | **4.00** |",
    ]
    assert tables.misses(RECORD) == [
        "slow: warm/none 1.25, at most 1.1",
        "slow: warm/Octave 2.50, at most 2.0",
        "geometric mean of warm/Octave 0.79, at most 0.75",
        "geometric mean of cold/Octave 1.41, at most 1.0",
    ]
    assert "greatest warm/Octave: slow 2.50, quick 0.25" in tables.summary(RECORD)
    assert list(tables.start_lines(RECORD))[1] == "disp(1): 150 ms, 1.50 of import numpy"


def test_a_failure_is_shown() -> None:
    record = copy.deepcopy(RECORD)
    record["rows"][0]["failures"]["warm"] = "printed '6', not '7'"
    del record["rows"][0]["warm_s"]
    assert tables.cells(record["rows"][0])[3] == "failed"
    assert "quick: warm failed: printed '6', not '7'" in tables.misses(record)


def test_names_are_unique() -> None:
    names = [each.name for each in PROGRAMS]
    assert len(set(names)) == len(names)


def test_half_of_the_programs_are_held_out() -> None:
    held = sum(each.half == "held_out" for each in PROGRAMS)
    assert len(PROGRAMS) >= 40
    assert abs(2 * held - len(PROGRAMS)) <= 1
