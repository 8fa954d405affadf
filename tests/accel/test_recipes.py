"""Calls of several operations that are remembered make the very nodes of the ordinary way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.accel.capture import recipes
from runmat_core.accel.capture.recipes import Recipe
from runmat_core.session import config
from tests.accel.direct_ways import SETUP, fresh, node

LARGER = """
x = linspace(-1, 1, 90)' + 0; y = x + 2; A = reshape(1:100, 10, 10) + 0; C = A * 3;
"""
COMPUTED = LARGER + "t = tic; seconds = toc(t);"
VIEWS = (
    LARGER
    + """
D = [A C C]; A = D(1:9, 2:10); C = D(2:10, 11:19); x = D(:, 3:12); x = x(:); y = D(1:100)';
"""
)


@pytest.fixture
def s() -> Iterator[Session]:
    with fresh() as session:
        yield session


@pytest.mark.parametrize("setup", [LARGER, COMPUTED, VIEWS], ids=["pending", "there", "views"])
@pytest.mark.parametrize(
    "expression",
    [
        "cast(x, 'single')",
        "gammaln(abs(x))",
        "realsqrt(abs(x))",
        "diff(x)",
        "diff(A, 2, 2)",
        "dot(x, y)",
        "dot(x, x)",
        "dot(A, C)",
        "trapz(x)",
        "trapz(x, y)",
        "cumtrapz(x)",
        "cumtrapz(A)",
        "circshift(x, 7)",
        "circshift(A, [1 -2])",
        "fftshift(A)",
        "repmat(A, 2, 3)",
        "repmat(x, [1 3])",
        "repelem(x, 2)",
        "permute(A, [2 1 3])",
        "rot90(A)",
        "flip(x)",
        "diag(A)",
        "trace(A)",
        "tril(A, 1)",
        "kron(A, C)",
        "cov(A)",
        "corrcoef(A)",
        "vecnorm(A)",
        "polyval([3 2 1], x)",
        "max(A, [], 2)",
        "min(x)",
        "cummax(x)",
        "cart2pol(x, y)",
    ],
)
def test_what_a_call_is_made_of_is_the_same_by_recipe(
    s: Session, monkeypatch: pytest.MonkeyPatch, expression: str, setup: str
) -> None:
    s.run(setup)
    several = ("max", "min", "cummax", "cart2pol")
    names = ["_other"] if expression.startswith(several) else []
    graph = s.interp.seat.graph
    graph.pinned = True
    s.run(f"{_targets('plain', names)} = {expression};")
    graph.pinned = False
    # worked out, written down
    s.run(f"{_targets('short', names)} = {expression};")
    s.run(f"{_targets('short', names)} = {expression};")
    made = []
    by_recipe = Recipe.made

    def counting(recipe: Recipe, *rest: Any) -> Any:
        made.append(rest)
        return by_recipe(recipe, *rest)

    monkeypatch.setattr(Recipe, "made", counting)
    s.run(f"{_targets('short', names)} = {expression};")
    assert made
    for suffix in ("", *names):
        mine, theirs = node(s, f"short{suffix}"), node(s, f"plain{suffix}")
        assert mine.value_number == theirs.value_number
        assert (mine.static, mine.shape, mine.cls) == (theirs.static, theirs.shape, theirs.cls)
        assert (mine.guarded, mine.meets) == (theirs.guarded, theirs.meets)
        assert mine.line[1] == theirs.line[1] == 1
        assert np.array_equal(s[f"short{suffix}"], s[f"plain{suffix}"])


def _targets(name: str, others: list[str]) -> str:
    return f"[{', '.join(name + suffix for suffix in ('', *others))}]"


@pytest.mark.parametrize(
    "code",
    [
        # the same array twice, and two
        "r = [dot(x, y) dot(x, x) dot(y, y) dot(y, x)];",
        # numbers that make another array of it, zeros of both signs
        "r = [circshift(x, 1) circshift(x, 2) x]; q = repmat(x, [1 2]); p = repmat(x, [2 1]);",
        "r = polyval([1 0], x); q = 1 ./ polyval([1 -0], x .* 0); p = 1 ./ polyval([1 0], x .* 0);",
        # numbers that are computed
        "c = A(1, 1:2) .* 0 + [1 2]; r = repmat(x, c); c = c + 1; q = repmat(x, c);",
        "c = [2 1]; r = permute(A, c); c = c + 0; q = permute(A, c); p = permute(A, fliplr(c));",
        # views, of the same array and of others
        "r = [dot(x, x(:)) dot(A(:, 1), A(:, 2)) dot(A(:, 3), A(:, 4)) dot(A(:, 2), A(:, 2))];",
        "r = diff(A(:, 1)); q = diff(A(:, 2)); p = diff(A(2, :)); o = diff(A(3, :));",
        # sizes
        "r = diff(x); q = diff(x(1:9)); p = diff(A); o = diff(single(x));",
    ],
)
def test_recipes_serve_calls_of_their_form_alone(s: Session, code: str) -> None:
    host = Session(config=config.load().replace(accel__provider="none"))
    for _ in range(4):
        s.run(SETUP + code)
        host.run(SETUP + code)
        for name in ("r", "q", "p", "o"):
            if name in host.workspace:
                assert np.allclose(s[name], host[name], 1e-14, 0.0), name


def test_few_recipes_are_kept(s: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipes, "FORMS", 4)
    s.run(SETUP + "for k = 1:9, r = circshift(x, k); end, q = circshift(x, 9);")
    assert np.array_equal(s["r"], s["q"])
