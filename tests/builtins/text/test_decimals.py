"""Plain decimal numbers read by arithmetic on their bytes are the doubles that Python reads."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from runmat_core.builtins.text import convert
from runmat_core.builtins.text import decimals as module
from runmat_core.builtins.text.convert import str2double
from runmat_core.builtins.text.decimals import decimals
from runmat_core.values import CellArray, to_numpy
from runmat_core.values.cell import object_array
from runmat_core.values.char import chars

#: A number without exponent as JSON writes it.
PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


@pytest.fixture(autouse=True)
def short_texts_and_blocks(monkeypatch):
    monkeypatch.setattr(module, "_LONG", 0)
    monkeypatch.setattr(module, "_BLOCK", 64)


def numeral(rng):
    digits = rng.randint(1, 19)
    text = "".join(rng.choices("0123456789", k=digits))
    point = rng.randint(1, digits)
    whole = text[:point].lstrip("0") or "0"
    return rng.choice(["", "-"]) + whole + ("." + text[point:] if point < digits else "")


def bits(numbers):
    return np.array(numbers, float).view(np.uint64).tolist()


@pytest.mark.parametrize("seed", range(50))
def test_same_doubles(seed):
    rng = random.Random(seed)
    words = [numeral(rng) for _ in range(rng.randint(1, 60))]
    found = decimals(",".join(words), ",")
    assert found is not None
    assert found.shape == (1, len(words))
    assert bits(found[0]) == bits(list(map(float, words)))


@pytest.mark.parametrize("seed", range(50))
def test_rows(seed):
    rng = random.Random(seed)
    rows = [[numeral(rng) for _ in range(4)] for _ in range(rng.randint(1, 30))]
    text = "\n".join(" ".join(row) for row in rows) + rng.choice(["", "\n"])
    found = decimals(text, " ", "\n")
    assert found is not None
    assert found.tolist() == [list(map(float, row)) for row in rows]


@pytest.mark.sweep(40)
@pytest.mark.parametrize("seed", range(200))
def test_one_odd_character(seed):
    """A text that has become another one is read as Python reads it, or not at all."""
    rng = random.Random(seed)
    text = ",".join(numeral(rng) for _ in range(rng.randint(1, 40)))
    for _ in range(20):
        at = rng.randrange(len(text))
        odd = text[:at] + rng.choice("0123456789.-+,e \n_x") + text[at + rng.randint(0, 1) :]
        words = odd.split(",")
        plain = all(map(PLAIN.fullmatch, words))
        found = decimals(odd, ",")
        if found is not None:
            assert plain
            assert bits(found[0]) == bits(list(map(float, words)))
        else:
            assert not plain, odd


ODD = ["", ",", "1,", ",1", "-", ".", "-.", "1.", ".5", "-.5", "--1", "1-", "1.2.3", "01", "-01.5"]
ODD += ["+1", "1e5", "nan", "1,,2", "1 ", " 1", "1_0", "\u0661", "1;2", "1\n2"]


@pytest.mark.parametrize("text", ODD)
def test_not_plain(text):
    assert decimals(text, ",") is None


@pytest.mark.parametrize(
    "text", ["1,2\n3", "1\n2,3", "1,2\n\n3,4", "1,2\n3,4,", "\n1,2", "1,2,3\n4"]
)
def test_rows_of_different_lengths(text):
    assert decimals(text, ",", "\n") is None


@pytest.mark.parametrize("mark", [".", "-", "0", "7", "", "::", "\u20ac"])
def test_marks_that_a_number_may_hold(mark):
    assert decimals(f"1{mark}2", mark) is None


WORDS = ["1", "-2.5", "0.125", "-0"]


@pytest.mark.parametrize("odd", ["1", "1,5", "", "1e3", " 7", "x", "1,2,3", "\u0661", "1_0"])
def test_str2double(odd, monkeypatch):
    cell = CellArray(object_array(chars([*WORDS, odd, "3", *WORDS]), (5, 2)))
    at_once = to_numpy(str2double(cell))
    monkeypatch.setattr(convert, "decimals", lambda *_: None)
    one_by_one = to_numpy(str2double(cell))
    assert at_once.shape == (5, 2)
    assert bits(at_once.ravel(order="F")) == bits(one_by_one.ravel(order="F"))


def test_short_texts_are_left_alone(monkeypatch):
    monkeypatch.undo()
    assert decimals("1,2", ",") is None
    assert decimals("1.5," * 999 + "2", ",") is not None


#: What spoils a column that is otherwise written with one format, one at a time.
ODD = [
    "",
    "7",
    "1.5",
    "1.25",
    "-0.125",
    "1..5",
    "1.2.345",
    ".",
    "-",
    "+2.125",
    "x.125",
    "1234567890",
]


@pytest.mark.parametrize("behind", [0, 3])
@pytest.mark.parametrize("odd", ODD)
def test_columns_of_one_format(behind, odd):
    rng = random.Random(behind)
    plain = [f"{rng.uniform(-99, 99):.{behind}f}" for _ in range(300)]
    at = {0: odd, 100: odd} if odd else {}
    words = [at.get(k, word) for k, word in enumerate(plain)]
    raw = bytes(module.MARGIN) + ",".join(words).encode() + bytes(module.MARGIN)
    ends = np.cumsum([len(word) + 1 for word in words]) + module.MARGIN - 1
    starts = ends - [len(word) for word in words]
    values, known = module.numbers(np.frombuffer(raw, np.uint8), starts, ends)
    for value, fine, word in zip(values.tolist(), known.tolist(), words, strict=True):
        try:
            expected = float(word)
        except ValueError:
            assert not fine, word
        else:
            assert fine, word
            assert bits([value]) == bits([expected])
