"""Ranges among the subscripts of a read: as the same numbers in a variable, errors included."""

from __future__ import annotations

from itertools import product

import pytest

from runmat_core import MatlabError
from runmat_core.session import Session

ENDS = ("1", "2", "5", "7", "0", "end", "end-1", "2.5", "-1", "NaN", "true", "single(3)")
STEPS = ("", "1:", "2:", "-1:", "-2:", "0:", "0.5:")
BASES = (
    "1:6",
    "(1:6)'",
    "magic(4)",
    "reshape(1:24,2,3,4)",
    "'abcdefg'",
    "num2cell(1:6)",
    "7",
    "[]",
)


@pytest.fixture(scope="module")
def session():
    with Session(stdout=lambda text: None) as made:
        yield made


def outcome(session: Session, code: str) -> str:
    """What a program shows, or the identifier and the text of its error."""
    shown: list[str] = []
    try:
        session.run(code)
        session.run("found = {class(z), size(z), z};")
    except MatlabError as problem:
        return f"{problem.identifier}: {problem.message}"
    shown.append(repr(session.interp.variables["found"].data.tolist()))
    return "".join(shown)


@pytest.mark.sweep(8)
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("step", STEPS)
def test_a_range_selects_what_its_numbers_select(session, base, step):
    session.run(f"v = {base};")
    for first, last in product(ENDS, ENDS):
        ends = [end.replace("end", "numel(v)") for end in (first, last)]
        direct = outcome(session, f"z = v({first}:{step}{last});")
        stored = outcome(session, f"k = {ends[0]}:{step}{ends[1]}; z = v(k);")
        assert direct == stored, (base, first, step, last)


@pytest.mark.parametrize(
    "subs", ["2:3, :", ":, 1:2", "2, 1:3", "4:-1:2, 1:2:4", "2:5, 1", "1:2, 3:9"]
)
def test_ranges_of_rows_and_columns_select_what_their_numbers_select(session, subs):
    session.run("v = magic(4);")
    rows, columns = (part.strip() for part in subs.split(","))
    direct = outcome(session, f"z = v({subs});")
    quoted = [f"'{part}'" if part == ":" else part for part in (rows, columns)]
    stored = outcome(session, f"p = {quoted[0]}; q = {quoted[1]}; z = v(p, q);")
    assert direct == stored


def test_a_handle_is_given_the_range_itself(session):
    session.run("f = @(k) k; z = f(2:4); w = f(3:-1:1); c = {f}; u = c{1}(1:2);")
    assert (
        session.run("assert(isequal(z, [2 3 4]) && isequal(w, [3 2 1]) && isequal(u, [1 2]))")
        is None
    )


def test_what_is_read_is_a_copy(session):
    session.run("v = 1:6; w = v(1:6); w(1) = 9; x = v; x(1:2) = 0; u = v(2:3); u(1) = 7;")
    session.run("assert(isequal(v, 1:6) && isequal(w, [9 2:6]) && isequal(u, [7 3]))")


@pytest.mark.parametrize("subs", ["2:40000", "40000:-1:2", "1:2:end", "2:end", "10:19"])
def test_a_large_array_is_cut_the_same(session, subs):
    session.run("x = mod((1:50000)' .* 7, 1000) .* 1;")
    session.run(f"z = x({subs}); k = {subs.replace('end', 'numel(x)')}; w = x(k);")
    session.run("assert(isequal(z, w) && isequal(size(z), size(w)))")
