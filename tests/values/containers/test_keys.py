"""Which values are the same key: keyMatch, keyHash, and what dictionaries find."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import MatlabError, Session

SAME = [
    ("1", "1"),
    ("0", "-0"),
    ("NaN", "0/0"),
    ("[1 NaN; 3 4]", "[1 NaN; 3 4]"),
    ("single([0 2])", "single([-0 2])"),
    ("complex(1, 0)", "1"),
    ("[1i NaN]", "[1i NaN]"),
    ("complex(0, [-0 1])", "complex(0, [0 1])"),
    ("sparse([0 1; 2 NaN])", "[0 1; 2 NaN]"),
    ("sparse([1 2])", "[1 2]"),
    ("sparse([true false])", "[true false]"),
    ("[]", "zeros(0, 0)"),
    ("'abc'", "'abc'"),
    ("['ab'; 'cd']", "['ab'; 'cd']"),
    ('["a" missing]', '["a" missing]'),
    ("{1, 'a', {NaN}}", "{1, 'a', {NaN}}"),
    ("struct('a', 1, 'b', 2)", "struct('b', 2, 'a', 1)"),
    ("@sin", "@sin"),
    ("NaT", "NaT"),
    ("datetime(2020, 1, 1:3)", "datetime(2020, 1, 1:3)"),
    (
        "datetime(2020, 1, 1, 12, 0, 0, 'TimeZone', 'UTC')",
        "datetime(2020, 1, 1, 13, 0, 0, 'TimeZone', '+01:00')",
    ),
    ("hours([1 NaN])", "minutes([60 NaN])"),
    ("calmonths(12)", "calyears(1)"),
    ("categorical({'a', ''})", "categorical({'a', ''})"),
    ('table([1; NaN], ["x"; "y"])', 'table([1; NaN], ["x"; "y"])'),
    ("timetable(seconds(1:2)', [1; 2])", "timetable(seconds(1:2)', [1; 2])"),
    ("dictionary([1 2], [3 NaN])", "dictionary([2 1], [NaN 3])"),
    ("int64(9007199254740992) + 1", "int64(9007199254740992) + 1"),
]

DIFFERENT = [
    ("1", "single(1)"),
    ("1", "true"),
    ("1", "2"),
    ("[1 2]", "[1; 2]"),
    ("[0 1]", "[1 0]"),
    ("zeros(0, 3)", "[]"),
    ("[0 0]", "[0 0 0]"),
    ("1i", "1"),
    ("[1 1i]", "[1i 1]"),
    ("'a'", '"a"'),
    ("'ab'", "'ba'"),
    ("{1}", "{int8(1)}"),
    ("{}", "{[]}"),
    ("struct('a', 1)", "struct('b', 1)"),
    ("@sin", "@cos"),
    ("datetime(2020, 1, 1)", "datetime(2020, 1, 2)"),
    ("datetime(2020, 1, 1)", "datetime(2020, 1, 1, 'TimeZone', 'UTC')"),
    ('categorical("a")', 'categorical("b")'),
    ("hours(1)", "hours(2)"),
    ("table(1)", "table(2)"),
    ("timetable(seconds(1), 1)", "timetable(seconds(2), 1)"),
    ("sparse([0 1])", "sparse([1 0])"),
    ("containers.Map", "containers.Map"),
    ("int64(9007199254740992) + 1", "int64(9007199254740992)"),
]


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.mark.parametrize(("a", "b"), SAME)
def test_same_keys_match_and_have_one_hash(a: str, b: str, session: Session) -> None:
    assert session.eval(f"keyMatch({a}, {b})") is True
    assert session.eval(f"keyHash({a}) == keyHash({b})") is True


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_other_keys_do_not_match(a: str, b: str, session: Session) -> None:
    assert session.eval(f"keyMatch({a}, {b})") is False
    assert session.eval(f"keyMatch({b}, {a})") is False


def test_a_hash_is_an_unsigned_number(session: Session) -> None:
    assert session.eval("class(keyHash('a'))") == "uint64"
    assert session.eval("size(keyHash(magic(4)))").tolist() == [[1, 1]]
    hashes = "arrayfun(@(k) keyHash(k), 1:1000)"
    assert session.eval(f"numel(unique({hashes})) == 1000") is True


def test_handles_match_themselves_alone(session: Session) -> None:
    session.run("m = containers.Map; n = m; f = @(x) x; g = f;")
    assert session.eval("keyMatch(m, n) && keyHash(m) == keyHash(n)") is True
    assert session.eval("keyMatch(f, g) && keyHash(f) == keyHash(g)") is True


@pytest.mark.parametrize(
    ("keys", "key"),
    [
        ("datetime(2020, 1, 1:3)", "datetime(2020, 1, 2)"),
        ("seconds(1:3)", "seconds(2)"),
        ('categorical(["a" "b" "c"])', 'categorical("b")'),
        ("{[1 NaN], [2 NaN], 3}", "{[2 NaN]}"),
        ("int8(1:3)", "2"),
        ("[1 1i NaN]", "1i"),
        ("[1 NaN 2]", "0/0"),
        ('["a" missing "c"]', "string(missing)"),
        ("{table(1), table(2), table(3)}", "{table(2)}"),
    ],
)
def test_dictionaries_find_what_matches(keys: str, key: str, session: Session) -> None:
    session.run(f"d = dictionary({keys}, 1:3);")
    assert session.eval(f"d({key})") == 2
    session.run(f"d({key}) = 9;")
    assert session.eval("numEntries(d)") == 3


def test_objects_of_class_files(tmp_path: Path) -> None:
    session = Session(cwd=tmp_path)
    for name, parent in (("Pair", ""), ("Held", " < handle")):
        (tmp_path / f"{name}.m").write_text(
            f"classdef {name}{parent}\nproperties\na\nend\nmethods\n"
            f"function obj = {name}(a)\nobj.a = a;\nend\nend\nend\n"
        )
    session.run("h = Held(1); k = h;")
    assert session.eval("keyMatch(Pair(NaN), Pair(NaN))") is True
    assert session.eval("keyHash(Pair({1})) == keyHash(Pair({1}))") is True
    assert session.eval("keyMatch(Pair(1), Pair(2))") is False
    assert session.eval("keyMatch(h, k) && keyHash(h) == keyHash(k)") is True
    assert session.eval("keyMatch(Held(1), h)") is False


@pytest.mark.parametrize("call", ["keyHash()", "keyMatch(1)", "keyHash(1, 2)", "keyMatch(1, 2, 3)"])
def test_wrong_numbers_of_arguments(call: str, session: Session) -> None:
    with pytest.raises(MatlabError) as caught:
        session.eval(call)
    assert caught.value.identifier in ("MATLAB:minrhs", "MATLAB:TooManyInputs", "MATLAB:maxrhs")
