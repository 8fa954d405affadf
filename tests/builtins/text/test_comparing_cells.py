"""strcmp and its family: a text among those of a cell array is what it is to each of them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from runmat_core.builtins.text.compare import strcmp, strcmpi, strncmp, strncmpi
from runmat_core.values import CellArray, CharArray, StringArray, from_numpy, to_numpy
from runmat_core.values.cell import object_array
from runmat_core.values.char import encode

WORDS = ["", "a", "ab", "aB", "abc", "ABC", "b", "äb", "ÄB", "ab "]
OTHERS = [
    *(1.0, True, from_numpy(np.array([[97.0, 98.0]])), StringArray(object_array(["ab"], (1, 1)))),
    *(CharArray(encode(word)) for word in ("a", "ab", "AB", "abc")),
    *(CharArray(np.zeros(shape, np.uint16)) for shape in ((1, 0), (0, 0))),
    CharArray(np.array([[97, 98], [97, 98]], np.uint16)),
]
FUNCTIONS = {
    "strcmp": strcmp,
    "strcmpi": strcmpi,
    **{f"strncmp {n}": lambda a, b, n=n: strncmp(a, b, float(n)) for n in range(4)},
    **{f"strncmpi {n}": lambda a, b, n=n: strncmpi(a, b, float(n)) for n in range(4)},
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_as_alone(name):
    compare = FUNCTIONS[name]
    rng = random.Random(name)
    for trial in range(150):
        items = list(map(CharArray, rng.choices(WORDS, k=rng.randint(2, 6))))
        if trial % 2:
            items[rng.randrange(len(items))] = rng.choice(OTHERS)
        text = CharArray(rng.choice(WORDS))
        cell = CellArray(object_array(items, (len(items), 1)))
        expected = [bool(compare(item, text)) for item in items]
        for found in (compare(cell, text), compare(text, cell)):
            assert to_numpy(found).ravel().tolist() == expected, (items, text)
            assert found.shape == (len(items), 1)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 3), (1, 2, 2)])
def test_shape_of_the_cell(shape):
    count = int(np.prod(shape))
    cell = CellArray(object_array([CharArray(WORDS[k]) for k in range(count)], shape))
    found = strcmp(cell, CharArray("ab"))
    assert found.shape == shape
    assert to_numpy(found).ravel(order="F").tolist() == [WORDS[k] == "ab" for k in range(count)]
