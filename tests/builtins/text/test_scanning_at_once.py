"""sscanf and textscan: what is read at once is what reading piece by piece gives."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from runmat_core.builtins.files import textscan as reading
from runmat_core.builtins.files import textscan_records as records
from runmat_core.builtins.text import decimals
from runmat_core.builtins.text import scan as scanning

PIECES = ["1", "-2.5", "+3", "1e5", "1d3", "nan", "-inf", ".5", "5.", "007", "x=", "y=", ",", ";"]
PIECES += [" ", "\n", "\t", ":", "(", ")", "abc", "X=", "1_0", "--3", "e5", ", ", " ,", "\r\n", "|"]

FORMATS = ["%f", "%d", "%f,", "%d,%d;", "%d %f", "%f%f", "%d%d", "x=%f y=%d", "%f,%f\n", "%*d %f"]
FORMATS += ["%d:%d:%f", "%f %*f %d", "%g;", "%f, ", "%u %f", "(%f,%f)", "%i %f", "%e\t%d"]
FORMATS += ["%f.", "%f-", "%fe", "%d1", "%d,"]


@pytest.fixture(autouse=True)
def decimals_of_short_texts(monkeypatch):
    monkeypatch.setattr(decimals, "_WORTHWHILE", 0)


@pytest.mark.parametrize("format_", FORMATS)
def test_sscanf(format_, monkeypatch):
    rng = random.Random(format_)
    directives = scanning.parse_format(format_)
    texts = []
    for _ in range(300):
        texts.append("".join(rng.choice(PIECES) for _ in range(rng.randint(0, 9))))
        fitting = ""
        for _ in range(rng.randint(0, 5)):
            one = re.sub(r"%\*?[a-z]", lambda _: rng.choice(["1", "-2.5", "+3", "1e5"]), format_)
            fitting += one + rng.choice(["", " ", "\n"])
        texts.append(fitting[: rng.randint(0, len(fitting) + 3)])

    def read(text):
        found = scanning.scan(text, directives, float("inf"))
        values = np.asarray(found.values).tolist()
        return repr((values, found.position, found.count, found.matched))

    found = [read(text) for text in texts]
    monkeypatch.setattr(scanning, "_scan_uniform", lambda *_: None)
    monkeypatch.setattr(scanning, "_scan_rounds", lambda *_: None)
    for text, at_once in zip(texts, found, strict=True):
        assert at_once == read(text), text


OPTIONS = [
    {},
    {"delimiters": [","]},
    {"delimiters": [",", ";"]},
    {"whitespace": " \b\t,"},
    {"delimiters": ["|"]},
    {"delimiters": ["\t"], "whitespace": " \b"},
    {"delimiters": [","], "end_of_line": ("\n",), "empty_value": 0.0},
    {"delimiters": [" "], "whitespace": "\b\t"},
]
COLUMNS = ["%f", "%f %f", "%d %f %f", "%s %f", "%f %s", "%s", "%s %s", "%f %*f %s", "%d8 %s %f"]


NUMERALS = ["1", "-2.5", "1e5", ".5", "5.", "+3", "nan", "-Inf", *["7"] * 12]
NUMERALS += ["", "3d1", " ", "\t", " 4", "6 ", "NaN(1)", "1_0"]


def lines(rng, fields, mark):
    """Text that mostly fits the fields."""
    text = ""
    for _ in range(rng.randint(0, 5)):
        row = [rng.choice(["ab", "ab", "c d"] if f.kind == "s" else NUMERALS) for f in fields]
        text += mark.join(row) + rng.choice(["", "", "", mark])
        text += rng.choice(["\n", "\n", "\r\n", "\n\n", " \n"])
    return text[: rng.randint(len(text) // 2, len(text) + 9)]


@pytest.mark.parametrize("format_", COLUMNS)
@pytest.mark.parametrize("given", OPTIONS, ids=range(len(OPTIONS)))
def test_textscan(format_, given, monkeypatch):
    monkeypatch.setattr(reading, "_WORTHWHILE", 1)
    rng = random.Random(format_)
    fields = reading._parse_format(format_)

    def read(text):
        reader = reading._Reader(text, records.Options(**given))
        columns = reading._scan(reader, fields, float("inf"))
        return repr(([np.asarray(c, object).tolist() for c in columns], reader.at))

    texts = ["".join(rng.choice(PIECES) for _ in range(rng.randint(0, 14))) for _ in range(60)]
    texts += [lines(rng, fields, given.get("delimiters", [" "])[0]) for _ in range(150)]
    found = [read(text) for text in texts]
    monkeypatch.setattr(records, "pattern", lambda *_: None)
    for text, at_once in zip(texts, found, strict=True):
        assert at_once == read(text), text
