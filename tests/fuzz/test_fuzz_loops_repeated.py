"""Loops drawn at random whose trips are several kernels: the same with capture and without."""

from __future__ import annotations

import random

import pytest

from tests.accel.loops import Outcome, same
from tests.fuzz.test_fuzz_loops import Loop

SETUP = """
rng({seed});
A = rand(60,50); B = randn(60,50); C = rand(60,50,'single'); x = rand(60,30); r = rand(1,30);
G = rand(60,60)/30; H = rand(50,50)/25; u = x(:,1); k = 2; n = 0; s = 0; flag = true;
Z = zeros(60,30); W = A; V = B; m = zeros(1,30); K = A > 0.5; c = B + 1i*A; D = zeros(60,30)+1i;
"""
PROVIDERS = ("inprocess", "null", "wgpu", "native")


class Several(Loop):
    """A program whose loop also multiplies, sorts, sums up and orthogonalises."""

    def large(self, depth: int = 0) -> str:
        way = self.rng.random()
        if depth > 2 or way < 0.6:
            return super().large(depth + 1)
        below = self.large(depth + 1)
        return self.rng.choice(
            [
                f"tanh(G * {below})",
                f"tanh({below} * H)",
                f"tanh({below} * (W' * V) / 60)",
                f"cumsum(tanh({below})) / 60",
                f"sort({below}, 2)",
                f"({below} - mean({below}, 'all'))",
                f"{below} .* K",
                f"fliplr({below})",
                f"real(ifft(fft({below})))",
            ]
        )

    def statement(self) -> str:
        pick = self.rng.choice
        way = self.rng.random()
        if way < 0.65:
            return super().statement()
        return pick(
            [
                "s = 0.5*s + sum(W(:))/3000;",
                "s = max(V, [], 'all') / (1 + max(abs(V), [], 'all'));",
                "[W, ~] = qr(W, 0);",
                "V = V / norm(V, 'fro');",
                "K = V > s;",
                "K = ~K;",
                "W(K) = 0.5;",
                "u = tanh(G * u);",
                "h = W; W = V; V = h;",
                "V = W;",
                "Z(:,t) = G * u;",
                "m(t) = sum(V(:));",
                "W = tanh(W + t * s);",
                "c = c * (0.6 + 0.3i) + 0.1*W;",
                "c = G * c / (1 + max(abs(c(:))));",
                "c = sqrt(c) .* exp(0.1i * tanh(V));",
                "V = 0.5*V + 0.1*abs(c);",
                "W = imag(c .* conj(c)) + tanh(real(c));",
                "D(:,t) = c(:,3);",
                "Z(:,t) = 0.5*Z(:,t+1) + u;",
                "u = 0.5*u + Z(:,t);",
                "Z(:,t) = Z(:,t) + tanh(G * Z(:,t+1));",
            ]
        )


def check(seed: int, provider: str) -> bool:
    text = Several(random.Random(seed)).text + "\nq1 = rand(2,2);"
    setup = SETUP.format(seed=seed)
    found = Outcome(text, provider, True, setup)
    expected = Outcome(text, provider, False, setup)
    found.close()
    expected.close()
    try:
        same(found, expected, exact=False)
    except AssertionError as problem:
        raise AssertionError(f"{provider}, seed {seed}:\n{text}\n{problem}") from None
    return bool(found.captured)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_with_and_without_capture(provider: str) -> None:
    captured = sum([check(seed, provider) for seed in range(12)])
    assert captured >= 3  # or it would be a test of ordinary loops


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 1000, 100))
def test_many(first: int) -> None:
    for seed in range(first, first + 100):
        check(seed, PROVIDERS[seed % 4])
