"""The choice of a number format and the text of single numbers."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.values.format_number import Traits, choose, element_texts, engineering
from runmat_core.values.format_rational import rational, rational_text

INF, NAN = np.inf, np.nan

# style, elements of a row, text of each
DOUBLES = [
    # integers: six columns below 1000, twelve below 1e9
    ("short", [5], ["     5"]),
    ("short", [-10], ["   -10"]),
    ("short", [999], ["   999"]),
    ("short", [-999], ["  -999"]),
    ("short", [1000], ["        1000"]),
    ("short", [-1000], ["       -1000"]),
    ("short", [123456], ["      123456"]),
    ("short", [999999999], ["   999999999"]),
    ("short", [-100000000], ["  -100000000"]),
    ("short", [1e9], ["   1.0000e+09"]),
    ("short", [1234567890], ["   1.2346e+09"]),
    ("short", [-0.0], ["     0"]),
    ("short", [NAN], ["   NaN"]),
    ("short", [INF], ["   Inf"]),
    ("short", [-INF], ["  -Inf"]),
    # other scalars: four decimals from just above 0.001 to 1000
    ("short", [np.pi], ["    3.1416"]),
    ("short", [-np.pi], ["   -3.1416"]),
    ("short", [3.5343], ["    3.5343"]),
    ("short", [0.0799], ["    0.0799"]),
    ("short", [267.9355], ["  267.9355"]),
    ("short", [999.5], ["  999.5000"]),
    ("short", [999.99999], ["   1.0000e+03"]),
    ("short", [0.001], ["   1.0000e-03"]),
    ("short", [0.0011], ["    0.0011"]),
    ("short", [1103.6], ["   1.1036e+03"]),
    ("short", [6.8468e-4], ["   6.8468e-04"]),
    ("short", [-3.6161e-10], ["  -3.6161e-10"]),
    ("short", [9.9e100], ["  9.9000e+100"]),
    ("short", [-np.pi * 1e307], [" -3.1416e+307"]),
    ("short", [2.0**-1074], ["  4.9407e-324"]),
    # rows
    ("short", [1, 2, 3], ["     1", "     2", "     3"]),
    ("short", [480, 640, 3], ["   480", "   640", "     3"]),
    ("short", [0, 5000], ["           0", "        5000"]),
    ("short", [NAN, 1, -INF], ["   NaN", "     1", "  -Inf"]),
    ("short", [NAN, 1.5], ["       NaN", "    1.5000"]),
    ("short", [0.88, 0, 15.2497], ["    0.8800", "         0", "   15.2497"]),
    ("short", [-100.5, 2], [" -100.5000", "    2.0000"]),
    ("short", [1e-5, 1], ["    0.0000", "    1.0000"]),
    ("short", [-1e-9, 1.5], ["   -0.0000", "    1.5000"]),
    ("short", [-0.0, 1.5], ["         0", "    1.5000"]),
    # common factors
    ("short", [1000.5, 1], ["    1.0005", "    0.0010"]),
    ("short", [225323.23, 523.23], ["    2.2532", "    0.0052"]),
    ("short", [6.5574e-4, 6.5574e-4], ["    0.6557", "    0.6557"]),
    ("short", [1e-5, 1e-5], ["    1.0000", "    1.0000"]),
    ("short", [1, 1e9], ["    0.0000", "    1.0000"]),
    ("short", [1e9, 1e99], ["    0.0000", "    1.0000"]),
    ("short", [1e-320, 5e-321], ["    1.0000", "    0.5000"]),
    # long
    ("long", [np.pi], ["   3.141592653589793"]),
    ("long", [10 * np.pi], ["  31.415926535897931"]),
    ("long", [100 * np.pi], ["     3.141592653589793e+02"]),
    ("long", [2.0**-52], ["     2.220446049250313e-16"]),
    ("long", [1.7976931348623157e308], ["    1.797693134862316e+308"]),
    ("long", [3e8], ["   300000000"]),
    ("long", [-3e9], ["    -3.000000000000000e+09"]),
    ("long", [4 / 3, 1.2345e-6], ["   1.333333333333333", "   0.000001234500000"]),
    ("long", [1, 3e9], ["   0.000000001000000", "   3.000000000000000"]),
    ("long", [0, 1.5], ["                   0", "   1.500000000000000"]),
    # exponential
    ("shortE", [5], ["     5"]),
    ("shortE", [np.pi], ["   3.1416e+00"]),
    ("shortE", [4 / 3, 0], ["   1.3333e+00", "            0"]),
    ("longE", [np.pi], ["     3.141592653589793e+00"]),
    ("longE", [1e9], ["     1.000000000000000e+09"]),
    # best of both
    ("shortG", [np.pi], ["       3.1416"]),
    ("shortG", [1e9], ["        1e+09"]),
    ("shortG", [0, 2.0**-52], ["            0", "   2.2204e-16"]),
    ("shortG", [1, 1000, 1e9], ["            1", "         1000", "        1e+09"]),
    ("longG", [np.pi], ["          3.14159265358979"]),
    ("longG", [1e14], ["           100000000000000"]),
    ("longG", [-(2.0**-52)], ["     -2.22044604925031e-16"]),
    # engineering
    ("shortEng", [np.pi], ["     3.1416e+000"]),
    ("shortEng", [51.23456789], ["    51.2346e+000"]),
    ("shortEng", [0.3729, 6.5574e-4], ["   372.9000e-003", "   655.7400e-006"]),
    ("shortEng", [999.99999], ["     1.0000e+003"]),
    ("shortEng", [NAN], ["             NaN"]),
    ("longEng", [51.23456789], ["    51.2345678900000e+000"]),
    ("longEng", [0.3729], ["    372.900000000000e-003"]),
    # the rest
    ("bank", [5], ["          5.00"]),
    ("bank", [0.333, 0.2222], ["          0.33", "          0.22"]),
    ("hex", [np.pi], ["   400921fb54442d18"]),
    ("hex", [NAN], ["   fff8000000000000"]),
    ("+", [0.3, 0, -1], ["+", " ", "-"]),
    ("rational", [np.pi], ["     355/113   "]),
    ("rational", [0.5, 2], ["       1/2     ", "       2       "]),
]  # fmt: skip


@pytest.mark.parametrize(("style", "row", "texts"), DOUBLES, ids=lambda v: str(v)[:40])
def test_doubles(style, row, texts):
    data = np.array([row], dtype=float)
    assert element_texts(data, choose(Traits.of(data), style)) == texts


SINGLES = [
    ("short", [np.pi], ["    3.1416"]),
    ("long", [np.pi], ["   3.1415927"]),
    ("long", [2.0**-52], ["   2.2204460e-16"]),
    ("long", [100.2], ["   1.0020000e+02"]),
    ("long", [1e-3], ["   0.0010000"]),
    ("long", [0, 0.9133759], ["           0", "   0.9133759"]),
    ("long", [81.1, 90.2], ["  81.0999985", "  90.1999969"]),
    ("long", [8140.1, 905.2], ["   8.1401001", "   0.9052000"]),
    ("longE", [np.pi], ["   3.1415927e+00"]),
    ("longG", [np.pi], ["        3.141593"]),
    ("shortG", [np.pi], ["       3.1416"]),
    ("longEng", [1 / 3], ["   333.3333e-003"]),
    ("hex", [1], ["   3f800000"]),
]


@pytest.mark.parametrize(("style", "row", "texts"), SINGLES, ids=lambda v: str(v)[:40])
def test_singles(style, row, texts):
    data = np.array([row], dtype=np.float32)
    assert element_texts(data, choose(Traits.of(data), style)) == texts


COMPLEX = [
    ("short", [3 + 4j], ["   3.0000 + 4.0000i"]),
    ("short", [3 + 99j], ["   3.0000 +99.0000i"]),
    ("short", [complex(1, -0.5)], ["   1.0000 - 0.5000i"]),
    ("short", [complex(9, NAN)], ["   9.0000 +    NaNi"]),
    ("short", [complex(NAN, -INF)], ["      NaN -    Infi"]),
    ("short", [100 + 3j], ["   1.0000e+02 + 3.0000e+00i"]),
    ("short", [1 + 2j, 3], ["   1.0000 + 2.0000i", "   3.0000 + 0.0000i"]),
    ("short", [1000 + 1000j, 0], ["   1.0000 + 1.0000i", "   0.0000 + 0.0000i"]),
    ("long", [1 / 3 + 1j], ["  0.333333333333333 + 1.000000000000000i"]),
    ("shortE", [2 + 3j], ["   2.0000e+00 + 3.0000e+00i"]),
    ("shortG", [100 + np.pi * 1j], ["          100 +     3.1416i"]),
    ("longG", [2 + 3j], ["                          2 +                     3i"]),
    ("bank", [0.3 + 0.4j], ["         0.30"]),
    ("hex", [0.3 + 0.4j], ["   3fd3333333333333   3fd999999999999ai"]),
    ("+", [1j, -1], [" ", "-"]),
]


@pytest.mark.parametrize(("style", "row", "texts"), COMPLEX, ids=lambda v: str(v)[:40])
def test_complex(style, row, texts):
    data = np.array([row], dtype=complex)
    assert element_texts(data, choose(Traits.of(data), style)) == texts


@pytest.mark.parametrize(
    ("row", "scale"),
    [
        ([1000.5, 1], 3),
        ([999.5, 1], 0),
        ([0.0011, 0.0002], 0),
        ([0.001, 0.0002], -3),
        ([1.2e-4, 1e-4], -3),
        ([1e-4, 1e-5], -4),
        ([2.0**-52, 0], -15),
        ([1, 1e9], 9),
        ([1, 999999999], 0),
        ([NAN, 1e5 + 0.5], 5),
        ([0, 0.0], 0),
    ],
    ids=str,
)
def test_common_factor(row, scale):
    assert choose(Traits.of(np.array([row], dtype=float)), "short").scale == scale


def test_choice_depends_on_traits_alone():
    traits = Traits(single=False, scalar=False, complex=False, largest=2.5, integers=False)
    assert choose(traits, "short") == choose(Traits.of(np.array([[2.5, -1], [0, NAN]])), "short")


@pytest.mark.parametrize(
    ("x", "text"),
    [(0.75, "3/4"), (np.pi, "355/113"), (-0.5, "-1/2"), (2.0, "2"), (INF, "1/0"), (NAN, "0/0")],
)
def test_rational_text(x, text):
    assert rational_text(x, 1e-6) == text


def test_rational_is_within_tolerance():
    for x in np.random.default_rng(0).standard_normal(200):
        n, d = rational(float(x), 1e-6)
        assert d > 0
        assert abs(n / d - x) < 1e-6


def test_engineering_carries_into_the_next_power():
    assert engineering(999999.99, 5, fixed=True) == "1.0000e+006"
