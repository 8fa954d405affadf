"""What holds for the display of any numbers."""

from __future__ import annotations

import contextlib
import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from runmat_core.api.errors import MatlabError
from runmat_core.values import char, disp, display, from_numpy, string
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.printf import sprintf

STYLES = ["short", "long", "shortE", "longE", "shortG", "longG", "shortEng", "longEng", "bank"]
SHAPES = npst.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=4)
FINITE = st.floats(-1e300, 1e300)


def shown_numbers(text: str) -> list[float]:
    """The numbers of a display without column headings, times the common factor."""
    factor = re.search(r"^ +1\.0e([+-]\d+) \*$", text, re.MULTILINE)
    body = text if factor is None else text[factor.end() :]
    scale = float(f"1e{factor[1]}") if factor else 1.0
    return [float(word) * scale for word in body.split()]


@settings(max_examples=100)
@given(npst.arrays(np.float64, SHAPES, elements=FINITE), st.sampled_from(["short", "long"]))
def test_fixed_point_keeps_the_digits_it_shows(data, style):
    fmt = DisplayFormat(style=style, spacing="compact", width=10**6)
    values = shown_numbers(disp(from_numpy(data), fmt))
    assert len(values) == data.size
    largest = np.abs(data).max()
    tolerance = largest * (2e-3 if style == "short" else 1e-12)
    for shown, exact in zip(values, data.ravel().tolist(), strict=True):
        assert abs(shown - exact) <= max(tolerance, 1e-4 if style == "short" else 1e-15)


@settings(max_examples=100)
@given(
    npst.arrays(np.float64, SHAPES, elements=FINITE),
    st.sampled_from(["shortE", "longE", "shortG", "longG", "shortEng", "longEng"]),
)
def test_floating_styles_keep_relative_digits(data, style):
    fmt = DisplayFormat(style=style, spacing="compact", width=10**6)
    values = shown_numbers(disp(from_numpy(data), fmt))
    relative = 1e-3 if style.startswith("short") else 1e-13
    for shown, exact in zip(values, data.ravel().tolist(), strict=True):
        assert abs(shown - exact) <= max(relative * abs(exact), 5e-324)


@settings(max_examples=100)
@given(
    npst.arrays(
        st.sampled_from([np.float64, np.float32, np.complex128, np.int8, np.uint64, np.bool_]),
        npst.array_shapes(min_dims=2, max_dims=4, min_side=0, max_side=5),
    ),
    st.sampled_from([*STYLES, "hex", "+", "rational"]),
    st.sampled_from(["loose", "compact"]),
)
def test_every_line_of_a_matrix_is_as_wide_as_the_others(data, style, spacing):
    fmt = DisplayFormat(style=style, spacing=spacing)
    text = display("x", from_numpy(data), fmt)
    assert text.endswith("\n")
    if spacing == "compact":
        assert "\n\n" not in text
    if data.ndim == 2 and data.size > 1 and "Column" not in text and "1.0e" not in text:
        # a heading and a header come first
        lines = [line for line in text.splitlines() if line][-data.shape[0] :]
        assert len({len(line) for line in lines}) == 1


FORMATS = st.text(alphabet="%%%%diufegGxXocsab*.$0123459-+ #\\nqt", max_size=14)
DATA = st.lists(
    st.one_of(
        st.floats(width=64),
        st.booleans(),
        st.text(max_size=3).map(char),
        st.text(max_size=3).map(string),
        npst.arrays(
            st.sampled_from([np.float64, np.float32, np.int8, np.uint64, np.complex128]),
            npst.array_shapes(min_dims=2, max_dims=3, min_side=0, max_side=2),
        ).map(from_numpy),
    ),
    max_size=4,
)


@settings(max_examples=300)
@given(FORMATS, DATA)
def test_any_format_gives_text_or_a_matlab_error(template, data):
    with contextlib.suppress(MatlabError):
        assert isinstance(sprintf(template, data), str)
