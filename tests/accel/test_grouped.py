"""Sums of elements that share a subscript, and counts in bins: as host rules have them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.accel.elements import run

INPUTS = """
C = [A(:); Inf; -Inf; NaN]; k = ceil(rand(300, 1) * 7); v = rand(300, 1) - 0.3;
"""

#: Programs, the library call that they come to, and numbers that are read on the way.
PROGRAMS = {
    "sums": ("R = accumarray(k, v);", "accumulate", 1),
    "sums of a given size": ("R = accumarray(k, v, [9 1]);", "accumulate", 0),
    "sums in a row": ("R = accumarray(k, v, [1 12]);", "accumulate", 0),
    "counts": ("R = accumarray(k, 1);", "accumulate", 1),
    "multiples": ("R = accumarray(k, 2, [9 1]);", "accumulate", 0),
    "sums of a scalar": ("R = accumarray(k, 0.3);", "accumulate", 1),
    "greatest": ("R = accumarray(k, v, [], @max);", "accumulate", 1),
    "least": ("R = accumarray(k, v, [9 1], @min);", "accumulate", 0),
    "greatest beside NaN": (
        "v(2) = NaN; R = accumarray([k; 9], [v; NaN] + 0, [9 1], @max);",
        "accumulate",
        0,
    ),
    "two subscripts": ("R = accumarray([k k + 1], v);", "accumulate", 2),
    "three subscripts": (
        "R = accumarray([k mod(k, 3) + 1 k], v, [7 3 8]);",
        "accumulate",
        0,
    ),
    "sums of singles": ("R = accumarray(k, single(v));", "accumulate", 1),
    "sums of logicals": ("R = accumarray(k, v > 0);", "accumulate", 1),
    "whole subscripts": ("R = accumarray(int16(k), v);", "accumulate", 1),
    "bins": ("R = histcounts(x + 1, 0:.1:2);", "histogram", 0),
    "bins with infinities": ("R = histcounts(C * 2, -1:.25:1);", "histogram", 0),
    "a number of bins": ("R = histcounts(C * 2, 10);", "histogram", 5),
    "edges and bins": (
        "[n, e, b] = histcounts(A * 2, 7); R = [n(:); e(:); b(:)];",
        "histogram",
        5,
    ),
    "automatic bins": ("[n, e] = histcounts(A * 2); R = [n(:); e(:)];", "histogram", 5),
    "whole numbers": ("[n, e] = histcounts(round(B * 9)); R = [n(:); e(:)];", "histogram", 5),
    "one value": ("R = histcounts(B * 0 + 3);", "histogram", 5),
    "edges that repeat": (
        "R = histcounts(single(A) * 2, [-1 0 0 .5]);",
        "histogram",
        0,
    ),
    "bins of integers": ("R = histcounts(int8(B) + 1, 0:3:12);", "histogram", 0),
    "bins of logicals": ("R = histcounts(A > 0, [0 .5 1]);", "histogram", 0),
    "counts between edges": ("R = histc(x * 2, -1:.2:1);", "histogram", 0),
    "counts of a column": ("[n, b] = histc(C * 2, -1:.2:1); R = [n; b];", "histogram", 0),
}
#: What host rules must see, and say.
LEFT = {
    "no subscript": "try\nR = accumarray(k - 1, v);\ncatch e\nR = double(e.identifier);\nend",
    "not whole": "try\nR = accumarray(k / 2, v);\ncatch e\nR = double(e.identifier);\nend",
    "too large": "try\nR = accumarray(k, v, [3 1]);\ncatch e\nR = double(e.identifier);\nend",
    "too large in a column": (
        "try\nR = accumarray([k k], v, [9 5]);\ncatch e\nR = double(e.identifier);\nend"
    ),
    "another function": "R = accumarray(k, v, [9 1], @(z) numel(z));",
    "a fill value": "R = accumarray(k, v, [9 1], [], 5);",
    "integers": "R = double(accumarray(k, int16(v * 9)));",
    "one subscript": "R = accumarray(k(1:1) + 0, 2);",
    "columns": "R = histc(A * 2, -1:.2:1);",
    "named": "R = histcounts(A * 2, 'BinWidth', .1);",
    "densities": "R = histcounts(A * 2, 4, 'Normalization', 'pdf');",
    "edges that fall": "try\nhistcounts(x + 1, [1 0]);\ncatch e\nR = double(e.identifier);\nend",
    "nothing finite": "R = histcounts(A * NaN);",
}


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() | LEFT.keys()))
def test_results_are_those_of_host_rules(name: str, provider: str) -> None:
    body = INPUTS + (LEFT[name] if name in LEFT else PROGRAMS[name][0])
    expected, _, _ = run(body, accel__provider="none")
    force = "host" if provider == "inprocess" else "device"
    found, labels, session = run(body, accel__provider=provider, accel__offload__force=force)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    eps = 1e-6 if found.dtype == np.float32 else 1e-12
    np.testing.assert_allclose(found, expected, rtol=eps, atol=1e-15)
    assert session.interp.seat is not None
    assert session.interp.seat.engine.counters.faults == 0
    calls = {"accumulate", "histogram"} & set(labels)
    assert calls == ({PROGRAMS[name][1]} if name in PROGRAMS else set())


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_a_few_numbers_come_to_the_host(name: str) -> None:
    body, _, numbers = PROGRAMS[name]
    body = body.partition("R = [")[0] or body
    settings = {"accel__provider": "null", "accel__offload__force": "device"}
    start = INPUTS + "wait(gpuDevice);"
    downloaded = []
    for program in ("", body):
        _, _, session = run(f"{start} {program} wait(gpuDevice); R = 1;", **settings)
        assert session.interp.seat is not None
        downloaded.append(session.interp.seat.engine.places.moved()[1])
    # an input that changes on the host comes there once; so do edges that are a range
    rest = {"greatest beside NaN": 300, "bins of integers": 5}.get(name, 0)
    assert downloaded[1] - downloaded[0] == 8 * (numbers + rest)


def test_groups_of_nothing_but_nan() -> None:
    found, _, _ = run("R = accumarray([1; 2; 2], [3; NaN; NaN], [3 1], @max);")
    np.testing.assert_array_equal(found.ravel(), [3, np.nan, 0])
