"""The printf family: every rule about recycling, switching and widths."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api.errors import MatlabError
from runmat_core.values import cell, char, from_numpy, string, struct
from runmat_core.values.printf import sprintf
from runmat_core.values.printf_format import unescape

INF, NAN = np.inf, np.nan


def row(*numbers):
    return from_numpy(np.array([numbers], dtype=float))


def of(class_name, *numbers):
    return from_numpy(np.array([numbers], dtype=class_name))


EMPTY = from_numpy(np.zeros((0, 0)))

CASES = [
    # recycling
    ("%d,", [row(1, 2, 3)], "1,2,3,"),
    (r"%d %d\n", [1.0, 2.0, 3.0], "1 2\n3 "),
    ("%d,%d;", [from_numpy(np.array([[1.0, 2], [3, 4]]))], "1,3;2,4;"),
    (r"%d: %s\n", [1.0, char("ab"), 2.0, char("c")], "1: ab\n2: c\n"),
    ("%d %s|", [1.0, char("abc"), 2.0, char("de")], "1 abc|2 de|"),
    ("%s %s|", [char("a"), char("b"), char("c")], "a b|c "),
    ("%d %d|", [row(1, 2), row(3, 4)], "1 2|3 4|"),
    # no data
    ("hello %d|", [], "hello "),
    ("%d", [EMPTY], ""),
    (r"a%d\n", [EMPTY], "a\n"),
    ("[%s]", [char("")], "[]"),
    ("%s-%d", [char(""), 5.0], "-5"),
    ("%d|%d|", [EMPTY, 5.0], "5|"),
    # no conversion
    (r"a\tb", [], "a\tb"),
    ("abc", [1.0, 2.0], "abc"),
    ("100%%", [], "100%"),
    ("%d%%|", [50.0], "50%|"),
    # switching
    ("%d", [1.5], "1.500000e+00"),
    ("%i", [-0.25], "-2.500000e-01"),
    ("%x", [1.5], "1.500000e+00"),
    ("%u", [1.5], "1.500000e+00"),
    ("%5.1d|", [1.25], "1.2e+00|"),
    ("%s", [np.pi], "3.141593e+00"),
    ("%c", [0.5], "5.000000e-01"),
    ("%s", [65.0], "A"),
    ("%s", [row(72, 101)], "He"),
    ("%s|", [-1.0], "-1.000000e+00|"),
    ("%d", [3.0], "3"),
    ("%d", [1e10], "10000000000"),
    ("%d", [2.0**53], "9007199254740992"),
    ("%d", [char("abc")], "979899"),
    ("%f", [char("a")], "97.000000"),
    ("%d %s", [char("ab")], "97 b"),
    ("%d ", [string("ab")], "97 98 "),
    ("%d", [True], "1"),
    ("%d ", [from_numpy(np.array([[True, False]]))], "1 0 "),
    # whole texts, single characters
    ("%s", [char("hello")], "hello"),
    ("%c-", [char("abc")], "a-b-c-"),
    ("%s|", [string("a b")], "a b|"),
    ("%5s|%-5s|%.2s|%5.1s|", [char("abc")] * 4, "  abc|abc  |ab|    a|"),
    ("%3c|%-3c|", [char("xy")], "  x|y  |"),
    ("%s", [char("äöü€")], "äöü€"),
    # numbers
    ("%5.2f|%-8.3f|%+.1f|%08.3f|% d|", [np.pi, np.pi, 1.0, np.pi, 4.0],
     " 3.14|3.142   |+1.0|0003.142| 4|"),
    ("%e %E %g %G", [12345.678, 12345.678, 1e-10, 1e-10], "1.234568e+04 1.234568E+04 1e-10 1E-10"),
    ("%g %g %g", [100000.0, 1000000.0, 0.0001], "100000 1e+06 0.0001"),
    ("%x %X %o", [255.0, 255.0, 8.0], "ff FF 10"),
    ("%#x %#o", [255.0, 8.0], "0xff 010"),
    ("%05d|%-5d|%+d|%5.3d|", [42.0, 42.0, 42.0, 7.0], "00042|42   |+42|  007|"),
    ("%ld %lu %hd", [1.0, 2.0, 3.0], "1 2 3"),
    ("%*d|%-*d|%*d|", [5.0, 1.0, 5.0, 2.0, -4.0, 3.0], "    1|2    |3   |"),
    ("%*d|", [NAN, 1.0], "1|"),
    ("%.*f|%*.*f|", [2.0, np.pi, 8.0, 3.0, np.pi], "3.14|   3.142|"),
    ("%bx %tx", [np.pi, 1.0], "400921fb54442d18 3f800000"),
    ("%bu %to", [1.0, 1.0], "4607182418800017408 7740000000"),
    ("%d", [of("int64", 2**63 - 1)], "9223372036854775807"),
    ("%d", [of("uint64", 2**64 - 1)], "18446744073709551615"),
    ("%d %f", [of("int8", -5, 3)], "-5 3.000000"),
    ("%.3f", [of("float32", 0.5)], "0.500"),
    ("%d", [1 + 2j], "1"),
    # not finite
    ("%d %i %f %g %e %x", [NAN, INF, -INF, NAN, INF, INF], "NaN Inf -Inf NaN Inf Inf"),
    ("%6d|%6.2f|%-6d|%06.1f|%+f|", [NAN, INF, -INF, NAN, INF], "   NaN|   Inf|-Inf  |   NaN|+Inf|"),
    ("%s %s", [NAN, INF], "NaN Inf"),
    # positions
    ("%2$s %1$s", [char("a"), char("b")], "b a"),
    ("%1$d %1$x", [255.0], "255 ff"),
    ("%3$s", [char("a")], ""),
    # escapes
    (r"\\ \x41 \101 \a\b\f\r\v", [], "\\ A A \a\b\f\r\v"),
    (r"%d\t%d\n", [1.0, 2.0], "1\t2\n"),
    ("tail\\", [], "tail\\"),
    ("50% sure %y", [], "50"),
    ("value = %z", [1.0], "value = "),
    (r"C:\path %d", [1.0], "C:"),
    ("100%", [], "100"),
    ("%.*f|", [-1.0, np.pi], "3.141593|"),
]  # fmt: skip


@pytest.mark.parametrize(("template", "args", "expected"), CASES, ids=[repr(c[0]) for c in CASES])
def test_sprintf(template, args, expected):
    assert sprintf(template, args) == expected


def test_fast_and_general_paths_agree():
    template = "%d %5.2f %g|"
    numbers = [float(i) if i % 3 == 0 else i + 0.25 for i in range(30)]
    whole = sprintf(template, [row(*numbers)])
    apart = sprintf(template, numbers)
    doubled = "".join([sprintf(template, numbers[i : i + 3]) for i in range(0, 30, 3)])
    assert whole == apart == doubled


@pytest.mark.parametrize("value", [cell([1.0]), struct({"a": 1.0})], ids=["cell", "struct"])
@pytest.mark.parametrize("template", ["%d", "no conversion"])
def test_containers_are_refused(template, value):
    with pytest.raises(MatlabError, match="Function is not defined for"):
        sprintf(template, [value])


@pytest.mark.parametrize(
    "args", [["%999999999999d", 1.0], ["%*d", 1e12, 1.0], ["%.1000000000f", 1.0]]
)
def test_huge_widths_are_refused(args):
    with pytest.raises(MatlabError) as caught:
        sprintf(args[0], args[1:])
    assert caught.value.identifier == "MATLAB:nomem"


def test_unescape():
    assert unescape(r"a\nb\\n\x41\q") == "a\nb\\nA\\q"
