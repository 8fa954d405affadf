"""Runs of statements leave the same behind whether what they capture is remembered or not.

They are in functions, or in files that are run again, with arrays that differ each time.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runmat_core.accel.capture import early
from tests.accel.loops import Outcome, remembered, same, session
from tests.fuzz.loops import FUNCTIONS, NAMES, ODD, SETUP, STATEMENTS

PROVIDERS = ("inprocess", "null", "none")
#: Nothing is remembered in sessions with arrays that the program put on the device.
VARIABLES = [name for name in NAMES.split() if name != "X"]
#: What another run begins with.
AGAIN = """
A = rand(60,50); B = randn(60,50); C = rand(60,50,'single'); x = rand(60,30); G = rand(60,60)/30;
u = x(:,1); W = A; V = B; K = A > 0.5; c = B + 1i*A; F = C; P = rand(20,10,30); Q = rand(20,10);
Z = zeros(60,30); m = zeros(1,30); R = zeros(30,60); D = zeros(60,30) + 1i; L = A;
I = int32(100*B); U = uint8(200*A); t = 4; k = 2; n = 0; s = 0.25; q = 0.3; d = 1; word = 'b';
o = 0;
"""
MORE = """
L = sqrt(V); W = real(L);
W = log(A); V = W + V;
L = x(:, 2:7); u = sum(L, 2);
a8 = round(x * 20) + 1; u = r(a8(:, 1))';
L = V(:, 1:2:end)'; W = W .* L(7);
W = rand(60,50) + V; u = randn(60,1);
s = rand; W = W * s;
L = A(A > 0.5); u = u * sum(L);
if s > 0.5, W = W + 1; end
if k == 2, W = W + 1; else, V = V * 2; end
for j = 1:12, W = 0.9*W + rand(60,50); end
for j = 1:8, u = u*0.5 + x(:,j); end
for j = 5:n, V = V + j; end
V = asin(W); W = acosh(V);
r = r + 1; u = u * r(2);
L = zeros(60,50); L(:,3) = u; W = W + L;
[V, L] = split(V);
W = damped(V, k) + noisy(W);
F = F .* single(k) + noisy(F);
V = max(V, W) - min(V, 0) .* B; L = mean(V); W = W ./ (1 + L);
c = c .* W + 1i; V = abs(c);
K = W > V; W = W .* K; I = I + int32(k);
a9 = linspace(0, k, 60)'; W = W + a9;
W = W + A * rand(50, 3) * rand(3, 50);
a7 = rand(50, 1); W = W .* a7'; if a7(3) > 2, W = W + 1; end
u = u .* rand(size(u)); s = rand(1);
a6 = randi(60, 20, 1); u = u + sum(a6); L = B(a6, :);
a5 = rand(1, 50, 'single'); F = F .* a5; a4 = randn(1, 50); W = W - a4;
V = A' * B; [a3, ~] = qr(V(:, 1:3), 0); W = W + 0.1 * (A * a3) * a3';
G = G * G; u = G * u; V = A * (A' * B);
""".strip().splitlines()


def program(rng: random.Random) -> str:
    # of the others many look at numbers, and what follows from that is not remembered
    pools = [MORE, MORE, MORE, STATEMENTS]
    count = rng.randint(2, 7)
    lines = [rng.choice(rng.choice(pools) if rng.random() < 0.95 else ODD) for _ in range(count)]
    # what is put on a device ends all remembering, and nothing is left to leave
    left = ("gpuArray", "break", "continue", "X(", "global")
    return "\n".join([line for line in lines if not any(word in line for word in left)])


class Runs:
    """A program that is run several times, each with other arrays.

    Attributes:
        outcomes: what each run left.
        remembered: how often a run of statements was not run.
    """

    def __init__(self, provider: str, setup: str, text: str, folder: Path, on: bool) -> None:
        made = session(provider, RUNMAT_ACCEL_PASSAGES="true" if on else "false")
        made.run(setup)
        self.outcomes: list[Any] = []
        for _ in range(5):
            made.run(AGAIN)
            self.outcomes.append(Outcome.of(made, text))
        self.remembered = remembered(made)


def check(rng: random.Random, provider: str, folder: Path) -> int:
    """How often a run of statements was remembered."""
    body = program(rng)
    seed = rng.randint(0, 999)
    name = f"whole{len(list(folder.iterdir()))}"
    names = ", ".join(VARIABLES)
    if rng.random() < 0.5:
        text = f"[{names}] = {name}({names});"
        head = f"function [{names}] = {name}({names})"
        (folder / f"{name}.m").write_text(f"{head}\n{body}\nend\n")
    else:
        (folder / f"{name}.m").write_text(body)
        text = f"run('{name}');"
    setup = SETUP.format(seed=seed, folder=folder).replace("X = gpuArray(x);", "")
    # of half of the programs products are large enough to be started early
    with patch.object(early, "DEAR", rng.choice((1e3, early.DEAR))):
        found, expected = [Runs(provider, setup, text, folder, on) for on in (True, False)]
    for k, (one, other) in enumerate(zip(found.outcomes, expected.outcomes, strict=True)):
        try:
            same(one, other, exact=False)
        except AssertionError as problem:
            where = f"{provider}, seed {seed}, run {k}: {text[-30:]}"
            raise AssertionError(f"{where}:\n{body}\n{problem}") from None
    assert not expected.remembered
    return found.remembered


@pytest.mark.parametrize("provider", PROVIDERS)
def test_with_and_without_remembering(provider: str, tmp_path: Path) -> None:
    for name, text in FUNCTIONS.items():
        (tmp_path / f"{name}.m").write_text(text)
    found = sum([check(random.Random(seed), provider, tmp_path) > 0 for seed in range(12)])
    # or it would be a test of ordinary statements
    assert found or provider == "none"


@pytest.mark.slow
@pytest.mark.parametrize("provider", [*PROVIDERS, "wgpu"])
def test_many(provider: str, tmp_path: Path) -> None:
    for name, text in FUNCTIONS.items():
        (tmp_path / f"{name}.m").write_text(text)

    @settings(
        max_examples=60 if provider == "wgpu" else 600,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=False))
    def drawn(rng: random.Random) -> None:
        check(rng, provider, tmp_path)

    drawn()
