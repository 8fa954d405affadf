"""Long arrays of numbers in JSON text, read at once, are what reading one by one gives."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.files import json_numbers
from runmat_core.builtins.files.json import decode_json
from runmat_core.values import CellArray, StructArray, class_of, to_numpy

NUMBERS = ["0", "-0", "1.5", "-2.25", "123456789.012", "42", "-7", "0.000125"]
ODD = ["1e3", "null", "true", '"x"', "[]", "12345678901234567", "01", "+1", "1.", "NaN", "", "1 2"]


def outcome(source):
    """What a text decodes to, to the last bit, or its error."""
    try:
        return described(decode_json(source))
    except MatlabError as error:
        return error.identifier, error.message


def described(value):
    if isinstance(value, CellArray):
        return "cell", value.shape, [described(item) for item in value.items()]
    if isinstance(value, StructArray):
        records = value.records()
        return "struct", value.shape, [[(n, described(r[n])) for n in r] for r in records]
    data = np.asarray(to_numpy(value))
    return class_of(value), data.shape, data.tobytes(order="F")


def array(rng, count, mark):
    return "[" + mark.join(rng.choices(NUMBERS, k=count)) + "]"


def spoiled(rng, text):
    """The text, most often with something else in the place of a number or a character."""
    kind = rng.randrange(3)
    if kind == 0:
        return text
    at = rng.randrange(len(text))
    if kind == 1:
        at = max(text.rfind(",", 0, at) + 1, text.rfind("[", 0, at) + 1)
        return text[:at] + rng.choice(ODD) + "," + text[at:]
    return text[:at] + rng.choice('[]{},:"0 -.\n') + text[at + rng.randint(0, 1) :]


def sources(rng):
    mark = rng.choice([",", ", ", " ,", ",\n"])
    long = array(rng, 400, mark)
    row_mark = rng.choice([",", ", "])
    matrix = "[" + row_mark.join(array(rng, 3, mark) for _ in range(100)) + "]"
    wide = "[" + row_mark.join(array(rng, 400, mark) for _ in range(2)) + "]"
    cube = f"[{matrix},{matrix}]"
    for one in (long, matrix, wide, cube):
        one = spoiled(rng, one)
        yield one
        yield f'{{"a": {one}, "b": [1, 2, {one}], "c": {json.dumps(one)}}}'
        yield f"[{one}, {long}]"
        yield f" {one}\n"
        yield f'{{"a": {one}}} 1'
        yield f'[{{"a": {one}}}, {{"a": {matrix}}}, NaN]'


@pytest.mark.parametrize("seed", range(25))
def test_as_one_by_one(seed, monkeypatch):
    texts = list(sources(random.Random(seed)))
    at_once = list(map(outcome, texts))
    monkeypatch.setattr(json_numbers, "decimals", lambda *_: None)
    for text, found in zip(texts, at_once, strict=True):
        assert found == outcome(text), text


def test_numbers_are_read_at_once():
    long, matrix = "[" + "1.5," * 999 + "2]", "[" + "[1,2,3], " * 999 + "[4,5,6]]"
    made = json_numbers.parse_json(f'{{"a": {long}, "b": {matrix}}}')
    assert made["a"].shape == (1000, 1)
    assert made["b"].shape == (1000, 3)
    assert json_numbers.parse_json(long).shape == (1000, 1)


def test_an_array_within_a_text_stays_text():
    long = "[" + "1," * 999 + "2]"
    assert json_numbers.parse_json(json.dumps([long])) == [long]
