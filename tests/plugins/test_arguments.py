"""Readers of arguments: what they take, and the identifiers of their errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.api.arguments import Reader, first_axis, given, like

READ = Reader("kit")


def row(*values: complex) -> Any:
    return np.array([values])


def test_numbers() -> None:
    assert READ.floating(row(1, 2).astype(np.int8), "f").dtype == np.float64
    assert READ.floating(row(1).astype(np.float32), "f").dtype == np.float32
    assert READ.vector(row(1, 2).T, "f").shape == (2,)
    assert READ.scalar(row(2.5), "f") == 2.5
    assert READ.integer(row(True), "f", least=1) == 1


def test_words_and_options() -> None:
    assert READ.one_of("PER", ["periodic", "symmetric"], "f") == "periodic"
    assert READ.one_of("same", ["same", "samesize"], "f") == "same"
    assert [given(v) for v in (None, np.zeros((0, 0)), "", row(0))] == [False, False, True, True]
    assert [first_axis(np.zeros(s)) for s in ((1, 3), (2, 3), (1, 1), (0, 1))] == [1, 0, 0, 0]
    assert like(row(1.5j), row(1).astype(np.float32)).dtype == np.complex64


def test_dimensions() -> None:
    a = np.zeros((1, 3, 2))
    named = [None, np.zeros((0, 0)), row(1), row(3, 2), row(2, 7), row(4), "all"]
    found = [(1,), (1,), (0,), (1, 2), (1,), (), (0, 1, 2)]
    assert [READ.axes(a, dim, "f") for dim in named] == found


def test_names_and_values() -> None:
    known = ["Width", "Shape"]
    assert READ.options(["shape", "flat", "Wid", 3], known, "f") == {"Shape": "flat", "Width": 3}
    assert READ.options([], known, "f") == {}


ERRORS: list[tuple[Callable[[], Any], str, str]] = [
    (lambda: READ.floating("x", "f"), "kit:f:invalidInput", "Input must be numeric."),
    (lambda: READ.real(row(1j), "f"), "kit:f:mustBeReal", "Input must be real."),
    (lambda: READ.vector(np.ones((2, 2)), "f"), "kit:f:mustBeVector", "Input must be a vector."),
    (lambda: READ.scalar(row(1, 2), "f", "N"), "kit:f:mustBeScalar", "N must be a scalar."),
    (lambda: READ.integer(row(0), "f", "N", 1), "kit:f:mustBeInteger",
     "N must be an integer of 1 or more."),
    (lambda: READ.integer(row(np.inf), "f"), "kit:f:mustBeInteger",
     "Input must be an integer of 0 or more."),
    (lambda: READ.one_of("s", ["same", "sum"], "f"), "kit:f:unknownOption",
     "Unrecognized option 's'."),
    (lambda: READ.one_of("sane", ["same", "full"], "f"), "kit:f:unknownOption",
     "Unrecognized option 'sane'. Did you mean 'same'?"),
    (lambda: READ.one_of(row(1), ["same", "full"], "f"), "kit:f:unknownOption",
     "Option must be text."),
    (lambda: READ.one_of("flul", ["same", "full"], "f", "Shape"), "kit:f:unknownOption",
     "Shape must be one of 'same', 'full', and is 'flul'. Did you mean 'full'?"),
    (lambda: READ.one_of(row(1), ["same", "full"], "f", "Shape"), "kit:f:unknownOption",
     "Shape must be one of 'same', 'full', and is no text."),
    (lambda: READ.vector("x", "f", "Knots"), "kit:f:invalidInput", "Knots must be numeric."),
    (lambda: READ.scalar(row(1j), "f", "Width"), "kit:f:mustBeReal", "Width must be real."),
    (lambda: READ.axes(row(1), row(0), "f"), "kit:f:mustBeDimension",
     "Dimensions must be positive integers."),
    (lambda: READ.axes(row(1), row(1.5), "f"), "kit:f:mustBeDimension",
     "Dimensions must be positive integers."),
    (lambda: READ.axes(row(1), row(5, 5), "f"), "kit:f:repeatedDimension",
     "Dimensions must be different."),
    (lambda: READ.axes(row(1), "every", "f"), "kit:f:unknownOption",
     "Unrecognized option 'every'."),
    (lambda: READ.options(["Width"], ["Width"], "f"), "kit:f:oddOptions",
     "Options must come as names and values."),
]  # fmt: skip


@pytest.mark.parametrize(("call", "identifier", "message"), ERRORS)
def test_errors(call: Callable[[], Any], identifier: str, message: str) -> None:
    with pytest.raises(MatlabError) as raised:
        call()
    assert raised.value.identifier == identifier
    assert raised.value.message == message
