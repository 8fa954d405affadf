"""Patterns of text: what they match, how they are put together, displayed and refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session

Same = Callable[[str, str], None]

CHARACTERS = [
    ('extract("a12 b345", digitsPattern)', '["12";"345"]'),
    ('extract("a12 b345", digitsPattern(2))', '["12";"34"]'),
    ('extract("a12 b345", digitsPattern(2,3))', '["12";"345"]'),
    ('extract("1 22 333", digitsPattern(2,Inf))', '["22";"333"]'),
    ('extract("Größe x_1", lettersPattern)', '["Größe";"x"]'),
    ('extract("ab-c1", alphanumericsPattern)', '["ab";"c1"]'),
    ('extract("a  b", whitespacePattern)', '"  "'),
    ('extract("abc", wildcardPattern)', '["a";"b";"c"]'),
    ('extract("abcde", wildcardPattern(2))', '["ab";"cd"]'),
    ('extract("<a><bc>", "<" + wildcardPattern(2,3) + ">")', '"<bc>"'),
    ('extract("(a(b)c)", "(" + wildcardPattern("Except", "(" | ")") + ")")', '"(b)"'),
    ('extract("hello", characterListPattern("lo"))', '["l";"l";"o"]'),
    ('extract("a]b^c-", characterListPattern("]^-"))', '["]";"^";"-"]'),
    ('extract("hello", characterListPattern("a","h"))', '["h";"e"]'),
    ("extract('a1', digitsPattern)", "{'1'}"),
    ("extract({'a1'; 'b2'}, digitsPattern)", "{'1'; '2'}"),
    ('extract(["a1 2" "b3 4"], digitsPattern)', 'cat(3, ["1" "3"], ["2" "4"])'),
    ('size(extract("abc", digitsPattern))', "[0 1]"),
    ('extract("abcabc", "bc")', '["bc";"bc"]'),
    ('extract(["ab" "cd"], 2)', '["b" "d"]'),
]

PARTS = [
    ('extract("colour color", "colo" + optionalPattern("u") + "r")', '["colour";"color"]'),
    ('extract("aaab", asManyOfPattern("a", 1, 2) )', '["aa";"a"]'),
    ('matches("ababab", asManyOfPattern("ab", 3))', "true"),
    ('matches("abab", asManyOfPattern("ab", 3))', "false"),
    ('extract("aaab", asFewOfPattern("a") + "b")', '"aaab"'),
    ('contains("aaa", possessivePattern(asManyOfPattern("a")) + "a")', "false"),
    ('contains("aaa", asManyOfPattern("a") + "a")', "true"),
    ('contains("ABC", caseInsensitivePattern("b") + "C")', "true"),
    ('contains("ABC", caseInsensitivePattern("b") + "c")', "false"),
    ('count("aA", caseSensitivePattern("a") | "x", "IgnoreCase", true)', "1"),
    ('extract("5kg 6m", digitsPattern + lookAheadBoundary("m"))', '"6"'),
    ('extract("x12 y34", lookBehindBoundary("y") + digitsPattern)', '"34"'),
    ('extract("ab12cd", lookBehindBoundary(digitsPattern) + lettersPattern)', '"cd"'),
    ('extract("a.b.c", regexpPattern("[a-z]\\."))', '["a.";"b."]'),
    ('extract("aabb", regexpPattern("(\\w)\\1"))', '["aa";"bb"]'),
    (
        'extract("x1y1 x1y2", regexpPattern("x(?<n>\\d)y\\k<n>") + textBoundary | "z")',
        "strings(0,1)",
    ),
    ('extract("AB ab", regexpPattern("ab", "IgnoreCase", true))', '["AB";"ab"]'),
    ('extract("a" + newline + "b", regexpPattern("^.$", "Anchors", "line"))', '["a";"b"]'),
    ('extract("ab", regexpPattern("a b", "IgnoreWhitespace", true))', '"ab"'),
    ('matches("2024-05", namedPattern(digitsPattern(4), "year") + "-" + digitsPattern)', "true"),
]

PLACES = [
    ('split("ab12cd", digitBoundary)', '["ab";"12";"cd"]'),
    ('split("ab12cd", digitBoundary("end"))', '["ab12";"cd"]'),
    ('replace("ab 12", letterBoundary("start"), "_")', '"_ab 12"'),
    ('replace("ab", ~letterBoundary, "_")', '"a_b"'),
    ('count("one two", alphanumericBoundary)', "4"),
    ('count("a b", whitespaceBoundary("either"))', "2"),
    ('replace("a" + newline + "b", lineBoundary("end"), ";")', '"a;" + newline + "b;"'),
    ('insertBefore("ab", textBoundary("start"), ">")', '">ab"'),
    ('contains(["1a" "a1"], digitsPattern + textBoundary("end"))', "[false true]"),
]

FUNCTIONS = [
    ('contains(["a1" "b"], digitsPattern)', "[true false]"),
    ("contains({'a1', 'b'}, digitsPattern)", "[true false]"),
    ('contains("AB", lettersPattern + "b", "IgnoreCase", true)', "true"),
    ('contains("abc", ["x" digitsPattern])', "false"),
    ('contains("abx", ["x" digitsPattern])', "true"),
    ('startsWith("12ab", digitsPattern)', "true"),
    ('startsWith("ab12", digitsPattern)', "false"),
    ('endsWith(["a.txt" "b.m"], "." + lettersPattern(1))', "[false true]"),
    ('matches(["a1" "a12"], lettersPattern + digitsPattern(1))', "[true false]"),
    ("count('a1b22', digitsPattern)", "2"),
    ("erase('a1b22', digitsPattern)", "'ab'"),
    ('replace(["a1" "b22"], digitsPattern, "#")', '["a#" "b#"]'),
    ('replace("cat 12", [lettersPattern digitsPattern], ["w" "n"])', '"w n"'),
    ('split("a, b;c", ("," | ";") + optionalPattern(whitespacePattern))', '["a";"b";"c"]'),
    ('split(["a1b";"c2d"], digitsPattern)', '["a" "b";"c" "d"]'),
    ("strfind('a1b22', digitsPattern)", "[2 4]"),
    ('strfind(["a1" "2"], digitsPattern)', "{2, 1}"),
    ('strfind("a1", digitsPattern, "ForceCellOutput", true)', "{2}"),
    ('extractBefore("ab12", digitsPattern)', '"ab"'),
    ('extractAfter(["k = v" "w"], " = ")', '["v" missing]'),
    ('extractAfter("a--b-c", asManyOfPattern("-"))', '"b-c"'),
    ('extractBetween("<a> <<b>>", asManyOfPattern("<"), ">")', '["a";"b"]'),
    ('eraseBetween("f(x) g[y]", "(" | "[", ")" | "]")', '"f() g[]"'),
    ('replaceBetween("a1b2c", digitsPattern, digitsPattern, "_")', '"a1_2c"'),
    ('insertAfter("a1b22", digitsPattern, "!")', '"a1!b22!"'),
    ('insertBefore("a1b22", digitsPattern, "#")', '"a#1b#22"'),
    # the functions for parts of text take several texts, too
    ("insertAfter('abc', {'a', 'b'}, '-')", "'a-b-c'"),
    ("extractBetween('f(x)g[y]', {'(', '['}, {')', ']'})", "{'x'; 'y'}"),
    ('extractBefore("abc", "")', '""'),
]

ARRAYS = [
    ('size(["a" digitsPattern; lettersPattern "b"])', "[2 2]"),
    ("class(pattern({'a', 'b'}))", "'pattern'"),
    ("isa(digitsPattern, 'pattern')", "true"),
    ("isequal(digitsPattern(2), digitsPattern(2))", "true"),
    ("isequal(digitsPattern(2), digitsPattern(3))", "false"),
    ('isequal(pattern("a"), "a")', "true"),
    ('matches("b2", [lettersPattern; "x"] + digitsPattern)', "true"),
    ('size(["a" "b"] + digitsPattern)', "[1 2]"),
    ('numel(reshape(pattern(["a" "b"]), 2, 1))', "2"),
]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(("code", "expected"), [*CHARACTERS, *PARTS, *PLACES, *FUNCTIONS, *ARRAYS])
def test_expression(same: Same, code: str, expected: str) -> None:
    same(code, expected)


def test_elements_and_growth(session: Session) -> None:
    session.run('p = ["a" digitsPattern]; p(3) = "c"; q = p([1 3]); p(2) = [];')
    assert session.eval('isequal(p, pattern(["a" "c"])) && isequal(p, q)')


def test_split_tells_what_it_found(session: Session) -> None:
    session.run(
        '[p, m] = split("a-b_c", ["-" "_"]); [q, n] = split(["a1b"; "c22d"], digitsPattern);'
    )
    assert session.eval('isequal(p, ["a"; "b"; "c"]) && isequal(m, ["-"; "_"])')
    assert session.eval('isequal(q, ["a" "b"; "c" "d"]) && isequal(n, ["1"; "22"])')
    session.run("[p, m] = split('abc', '-');")
    assert session.eval("isequal(p, {'abc'}) && isequal(size(m), [0 1])")


SHOWN = [
    ("digitsPattern(2,Inf)", "digitsPattern(2,Inf)"),
    ('("a" | "b") + digitsPattern | "c"', '("a" | "b") + digitsPattern | "c"'),
    ('optionalPattern("""" + lettersPattern)', 'optionalPattern("""" + lettersPattern)'),
    ('asManyOfPattern("a" | "b", 1, 2)', 'asManyOfPattern("a" | "b",1,2)'),
    ('~letterBoundary("start") + "x"', '~letterBoundary("start") + "x"'),
    ('wildcardPattern(2,"Except",digitsPattern)', 'wildcardPattern(2,"Except",digitsPattern)'),
    ('namedPattern(digitsPattern, "n") + maskedPattern("a" | "b", "ab")', "n + ab"),
    ('regexpPattern("a.b")', 'regexpPattern("a.b")'),
    ('characterListPattern("a", "f")', 'characterListPattern("a","f")'),
    ('lookBehindBoundary("a" | "b")', 'lookBehindBoundary("a" | "b")'),
]  # fmt: skip


@pytest.mark.parametrize(("code", "shown"), SHOWN)
def test_display(session: Session, code: str, shown: str) -> None:
    assert session.capture(f"p = {code}") == (
        f"\np = \n\n  pattern\n\n  Matching:\n\n    {shown}\n\n"
    )


def test_display_of_arrays(session: Session) -> None:
    session.run("format compact")
    shown = session.capture('p = ["a" digitsPattern; lettersPattern "b"]')
    empty = session.capture("p = p([])")
    session.run("format loose")
    assert shown == (
        'p = \n  2×2 pattern array\n  Matching:\n    "a"               digitsPattern\n'
        '    lettersPattern    "b"          \n'
    )
    assert empty == "p = \n  0×0 empty pattern array\n"
    assert "{1×1 pattern}" in session.capture("c = {digitsPattern}")


ERRORS = [
    ("pattern(5)", "MATLAB:pattern:InvalidInput"),
    ("digitsPattern + 5", "MATLAB:pattern:InvalidInput"),
    ("pattern(string(missing))", "MATLAB:pattern:MissingText"),
    ("~digitsPattern", "MATLAB:pattern:InvalidNot"),
    ("digitsPattern == digitsPattern", "MATLAB:UndefinedFunction"),
    ("digitsPattern(-1)", "MATLAB:digitsPattern:InvalidCount"),
    ("lettersPattern(3, 2)", "MATLAB:lettersPattern:InvalidRange"),
    ("digitsPattern(1, 2, 3)", "MATLAB:maxrhs"),
    ('characterListPattern("ab", "c")', "MATLAB:characterListPattern:InvalidInput"),
    ('wildcardPattern("Exept", "a")', "MATLAB:wildcardPattern:UnknownOption"),
    ('regexpPattern("(a")', "MATLAB:regexp:invalidExpression"),
    ('contains("a", lookBehindBoundary("a" + asManyOfPattern("b")))', "MATLAB:pattern:Unsupported"),
    ("contains(5, digitsPattern)", "MATLAB:contains:InvalidInput"),
    ('contains("a", digitsPattern, "Case", true)', "MATLAB:contains:UnknownOption"),
    ('split(["a1b" "c"], digitsPattern)', "MATLAB:string:MustHaveEqualNumber"),
    ('replace("a", digitsPattern, ["x" "y"])', "MATLAB:replace:SizeMismatch"),
    ("extract(5, digitsPattern)", "MATLAB:extract:InvalidInput"),
    ('extract("abc", 4)', "MATLAB:string:PositionOutOfRange"),
    ('extract("abc", 0)', "MATLAB:extract:InvalidPosition"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code + ";")
    assert raised.value.identifier == identifier
