"""Fields of text and their numbers and dates: the quick ways give what the general ones give."""

from __future__ import annotations

import random
import re
import struct

import numpy as np
import pytest

from runmat_core.builtins.sheets import content as contents
from runmat_core.builtins.sheets import moments, repeats
from runmat_core.builtins.sheets.fields import Column, Dialect, Fields
from runmat_core.builtins.sheets.tokens import fields_of
from runmat_core.builtins.text.decimals import numbers
from runmat_core.values.time import patterns

PIECES = ['"', '""', '",', ',"', '"\n', ",", "\n", " ", "a", "1.5", "é", '"x"']


def told(fields: Fields) -> object:
    rows = [fields.texts(k, "") for k in range(fields.height)]
    return rows, fields.lines.tolist(), None if fields.quoted is None else fields.quoted.tolist()


def expected(text: str, mark: str) -> object:
    """The fields of a text, read one after the other."""
    stop = f"({re.escape(mark)}|\\n|\\Z)"
    field = re.compile(r'[ \b\t]*"((?:[^"]|"")*)"[ \b\t]*' + stop)
    plain = re.compile(f"((?:(?!{re.escape(mark)}).)*){stop}")
    rows: list[list[str]] = [[]]
    quoted: list[bool] = []
    lines, at, line = [0], 0, 0
    while True:
        match = field.match(text, at)
        quoted.append(match is not None)
        match = match or plain.match(text, at)
        assert match is not None
        rows[-1].append(match[1].replace('""', '"') if quoted[-1] else match[1])
        line += match[0].count("\n")
        at = match.end()
        if match[2] == "\n" and at < len(text):
            rows.append([])
            lines.append(line)
        elif match[2] != mark:
            return rows, lines, quoted if any(quoted) else None


@pytest.mark.parametrize("mark", [",", "::"])
def test_texts_are_cut_as_field_by_field(mark: str) -> None:
    rng = random.Random(5)
    dialect = Dialect(delimiters=(mark,), trailing="keep", empty_lines="read")
    for _ in range(4000):
        text = "".join(rng.choices(PIECES, k=rng.randrange(1, 14))).replace(",", mark)
        fields = fields_of(contents.of_bytes(text.encode()), dialect)
        assert told(fields) == expected(text, mark), text


def column_of(words: list[str]) -> Column:
    content = contents.of_bytes("\n".join(words).encode())
    return fields_of(content, Dialect(delimiters=("|",), empty_lines="read")).column(0)


def _number(rng: random.Random) -> str:
    kind = rng.randrange(8)
    if kind == 6:
        exponent = rng.choice(["e", "E"]) + rng.choice(["", "+", "-", "-0"])
        return f"{rng.gauss(0, 1):.{rng.randrange(20)}f}{exponent}{rng.randrange(40)}"
    if kind == 7:
        return f"{rng.gauss(0, 10 ** rng.randrange(-20, 20)):.{rng.randrange(19)}e}"
    if kind == 0:
        return repr(struct.unpack("<d", rng.randbytes(8))[0])
    if kind == 1:
        return repr(rng.gauss(0, 1) * 10.0 ** rng.randrange(-6, 18))
    if kind == 2:
        return str(rng.randrange(-(10 ** rng.randrange(1, 21)), 10 ** rng.randrange(1, 21)))
    if kind == 3:
        # halfway between two doubles, or a hair from it
        return f"{2**53 + rng.randrange(2**53) | 1}.{rng.choice(['5', '50001', '49999', '0'])}"
    if kind == 4:
        digits = "".join(rng.choices("0123456789", k=rng.randrange(30)))
        return f"{rng.choice(['', '-', '+', '0', '00'])}{rng.randrange(1000)}.{digits}"
    return "".join(rng.choices("0123456789.-+: e", k=rng.randrange(1, 9)))


