"""Tables as they are displayed and summarised."""

from __future__ import annotations

import pytest

from runmat_core import Session
from tests.builtins.tables.tables import SETUP


@pytest.fixture
def session(session: Session) -> Session:
    session.run(SETUP)
    return session


SHOWN = [
    "T =",
    "",
    "  3×3 table",
    "",
    "    Age     Name       X",
    "    ___    _______    ___",
    "",
    "    38     {'Ann'}    1.5",
    "    43     {'Bob'}    NaN",
    "    38     {'Cy' }      2",
    "",
    "",
]


def test_display(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run("T")
    lines = capsys.readouterr().out.lstrip("\n").split("\n")
    assert [line.rstrip() for line in lines] == SHOWN


def test_display_of_other_classes(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run(
        """
        format compact
        disp(table([true; false], categorical({'x'; 'yy'}), seconds([1; 10]), [1 22; 3 4], ...
            'VariableNames', {'flag', 'c', 'd', 'm'}, 'RowNames', {'r', 'ss'}))
        """
    )
    assert capsys.readouterr().out == (
        "          flag     c       d          m   \n"
        "          _____    __    ______    _______\n"
        "    r     true     x      1 sec    1    22\n"
        "    ss    false    yy    10 sec    3     4\n"
    )


SUMMARY = """
Description:  Patients

Variables:

    Age: 3×1 double

        Properties:
            Units:  Yrs
        Values:

            Min       38
            Median    38
            Max       43

    Name: 3×1 cell array of character vectors

    X: 3×1 double

        Values:

            Min            1.5
            Median        1.75
            Max              2
            NumMissing       1

    P: 3×2 double

        Values:

                      Column 1    Column 2
                      ________    ________

            Min         109          77
            Median      124          83
            Max         125          93

    L: 3×1 logical

        Values:

            True     2
            False    1

"""


def test_summary(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run(
        """
        T.P = [124 93; 109 77; 125 83];
        T.L = [true; false; true];
        T.Properties.Description = 'Patients';
        T.Properties.VariableUnits = {'Yrs', '', '', '', ''};
        summary(T)
        """
    )
    lines = capsys.readouterr().out.split("\n")
    assert [line.rstrip() for line in lines] == SUMMARY.split("\n")


def test_summary_as_a_struct(session: Session) -> None:
    session.run("s = summary(table([1 5; NaN 6], categorical({'a'; 'b'})));")
    assert session.eval("isequal(s.Var1.Min, [1 5]) && isequal(s.Var1.NumMissing, [1 0])") is True
    assert session.eval("isequal(s.Var2.Categories, {'a'; 'b'})") is True
    assert session.eval("isequal(s.Var2.Counts, [1; 1])") is True


def test_summary_of_categories(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run("summary(categorical({'p' 'car'; 'p' 't'}))")
    assert capsys.readouterr().out == (
        "     car      0      1 \n     p        2      0 \n     t        0      1 \n\n"
    )


def test_both_ends_are_shown_without_output(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    session.run("format compact\nhead(A, 1), tail([1; 2; 3], 2)")
    assert capsys.readouterr().out == ("    k    x \n    _    __\n    1    10\n     2\n     3\n")


def test_a_wide_table_is_cut_where_the_window_ends(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twelve columns of eight characters: nine fit into 80 beside the names of the rows."""
    session.run(
        "names = compose('name%04d', 1:12);"
        "W = array2table(repmat(1000, 1, 12), 'RowNames', {'r'}, 'VariableNames', names);"
        "disp(W)"
    )
    lines = [line.rstrip() for line in capsys.readouterr().out.split("\n")]

    def block(first: int, last: int) -> list[str]:
        numbers = range(first, last + 1)
        return [
            "     " + "".join(f"    name{k:04d}" for k in numbers),
            "     " + "    ________" * len(numbers),
            "",
            ("    r" + "      1000  " * len(numbers)).rstrip(),
            "",
        ]

    assert lines == [*block(1, 6), *block(7, 12), ""]


NESTED = [
    "          x       inner",
    "               a    longer",
    "          _    ___________",
    "    p     1    3       50",
    "    qq    2    4     6000",
]


def test_a_table_in_a_table(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run(
        """
        format compact
        I = table([3; 4], [50; 6000], 'VariableNames', {'a', 'longer'});
        disp(table([1; 2], I, 'VariableNames', {'x', 'inner'}, 'RowNames', {'p', 'qq'}))
        """
    )
    lines = [line.rstrip() for line in capsys.readouterr().out.split("\n")]
    assert lines == [*NESTED, ""]
