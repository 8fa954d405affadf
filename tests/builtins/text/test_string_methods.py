"""Functions that strings have as methods, and positions at the ends of texts."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session

SAME = {
    's.strip.split(",").upper': '["A"; "B"]',
    "s.strip().append(\"!\", 'q')": '"a,b!q"',
    "s.strlength": "5",
    's.strip.split(",").join("+")': '"a+b"',
    "t.a.upper": '"X"',
    "c{1}.reverse": '"zy"',
    "s.strip.char": "'a,b'",
    's.contains(",")': "true",
    "[s; s].strip.extractAfter(2)": '["b"; "b"]',
    "f(s)": '" b,b "',
    'extractBefore("abc", 1)': '""',
    'extractBefore("abc", 4)': '"abc"',
    'extractBefore("", 1)': '""',
    'extractAfter("abc", 0)': '"abc"',
    'extractAfter("abc", 3)': '""',
}


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session()
    session.run("""
    s = " a,b "; t.a = "x"; c = {"yz"}; f = @(s) s.replace("a", "b");
    """)
    return session


@pytest.mark.parametrize("code", SAME)
def test_value(session: Session, code: str) -> None:
    session.run(
        f"assert(isequal({code}, {SAME[code]}) && strcmp(class({code}), class({SAME[code]})))"
    )


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("s.nosuch", "MATLAB:structRefFromNonStruct"),
        ("s.nosuch(1)", "MATLAB:structRefFromNonStruct"),
        ('extractBefore("abc", 5)', "MATLAB:string:PositionOutOfRange"),
        ('extractAfter("abc", 4)', "MATLAB:string:PositionOutOfRange"),
        ('extractBefore("abc", 0)', "MATLAB:extractBefore:InvalidPosition"),
        ('extractBetween("abc", 0, 2)', "MATLAB:extractBetween:InvalidPosition"),
    ],
)
def test_error(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        session.run(f"x = {code};")
    assert caught.value.identifier == identifier