def test_decimals_are_those_of_python() -> None:
    rng = random.Random(7)
    words = [_number(rng) for _ in range(40_000)]
    column = column_of(words)
    values, known = numbers(column.content.octets, column.starts, column.ends)
    assert known.sum() > 17_000
    for word, value, is_known in zip(words, values.tolist(), known.tolist(), strict=True):
        if is_known:
            assert repr(value) == repr(float(word)), word


@pytest.mark.parametrize("form", ["uuuu-MM-dd", "dd/MM/uuuu HH:mm:ss", "dd-MMM-uuuu HH:mm:ss.SSS"])
def test_dates_are_those_of_the_general_reader(form: str) -> None:
    rng = random.Random(form)
    sample = {"uuuu": 4, "MMM": 3, "MM": 2, "dd": 2, "HH": 2, "mm": 2, "ss": 2, "SSS": 3}
    words = []
    for _ in range(3000):
        word = form
        for piece, width in sample.items():
            digits = str(rng.randrange(10**width // 3)).zfill(width)
            word = word.replace(
                piece, rng.choice(["Jan", "feb", "Dec"]) if piece == "MMM" else digits
            )
        words.append(word if rng.random() < 0.9 else word.replace("0", rng.choice("x-0"), 1))
    found = moments.times(column_of(words), form)
    assert found is not None
    right = 0
    for word, value, known in zip(words, *found, strict=True):
        moment = patterns.read(word, form, 1950, (2000, 1, 1))
        assert bool(known) == (moment is not None), word
        if moment is not None:
            right += 1
            whole = np.longdouble(moment.milliseconds) + np.longdouble(moment.seconds) * 1000
            assert value == whole, word
    assert 100 < right < 3000


@pytest.mark.parametrize("longest", [5, 9, 16])
def test_repeated_texts(longest: int) -> None:
    rng = random.Random(longest)
    pool = ["".join(rng.choices("abé0", k=rng.randrange(longest))) for _ in range(400)]
    words = rng.choices(pool, k=5000)
    different, codes = repeats.distinct(column_of(words))
    assert len(different) < 500
    assert [different[k] for k in codes.tolist()] == words


@pytest.mark.parametrize(
    ("dialect", "text", "rows"),
    [
        (Dialect(delimiters=(" ",), consecutive="join"), " a  b c ", [["", "a", "b", "c"]]),
        (
            Dialect(delimiters=(" ",), consecutive="join", leading="ignore"),
            " a  b c\n\n  d",
            [["a", "b", "c"], ["d"]],
        ),
        (Dialect(delimiters=("::", ",")), "a::b,c\nd:e::f", [["a", "b", "c"], ["d:e", "f"]]),
        (Dialect(line_endings=(";",)), "a,b;c\n,d;", [["a", "b"], ["c\n", "d"]]),
        (Dialect(comments=("%",)), 'a,"%"% x\n% y\nb,c', [["a", "%"], ["b", "c"]]),
        (Dialect(comments=("/*", "*/")), "a,/* x\ny */\nb,c", [["a", ""], ["b", "c"]]),
        (Dialect(comments=("#",), empty_lines="read"), "a\n# x\n\nb", [["a"], [""], ["b"]]),
        (Dialect(widths=(2, 3)), "abcdef\nxé y", [["ab", "cde"], ["xé", "y"]]),
        (Dialect(trailing="ignore"), "a,b,\nc,d,\n", [["a", "b"], ["c", "d"]]),
        (Dialect(trailing="keep"), "a,b,\nc,d,\n", [["a", "b", ""], ["c", "d", ""]]),
        (Dialect(), 'a,"b\r\nc"\r\nd,e\rf,g', [["a", "b\nc"], ["d", "e"], ["f", "g"]]),
        (Dialect(), 'a,"b\nc,d\ne', [["a", '"b'], ["c", "d"], ["e"]]),
    ],
)
def test_dialects(dialect: Dialect, text: str, rows: list[list[str]]) -> None:
    fields = fields_of(contents.of_bytes(text.encode()), dialect)
    assert [fields.texts(k, dialect.whitespace) for k in range(fields.height)] == rows
