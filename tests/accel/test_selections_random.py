"""Drawn programs of masks, computed places, sorted order and groups, on variables that they change.

What a provider computes, piece by piece and in place, is what host rules give.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.accel.elements import run

START = "X = round((rand(40, 8) - .3) * 9); Y = round((rand(40, 8) - .5) * 7); m = X > 0; s = 0;"
END = "R = gather([X; Y; m; s * ones(1, 8)]);"

STATEMENTS = [
    "m = {v} > {c};",
    "{v}(m) = {c};",
    "{v}(m) = {w}(m);",
    "{v}(m) = 2 * {v}(m) - {w}(m);",
    "q = {w}(m); {v}(m) = q(end:-1:1);",
    "{v}(:, {i}) = {c};",
    "{v}({j}, :) = {w}({j}, :);",
    "m = {v}(:, {i}) > 0; {v}(m, :) = {c}; m = X > 0;",
    "m = {v}(:, {i}) > 0; {v}(m, :) = {w}(m, :); m = Y > 0;",
    "k = find({v}); s = s + numel(k);",
    "k = find({v} > 1, 5, 'last'); s = s + sum(k);",
    "[~, k] = sort({v}(:)); {w}(k) = {w};",
    "[~, k] = sort({v}(:, {i})); {w} = {w}(k, :);",
    "s = s + sum({v}(m));",
    "s = s + numel(unique({v}));",
    "s = s + sum(median({v}));",
    "s = s + sum(mode({v}, 2));",
    "a = accumarray(mod(abs({v}(:)), 6) + 1, {w}(:), [6 1]); s = s + a' * (1:6)';",
    "s = s + histcounts({v}, -10:2:40) * (1:25)';",
    "k = mod(abs(round({v}(1, :))), 40) + 1; {w}(k, :) = {v}(k, :);",
    "t = {v}; t(m) = 5; s = s + sum(t(:));",
    "for t = 1:3\nm = {v} > t; {v}(m) = {v}(m) - 1;\nend",
    "{v} = {w};",
    "{v} = {v} + 1;",
    "s = s + {v}(3);",
    "{v}(7) = {c};",
    "wait(gpuDevice);",
]


def drawn(seed: int) -> str:
    rng = random.Random(seed)
    lines = [START.replace("X = ", "X = gpuArray(", 1).replace(";", ");", 1)]
    if rng.random() < 0.7:
        lines = [START]
    for _ in range(rng.randrange(3, 10)):
        v, w = rng.choice("XY"), rng.choice("XY")
        c, i, j = rng.choice([0, 2, -3]), rng.randrange(1, 9), rng.randrange(1, 41)
        lines.append(rng.choice(STATEMENTS).format(v=v, w=w, c=c, i=i, j=j))
    return "\n".join([*lines, END])


@pytest.mark.sweep(12)
@pytest.mark.parametrize("seed", range(30))
def test_programs(seed: int) -> None:
    body = drawn(seed)
    expected, _, _ = run(body, accel__provider="none")
    for provider, force in (("inprocess", "host"), ("null", "device")):
        found, _, session = run(body, accel__provider=provider, accel__offload__force=force)
        np.testing.assert_allclose(found, expected, rtol=1e-12, err_msg=body)
        assert session.interp.seat is not None
        assert session.interp.seat.engine.counters.faults == 0
