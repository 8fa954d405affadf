"""The collector of ``>>`` examples."""

from __future__ import annotations

from runmat_core.session import doctests

DOC = """Twice the input.

    B = twice(A) doubles.

    Examples:
        >> x = 2
        x =
             2
        >> if x > 1
        ..     disp('big')
        .. end
        big

        >> y = 3;

    See also: plus.
    """


def test_inputs_outputs_and_continuations_are_collected() -> None:
    found = doctests.collect(DOC)
    assert [e.source for e in found] == ["x = 2", "if x > 1\n    disp('big')\nend", "y = 3;"]
    assert [e.expected for e in found] == ["x =\n     2", "big", ""]


def test_a_docstring_without_examples_has_none() -> None:
    assert doctests.collect("Summary only.") == []


class Recorder:
    """Stands for a session: answers from a table."""

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers
        self.ran: list[str] = []

    def run(self, code: str) -> None:
        self.ran.append(code)

    def capture(self, code: str) -> str:
        return self.answers[code]


def test_a_wrong_output_is_a_failure_and_blank_lines_do_not_count() -> None:
    answers = {
        "x = 2": "x =\n\n     2\n\n",
        "if x > 1\n    disp('big')\nend": "small\n",
        "y = 3;": "",
    }
    session = Recorder(answers)
    failures = doctests.run(DOC, session)  # type: ignore[arg-type]
    assert session.ran == ["format compact"]
    assert [f.actual for f in failures] == ["small\n"]
    assert "expected" in str(failures[0])


def test_dots_stand_for_any_text() -> None:
    session = Recorder({"tic; toc": "Elapsed time is 0.000012 seconds.\n"})
    doc = "T.\n\n    >> tic; toc\n    Elapsed time is ... seconds.\n"
    assert doctests.run(doc, session) == []  # type: ignore[arg-type]
