"""Loops drawn at random leave the same behind whether they become kernels or not."""

from __future__ import annotations

import random

import pytest

from tests.accel.loops import Outcome, same

SETUP = """
rng({seed});
A = rand(60,50); B = randn(60,50); C = rand(60,50,'single'); x = rand(60,30); r = rand(1,30);
u = x(:,1); k = 2; n = 0; flag = true; Z = zeros(60,30); W = A; V = B; m = zeros(1,30);
"""
#: Variables by size and what they may be computed from.
LARGE, COLUMNS, SCALARS = ["W", "V"], ["u"], ["k", "n"]
NUMBERS = "k t 0.5 2 r(t) k*t n r(3) (t-1) rand randi(4) randn max(r(t:t+2))".split()
UNARY = ["sin({})", "abs({})", "floor({})", "-{}", "exp(-abs({}))", "sqrt(abs({}))", "sqrt({})"]
BINARY = ["{} + {}", "{} - {}", "{} .* {}", "max({}, {})", "{} ./ (1 + abs({}))", "({} > 0) .* {}"]


class Loop:
    """A program with one loop; everything depends on what `rng` draws."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        pick = self.rng.choice
        first, step, trips = pick([1, 2, 3]), pick([1, 1, 1, 2]), pick([3, 5, 6, 9])
        self.header = f"for t = {first}:{step}:{first + step * trips}"
        if step == 1 and pick([False, False, True]):
            self.header = f"for t = {first + trips}:-1:{first}"
        self.locals: list[str] = []
        body = [self.statement() for _ in range(self.rng.randint(1, 6))]
        self.text = "\n".join([self.header, *[f"  {line}" for line in body], "end"])

    def large(self, depth: int = 0) -> str:
        """An expression of 60 x 50 elements."""
        pick = self.rng.choice
        if depth > 2 or self.rng.random() < 0.3:
            return pick([*LARGE, "A", "B", *self.locals])
        way = self.rng.random()
        if way < 0.3:
            return pick(UNARY).format(self.large(depth + 1))
        if way < 0.6:
            return f"({pick(BINARY).format(self.large(depth + 1), self.large(depth + 1))})"
        if way < 0.8:
            return f"({self.large(depth + 1)} {pick('+-')} {self.scalar()})"
        if way < 0.9:
            return f"({self.large(depth + 1)} .* {self.column()})"
        return pick(["rand(60,50)", "randn(60,50)", "0.1*sum({0},1).*{0}"]).format(pick(LARGE))

    def column(self) -> str:
        return self.rng.choice(["u", "x(:,t)", "x(:,t+1)", "x(:,3)", "u*0.5", "x(:,2*t-t)"])

    def scalar(self) -> str:
        return self.rng.choice(NUMBERS)

    def statement(self) -> str:
        pick = self.rng.choice
        way = self.rng.random()
        if way < 0.5:
            return f"{pick(LARGE)} = {self.large()};"
        if way < 0.6:
            name = pick(["p", "q"])
            text = f"{name} = {self.large()};"
            self.locals.append(name)
            return text
        if way < 0.7:
            return f"u = 0.5*u + {self.column()};"
        if way < 0.8:
            return pick(["k = k*0.9;", "n = n + 1;", "k = k + r(t);", "n = t;", "k = 3;"])
        if way < 0.88:
            return pick(["Z(:,t) = u;", "Z(:,t+1) = x(:,t);", "m(t) = k;", "Z(3,t) = k;"])
        if way < 0.95:
            return (
                f"if {pick(['flag', 'k > 1', '~flag'])}, W = W*0.5; else, W = {self.large()}; end"
            )
        return f"for j = 1:2, W = W + j*{self.scalar()}; end"


def check(seed: int, provider: str) -> bool:
    text = Loop(random.Random(seed)).text + "\nq1 = rand(2,2);"
    setup = SETUP.format(seed=seed)
    found = Outcome(text, provider, True, setup)
    expected = Outcome(text, provider, False, setup)
    found.close()
    expected.close()
    try:
        same(found, expected, exact=False)
    except AssertionError as problem:
        raise AssertionError(f"seed {seed}:\n{text}\n{problem}") from None
    return bool(found.captured)


@pytest.mark.parametrize("provider", ["inprocess", "native", "null"])
def test_with_and_without_capture(provider: str) -> None:
    captured = sum([check(seed, provider) for seed in range(20)])
    assert captured >= 6  # or it would be a test of ordinary loops


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 1100, 100))
def test_many(first: int) -> None:
    for seed in range(first, first + 100):
        check(seed, ("inprocess", "native", "null")[seed % 3])
