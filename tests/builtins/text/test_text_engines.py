"""The engines below the builtins: expression syntax, scanning, serial dates."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runmat_core import MatlabError
from runmat_core.builtins.text.convert import parse_double
from runmat_core.builtins.text.regex_syntax import Options, compile_expression
from runmat_core.builtins.text.scan import parse_format, scan
from runmat_core.builtins.time import serial

INF = float("inf")


@pytest.mark.parametrize(
    ("expression", "text", "found"),
    [
        (r"\<a\w*\>", "an apple, banana", ["an", "apple"]),
        (r"(?<=a+|bc)d", "aad bcd xd", ["d", "d"]),
        (r"(?<!a|b)c", "ac bc xc", ["c"]),
        (r"(?<=x{2,})y", "xxy xy", ["y"]),
        (r"a(?i)b|c", "aB C ab", ["aB", "C", "ab"]),
        (r"(?i)a(?-i)b", "Ab AB", ["Ab"]),
        (r"[[:alpha:]_]+", "ab_1", ["ab_"]),
        (r"[^]]+", "a]b", ["a", "b"]),
        (r"[a\-z]+", "-amz", ["-a", "z"]),
        (r"[a-c&&b]+", "abc&&", ["abc&&"]),
        (r"\x41\o{102}", "AB", ["AB"]),
        (r"a{2}b{", "aab{", ["aab{"]),
        (r"(?#note)a", "a", ["a"]),
        (r"(?<q>['x]).*?\k<q>", "'a' x", ["'a'"]),
        (r"(a)\1", "aab", ["aa"]),
        (r"\y", "y", ["y"]),
        (r"a$", "a\n", []),
    ],
)
def test_expression_syntax(expression: str, text: str, found: list[str]) -> None:
    assert [m[0] for m in compile_expression(expression).finditer(text)] == found


def test_line_anchors_and_free_spacing() -> None:
    lines = compile_expression("^b$", Options(line_anchors=True))
    assert lines.search("a\nb\nc")
    spaced = compile_expression("a b # c\n d", Options(free_spacing=True))
    assert spaced.fullmatch("abd")


@pytest.mark.parametrize("expression", ["(", "a)", "[a", "(?<n>a", "(?@x)", "*", "(?<=a*b*)c("])
def test_bad_expressions_are_matlab_errors(expression: str) -> None:
    with pytest.raises(MatlabError, match="Invalid regular expression"):
        compile_expression(expression)


@given(st.text(alphabet="ab[]()\\^$.|?*+{}-<>=!:iPn1, \n&~", max_size=14))
def test_any_expression_compiles_or_is_refused(expression: str) -> None:
    with suppress(MatlabError):
        compile_expression(expression)


@pytest.mark.parametrize(
    ("text", "format_", "limit", "values", "position"),
    [
        ("1 2 x", "%d", INF, [1.0, 2.0], 4),
        ("1,2,3", "%d,", INF, [1.0, 2.0, 3.0], 5),
        ("10:20", "%d:%d", 1, [10.0], 2),
        ("one two", "%s", 1, ["one"], 3),
        ("one\ntwo", "%s\n", 1, ["one"], 4),
        ("a1b2", "%c%d", 3, ["a", 1.0, "b"], 3),
        ("abcdef", "%2c", 2, ["ab", "cd"], 4),
        ("3.7", "%d", INF, [3.0], 1),
        ("50%", "%d%%", INF, [50.0], 3),
        ("-0x10 010", "%i", INF, [-16.0, 8.0], 9),
        ("ab12", "%[a-b]%d", INF, ["ab", 12.0], 4),
        ("a,b", "%[^,],%s", INF, ["a", "b"], 3),
        ("inf -nan", "%f", 1, [INF], 3),
        ("1d2", "%f", INF, [100.0], 3),
        ("hello", "%3c", INF, ["hel", "lo"], 5),
        ("  7", "%*d", INF, [], 3),
    ],
)
def test_scanning(
    text: str, format_: str, limit: float, values: list[float | str], position: int
) -> None:
    result = scan(text, parse_format(format_), limit)
    assert result.values == values
    assert result.position == position


@given(st.lists(st.floats(allow_nan=False), max_size=20))
def test_scanning_reads_back_what_was_written(numbers: list[float]) -> None:
    text = " ".join(map(repr, numbers))
    assert scan(text, parse_format("%f"), INF).values == numbers
    # the general way and the short cut for plain numbers agree
    assert scan(text, parse_format("%f %f"), INF).values == numbers


@given(st.complex_numbers(allow_nan=False, allow_infinity=False))
def test_complex_numbers_in_text(number: complex) -> None:
    sign = "-" if str(number.imag).startswith("-") else "+"
    text = f"{number.real!r} {sign} {abs(number.imag)!r}i"
    assert complex(parse_double(text)) == number


@given(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9998, 12, 31)))
@example(datetime(5742, 1, 1, 14, 56, 36))
def test_serial_dates(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)
    number = serial.of_datetime(moment)
    year, month, day, hour, minute, second = serial.to_parts(number)
    back = datetime(int(year), int(month), int(day), int(hour), int(minute)) + timedelta(
        seconds=second
    )
    assert abs(back - moment) < timedelta(milliseconds=1)
    assert serial.weekday(number) == moment.isoweekday() % 7 + 1
    text = serial.write(number, "yyyy-mm-dd HH:MM:SS")
    assert text == f"{moment.year:04d}-{moment:%m-%d %H:%M:%S}"
    assert serial.read(text, None) == (*moment.timetuple()[:5], float(moment.second))
