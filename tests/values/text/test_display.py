"""Whole displays of numeric, logical, char and string values."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.values import (
    MISSING,
    CharArray,
    StringArray,
    char,
    disp,
    display,
    from_numpy,
    string,
)
from runmat_core.values.display_format import DEFAULT_FORMAT, DisplayFormat

COMPACT = DisplayFormat(spacing="compact")
INF, NAN = np.inf, np.nan


def numbers(rows, cls="float64"):
    return from_numpy(np.array(rows, dtype=cls))


def zeros(*shape, cls="float64"):
    return from_numpy(np.zeros(shape, dtype=cls))


def lines(*parts: str) -> str:
    return "\n".join(parts) + "\n"


def ones(*shape, cls="float64"):
    return from_numpy(np.ones(shape, dtype=cls))


def chars(*rows):
    return CharArray(np.array([[ord(c) for c in row] for row in rows], dtype=np.uint16))


def strings(*rows):
    return StringArray(np.array(rows, dtype=object))


# value, what follows the heading in loose spacing
LOOSE = {
    "scalar": (5.0, ["x =", "", "     5", ""]),
    "negative zero": (-0.0, ["x =", "", "     0", ""]),
    "complex scalar": (numbers([[3 + 4j]], complex), ["x =", "", "   3.0000 + 4.0000i", ""]),
    "row": (numbers([[1, 2, 3]]), ["x =", "", "     1     2     3", ""]),
    "matrix": (
        numbers([[0.222, 1], [0, 5]]),
        ["x =", "", "    0.2220    1.0000", "         0    5.0000", ""],
    ),
    "factor": (
        numbers([[1000.5, 1], [0, 2]]),
        ["x =", "", "   1.0e+03 *", "", "    1.0005    0.0010", "         0    0.0020", ""],
    ),
    "empty": (zeros(0, 0), ["x =", "", "     []", ""]),
    "empty matrix": (zeros(0, 3), ["x =", "", "  0×3 empty double matrix", ""]),
    "empty row": (zeros(1, 0), ["x =", "", "  1×0 empty double row vector", ""]),
    "empty column": (zeros(0, 1), ["x =", "", "  0×1 empty double column vector", ""]),
    "empty pages": (zeros(3, 0, 2), ["x =", "", "  3×0×2 empty double array", ""]),
    "empty 5-D": (zeros(3, 5, 8, 13, 0), ["x =", "", "  5-D empty double array", ""]),
    "empty single": (zeros(0, 0, cls="float32"), ["x =", "", "  0×0 empty single matrix", ""]),
    "empty int8": (zeros(0, 0, cls="int8"), ["x =", "", "  0×0 empty int8 matrix", ""]),
    "empty logical": (zeros(0, 0, cls="bool"), ["x =", "", "  0×0 empty logical array", ""]),
    "logical scalar": (True, ["x =", "", "  logical", "", "   1", ""]),
    "logical row": (
        numbers([[True, False]], bool),
        ["x =", "", "  1×2 logical array", "", "   1   0", ""],
    ),
    "int8 scalar": (numbers([[-5]], "int8"), ["x =", "", "  int8", "", "   -5", ""]),
    "int8 row": (
        numbers([[1, 2]], "int8"),
        ["x =", "", "  1×2 int8 row vector", "", "   1   2", ""],
    ),
    "int32 column": (
        numbers([[-1], [100]], "int32"),
        ["x =", "", "  2×1 int32 column vector", "", "     -1", "    100", ""],
    ),
    "int8 row with negatives": (
        numbers([[122, -1, 127, -10, 127]], "int8"),
        ["x =", "", "  1×5 int8 row vector", "", "    122     -1    127    -10    127", ""],
    ),
    "uint8 matrix": (
        numbers([[7, 255], [0, 1]], "uint8"),
        ["x =", "", "  2×2 uint8 matrix", "", "     7   255", "     0     1", ""],
    ),
    "int64 limits": (
        numbers([[2**63 - 1, -(2**63)]], "int64"),
        ["x =", "", "  1×2 int64 row vector", "",
         "    9223372036854775807   -9223372036854775808", ""],
    ),
    "single scalar": (numbers([[3.14]], "float32"), ["x =", "", "  single", "", "    3.1400", ""]),
    "single row": (
        numbers([[1, 2]], "float32"),
        ["x =", "", "  1×2 single row vector", "", "     1     2", ""],
    ),
    "char": (char("abc"), ["x =", "", "    'abc'", ""]),
    "char with quote": (char("it's"), ["x =", "", "    'it's'", ""]),
    "char of two lines": (char("a\nb"), ["x =", "", "    'a", "     b'", ""]),
    "string of two lines": (string("a\nb"), ["x = ", "", '    "a', '     b"', ""]),
    "empty char": (char(""), ["x =", "", "  0×0 empty char array", ""]),
    "char row without columns": (
        CharArray(np.zeros((1, 0), np.uint16)),
        ["x =", "", "  1×0 empty char array", ""],
    ),
    "char matrix": (
        chars("fa", "af"),
        ["x =", "", "  2×2 char array", "", "    'fa'", "    'af'", ""],
    ),
    "string": (string("abc"), ["x = ", "", '    "abc"', ""]),
    "missing": (strings([MISSING]), ["x = ", "", "    <missing>", ""]),
    "string row": (
        strings(["a", "bcd"]),
        ["x = ", "", "  1×2 string array", "", '    "a"    "bcd"', ""],
    ),
    "string matrix": (
        strings(["Mercury", "Gemini"], ["Skylab", "Skylab B"]),
        ["x = ", "", "  2×2 string array", "", '    "Mercury"    "Gemini"  ',
         '    "Skylab"     "Skylab B"', ""],
    ),
    "empty string array": (
        StringArray(np.empty((0, 0), object)),
        ["x = ", "", "  0×0 empty string array", ""],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LOOSE)
def test_loose(case):
    value, expected = LOOSE[case]
    assert display("x", value) == lines("", *expected)


@pytest.mark.parametrize("case", LOOSE)
def test_compact_is_loose_without_blank_lines(case):
    value, expected = LOOSE[case]
    assert display("x", value, COMPACT) == lines(*filter(None, expected))


PAGES = {
    "double": (
        ones(2, 1, 2),
        ["", "x(:,:,1) =", "", "     1", "     1", "", "",
         "x(:,:,2) =", "", "     1", "     1", ""],
    ),
    "int8": (
        ones(2, 1, 2, cls="int8"),
        ["", "  2×1×2 int8 array", "", "x(:,:,1) =", "", "   1", "   1", "", "",
         "x(:,:,2) =", "", "   1", "   1", ""],
    ),
    "4-D": (
        zeros(1, 1, 1, 2),
        ["", "x(:,:,1,1) =", "", "     0", "", "", "x(:,:,1,2) =", "", "     0", ""],
    ),
    "char": (
        CharArray(np.full((1, 2, 2), ord("e"), np.uint16)),
        ["", "  1×2×2 char array", "", "x(:,:,1) =", "", "    'ee'", "", "",
         "x(:,:,2) =", "", "    'ee'", ""],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", PAGES)
def test_pages(case):
    value, expected = PAGES[case]
    assert display("x", value) == lines(*expected)
    assert display("x", value, COMPACT) == lines(*filter(None, expected))


def test_pages_share_the_common_factor():
    data = np.zeros((1, 1, 2))
    data[0, 0, 1] = 1000.5
    shown = display("x", from_numpy(data), COMPACT)
    assert shown == lines(
        "x(:,:,1) =", "   1.0e+03 *", "         0", "x(:,:,2) =", "   1.0e+03 *", "    1.0005"
    )


WRAPPED = {
    "integers": (np.arange(1.0, 21)[None], 13, 6),
    "thousands": (np.arange(1000.0, 1008)[None], 6, 12),
    "decimals": (np.arange(0.5, 12)[None], 8, 10),
    "complex": (np.full((1, 6), 1 + 2j), 4, 19),
    "int8": (np.full((1, 30), 5, np.int8), 20, 4),
}


@pytest.mark.parametrize("case", WRAPPED)
def test_columns_wrap_at_80(case):
    data, per_line, width = WRAPPED[case]
    shown = display("x", from_numpy(data), COMPACT).splitlines()
    headings = [line for line in shown if "Column" in line]
    count = data.shape[1]
    last = f"  Columns {per_line + 1} through {count}"
    if count == per_line + 1:
        last = f"  Column {count}"
    assert headings == [f"  Columns 1 through {per_line}", last]
    assert len(shown[shown.index(headings[0]) + 1]) == per_line * width


def test_wrapped_columns_in_full():
    data = np.vstack([np.arange(1.0, 15), np.arange(2.0, 16)])
    assert display("x", from_numpy(data)) == lines(
        "", "x =", "", "  Columns 1 through 13", "",
        "     1     2     3     4     5     6     7     8     9    10    11    12    13",
        "     2     3     4     5     6     7     8     9    10    11    12    13    14",
        "", "  Column 14", "", "    14", "    15", "",
    )  # fmt: skip


def test_the_factor_stands_above_wrapped_columns():
    data = np.arange(1.0, 10)[None] + 1000.5
    assert display("x", from_numpy(data)).startswith(
        "\nx =\n\n   1.0e+03 *\n\n  Columns 1 through 8\n\n    1.0015"
    )


DISP = {
    "scalar": (5.0, "     5\n\n"),
    "pi": (np.pi, "    3.1416\n\n"),
    "logical": (True, "   1\n\n"),
    "row": (numbers([[1, 2.5]]), "    1.0000    2.5000\n\n"),
    "int8": (numbers([[3]], "int8"), "   3\n\n"),
    "single": (numbers([[1.5]], "float32"), "    1.5000\n\n"),
    "char": (char("abc"), "abc\n"),
    "char matrix": (chars("fa", "af"), "fa\naf\n"),
    "empty char": (char(""), ""),
    "empty string": (string(""), "\n"),
    "string": (string("abc"), "abc\n"),
    "missing": (strings([MISSING]), "    <missing>\n"),
    "string row": (strings(["a", "b"]), '    "a"    "b"\n\n'),
    "empty": (zeros(0, 0), ""),
    "empty matrix": (zeros(0, 3), ""),
    "pages": (ones(1, 1, 2), "\n(:,:,1) =\n\n     1\n\n\n(:,:,2) =\n\n     1\n\n"),
}


@pytest.mark.parametrize("case", DISP)
def test_disp(case):
    value, expected = DISP[case]
    assert disp(value) == expected


def test_disp_compact_has_no_blank_line():
    assert disp(5.0, COMPACT) == "     5\n"
    assert disp(numbers([[1, 2]]), COMPACT) == "     1     2\n"


def test_display_without_a_name():
    assert display("", numbers([[1, 2]])) == "     1     2\n\n"
    assert display("", string("a")) == '    "a"\n\n'


@pytest.mark.parametrize(
    ("style", "value", "body"),
    [
        ("+", numbers([[0.3, 0, -1]]), "+ -\n"),
        ("+", numbers([[1, 0, 3]], "int8"), "+ +\n"),
        ("hex", numbers([[255]], "uint8"), "   ff\n"),
        ("bank", numbers([[0.333, 0.2222]]), "          0.33          0.22\n"),
        ("bank", numbers([[1e99]]), f" {1e99:.2f}\n"),
        ("rational", numbers([[0.5, 2]]), "       1/2            2       \n"),
        ("long", numbers([[1]], "int8"), "   1\n"),
    ],
)
def test_styles(style, value, body):
    fmt = DisplayFormat(style=style, spacing="compact")
    assert disp(value, fmt) == body


@pytest.mark.parametrize("x", [5.0, -0.0, 0.001, np.pi, 1e9, -1e300, NAN, -INF, 2.0**-1074])
@pytest.mark.parametrize("style", ["short", "long", "shortG", "longE", "bank", "hex", "+"])
def test_scalars_show_as_one_by_one_arrays(x, style):
    from runmat_core.values.display_matrix import floating

    fmt = DisplayFormat(style=style)
    assert disp(x, fmt) == floating("", np.array([[x]]), fmt) + "\n"


@pytest.mark.parametrize(
    ("names", "style", "spacing"),
    [
        (["long"], "long", "loose"),
        (["long", "g"], "longG", "loose"),
        (["longG"], "longG", "loose"),
        (["LONGE"], "longE", "loose"),
        (["short", "eng"], "shortEng", "loose"),
        (["rat"], "rational", "loose"),
        (["compact"], "short", "compact"),
        ([], "short", "loose"),
    ],
)
def test_format_names(names, style, spacing):
    assert DEFAULT_FORMAT.changed(*names) == DisplayFormat(style, spacing)


def test_format_keeps_what_it_does_not_name():
    fmt = DEFAULT_FORMAT.changed("long").changed("compact")
    assert fmt == DisplayFormat("long", "compact")
    with pytest.raises(Exception, match="Unknown command option"):
        fmt.changed("nonsense")


@pytest.mark.slow
def test_a_million_elements_are_fast():
    import time

    value = from_numpy(np.random.default_rng(0).standard_normal((1000, 1000)))
    start = time.thread_time()  # whatever else the machine does
    text = display("x", value)
    assert text.count("\n") > 100_000
    assert time.thread_time() - start < 5
