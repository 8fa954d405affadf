"""``runmat explain`` says of every loop that worked on large arrays what became of it, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core.cli.main import main

SETUP = "tic; A = rand(60,50); x = rand(60,40); Y = A;\n"
#: loop, from the second line on -> what is said of it.
SAID = {
    "for t=1:11\n Y=Y*0.9;\nend": "captured: 10 iterations after the first",
    "for t=1:11\n Y=Y*0.9;\n disp(t)\nend": "it has a statement that assigns nothing (line 4)",
    "for t=1:11\n Y=Y*0.9;\n if t==5, q=1; break, end\nend": "it has a break (line 4)",
    "for t=1:11\n try\n  Y=Y*0.9;\n catch\n end\nend": "it catches errors (line 3)",
    "try\nfor t=1:11\n Y=Y*0.9;\nend\ncatch\nend": "errors in it are caught around it (line 3)",
    "for t=1:11\n g=@(v) v*t;\n Y=g(Y);\nend": "it makes an anonymous function (line 3)",
    "for t=1:11\n Y=Y*0.9;\n t=t+1;\nend": "it assigns 't', the variable of the loop (line 4)",
    "for t=1:11\n Y=Y*0.9;\n p.a=t;\nend": "it writes to a field or the contents of"
    " a cell (line 4)",
    "for t=1:11\n Y=Y*0.9;\n Z=[Y;Y];\n Z(1,:)=[];\nend": "it deletes elements (line 5)",
    "for t=1:11\n Y=Y*0.9;\n tic;\nend": "it has a statement that assigns nothing (line 4)",
    "for t=1:11\n Y=Y*0.9;\n q=toc;\nend": "it calls toc (line 4)",
    "for t=1:11\n Y=Y*0.9;\n q=t\nend": "it shows a result (line 4)",
    "while sum(Y(:))>1\n Y=Y*0.9;\nend": "its condition is looked at in each iteration, for which"
    " the host need not wait",
    "while ~isempty(Y) && sum(Y(:))>1\n Y=Y*0.9;\nend": "its condition is neither that of a counter"
    " nor made of comparisons alone (line 2)",
    "for t=1:3\n Y=Y*0.9;\nend": "fewer than 4 iterations are left after the first",
    "for t=0:0.1:2\n Y=Y*0.9;\nend": "captured: 20 iterations after the first",
    "for t=1:11\n Y=Y*0.9;\n if Y(1)>3, Y=A; end\nend": "it needs the value of something that is"
    " computed in the loop (line 4: a condition)",
    "for t=1:11\n Y=Y*0.9;\n if t==11, Y=A; end\nend": "captured: 9 of 11 iterations",
}


@pytest.mark.parametrize("loop", SAID)
def test_every_loop_is_told(
    loop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RUNMAT_ACCEL_PROVIDER", "inprocess")
    monkeypatch.setenv("RUNMAT_ACCEL_THRESHOLD", "1000")
    program = tmp_path / "program.m"
    program.write_text(f"{SETUP}{loop}\ns = sum(Y(:)); fprintf('%g', s);\n")
    assert main(["explain", str(program)]) == 0
    lines = [one for one in capsys.readouterr().out.splitlines() if "captured: " in one]
    assert len(lines) == 1
    # the line stands behind it where code was generated before any device ran loops ahead
    assert SAID[loop] in lines[0]


def test_loops_of_scalars_are_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RUNMAT_ACCEL_PROVIDER", "inprocess")
    monkeypatch.setenv("RUNMAT_ACCEL_THRESHOLD", "1000")
    program = tmp_path / "program.m"
    program.write_text(
        f"{SETUP}s = sum(Y(:));\nfor k = 1:9, d = k; disp(d), end\nfprintf('%g', s);\n"
    )
    assert main(["explain", str(program)]) == 0
    assert "captured:" not in capsys.readouterr().out
