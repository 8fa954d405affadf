"""Plans leave open where parts of arrays in memory begin."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.accel.graph.addressing import compose
from runmat_core.accel.planning.places import Symbol
from runmat_core.session import config

OFF = config.load().replace(accel__provider="none")

#: Bodies of loops over ``k`` that read parts of the 60 x 24 matrix ``A``, and into ``v(k)``.
BODIES = {
    "column": "v(k) = max(abs(A(:,k)));",
    "row": "v(k) = sum(A(k,:).^2);",
    "columns": "v(k) = sum(sum(A(:,k:k+2) .* A(:,3:-1:1)));",
    "two parts": "v(k) = sum(A(3:50,k) .* A(5:52,22-k));",
    "equal first": "v(k) = sum(A(:,4) .* A(:,3+k));",
    "shifted": "x = A(2:end,k) - A(1:end-1,k); v(k) = max(x);",
    "reshaped": "B = reshape(A(:,k), [10 6]); v(k) = max(sum(B(3:9,:), 1));",
    "turned": "v(k) = sum(cumsum(flip(A(:,k))));",
    "product": "v(k) = A(:,k)' * A(:,22-k);",
    "diagonal": "v(k) = sum(diag(A(:,k:k+1)' * A(:,1:2)));",
    "sorted": "x = sort(A(:,k)); v(k) = x(7);",
    "by a host rule": "x = conv(A(:,k) + 1, [1 2]); v(k) = x(5);",
    "joined": "x = [A(:,k); A(:,k) + 1]; v(k) = sum(x .* x);",
}


def made(provider: str) -> Session:
    force = "device" if provider == "null" else "host"
    session = Session(
        config=config.load().replace(
            accel__provider=provider, accel__threshold=8, accel__offload__force=force
        )
    )
    session["A"] = np.random.default_rng(7).standard_normal((60, 24))
    # what is computed stays on the provider
    session.run("A = A + 1; if sum(A(:)) > 1e9, A, end; v = zeros(1, 20);")
    return session


def loop(session: Session, body: str) -> np.ndarray:
    # asking in every step keeps the loop from being captured as a whole
    session.run(f"for k = 1:20, {body} if v(k) > 1e9, k, end, end")
    return np.asarray(session["v"])


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("name", BODIES)
def test_parts_are_right_wherever_they_begin(name: str, provider: str) -> None:
    with made(provider) as session, made("none") as plain:
        for _ in range(2):
            np.testing.assert_allclose(
                loop(session, BODIES[name]), loop(plain, BODIES[name]), rtol=1e-12, atol=1e-12
            )


@pytest.mark.parametrize(
    "name", ["column", "columns", "two parts", "shifted", "reshaped", "turned", "product", "sorted"]
)
def test_a_loop_over_parts_makes_one_plan(name: str) -> None:
    with made("inprocess") as session:
        seat = session.interp.seat
        assert seat is not None
        before = seat.engine.counters.plans_made
        loop(session, BODIES[name])
        # the first columns are read before it is known that the whole is worth keeping
        assert seat.engine.counters.plans_made - before <= 4


def test_a_place_remembers_where_it_comes_from_through_sums() -> None:
    fixed: set[int] = set()
    place = Symbol(5, (1,), fixed)
    found = compose((3, (2, 0)), (4, 1), (10, 1), (place, (1, 0)))
    assert found is not None
    moved, strides = found
    assert isinstance(moved, Symbol)
    assert (int.__add__(moved, 0), moved.nodes, strides) == (8, (1,), (2, 0))
    assert (place + Symbol(2, (4,), fixed)).nodes == (1, 4)
    assert not fixed


def test_places_from_different_nodes_are_never_equal() -> None:
    fixed: set[int] = set()
    first, second = Symbol(5, (1,), fixed), Symbol(5, (2,), fixed)
    assert first != second
    assert first != 5
    assert first == Symbol(5, (1,), fixed)
    assert len({first, second, Symbol(5, (1,), fixed)}) == 2
    assert Symbol(0, (1,), fixed)


def test_a_plan_that_depends_on_a_place_says_so() -> None:
    fixed: set[int] = set()
    # a part of what is no straight run depends on where it begins
    compose((Symbol(4, (7,), fixed), (1, 0)), (2, 1), (4, 3), (0, (1, 8)))
    assert fixed == {7}
