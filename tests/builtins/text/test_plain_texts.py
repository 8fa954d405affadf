"""Cell arrays of char rows alone take a short way, which gives what the long one gives."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runmat_core.session import Session


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(provider="none") as made:
        yield made


REPLACED = [
    ("'ab', 'a', 'x%d$0'", "x%dab"),
    ("'ab', '(a)|(b)', '[$1$2]'", "[a][b]"),
    ("'ab', '(a)|(b)', '[$2]'", "[][b]"),
    ("'ab', 'b', '<$1>'", "a<b>"),
    ("'ab', '(b)', '<$2>'", "a<>"),
    ("'aXb', 'X', '$`'", "aab"),
    ("'aXb', 'X', '[$&]'", "a[X]b"),
    ("'abc', 'x*', '-'", "abc"),
    ("'abc', 'x*', '-', 'emptymatch'", "-a-b-c-"),
    ("'aaa', 'a', 'b', 'once'", "baa"),
    ("'aaa', 'a', 'b', 2", "aba"),
    ("'abc', {'a', 'b'}, {'b', 'c'}", "ccc"),
    ("'ab', '(?<n>b)', '$<n>$<n>'", "abb"),
    ("'ab', 'b', 'x\\\\$1\\n'", "ax\\b\n"),
]


@pytest.mark.parametrize(("arguments", "expected"), REPLACED)
def test_regexprep(session: Session, arguments: str, expected: str) -> None:
    subject, rest = arguments.split(", ", 1)
    assert session.eval(f"regexprep({subject}, {rest})") == expected
    session.run(f"c = regexprep({{{subject}, 'q'; {subject}, 'q'}}, {rest});")
    assert session.eval("size(c)").tolist() == [[2, 2]]
    assert session.eval("c{2, 1}") == expected


NUMBERS = [
    "{'1', '-2.5e3'; 'Inf', 'nan'}",
    "{'1', '1_0'; '2', '3'}",
    "{'1', 'x'; '', '3'}",
    "{'1', '2i'; '1,000', '3'}",
    "{'1', ['1';'2']; 4, {}}",
    "{'1', zeros(1, 0); '1d2', ' 3 '}",
]


@pytest.mark.parametrize("cells", NUMBERS)
def test_str2double_reads_cells_as_it_reads_texts(session: Session, cells: str) -> None:
    session.run(
        f"c = {cells}; r = str2double(c); s = zeros(2);"
        "for k = 1:4, if ischar(c{k}), s(k) = str2double(c{k}); else, s(k) = NaN; end, end"
    )
    assert session.eval("isequaln(r, s)")


@pytest.mark.parametrize("name", ["isempty", "islogical", "length", "ndims", "prodofsize"])
@pytest.mark.parametrize("cells", ["{'', 'a'; 'bcd', 'e'}", "{'', 'a'; [1;2], true}", "{'a'}"])
def test_names_of_cellfun(session: Session, name: str, cells: str) -> None:
    handle = {"prodofsize": "numel"}.get(name, name)
    session.run(f"c = {cells}; r = cellfun('{name}', c); s = cellfun(@(x) {handle}(x), c);")
    assert session.eval("isequal(r, s) && isequal(class(r), class(s))")


def test_texts_are_distinct_and_found(session: Session) -> None:
    session.run(
        "c = {'b', 'a'; 'b', ''}; [u, k, m] = unique(c); [t, l] = ismember(c, {'b' 'x' 'b'});"
    )
    assert session.eval("isequal(u(:), {''; 'a'; 'b'}) && isequal(c(k), u)")
    assert session.eval("isequal(u(m), reshape(c, [], 1))")
    assert session.eval("isequal(t, logical([1 0; 1 0])) && isequal(l, [1 0; 1 0])")
    session.run('[t, l] = ismember(["a" missing], [missing "a" "a"]);')
    assert session.eval("isequal(t, [true false]) && isequal(l, [2 0])")
