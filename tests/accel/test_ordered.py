"""Medians, modes, quantiles and distinct elements by the device's sort: as host rules have them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.accel.elements import run

INPUTS = """
B = round(rand(60, 8) * 9); C = A; C(:, 5) = NaN; C([1 2], 8) = NaN; C(3, 1) = Inf;
P = reshape(round(C * 9), 6, 10, 8);
"""

#: Programs, and how many launches they take where elements are on the device.
PROGRAMS = {
    "median": ("R = median(A * 2);", 3),
    "median with NaN": ("R = median(C * 2);", 3),
    "median without NaN": ("R = median(C * 2, 'omitnan');", 3),
    "median of rows": ("R = median(C + 1, 2, 'omitnan');", 3),
    "median of singles": ("R = median(single(C) + 1, 2);", 3),
    "median of a vector": ("R = median(x * 2) + 1;", 3),
    "median of all": ("R = median(A * 2, 'all') + 1;", 3),
    "median of pages": ("R = median(P + 1, 3, 'omitnan');", 3),
    "median of an odd number": ("R = median(A(1:59, :) + 1);", 3),
    "median of infinities": ("R = median([A; -Inf(70, 8); Inf(3, 8)] + 1);", 4),
    "mode": ("R = mode(B + 1);", 4),
    "mode with NaN": ("R = mode(round(C * 3) + 1);", 4),
    "mode and frequency": ("[m, f] = mode(round(C * 3) + 1, 2); R = [m f];", 4),
    "mode of all": ("R = mode(B + 1, 'all') * 2;", 4),
    "mode of pages": ("R = mode(P + 1, 2);", 4),
    "mode of integers": ("R = double(mode(int8(B) + 1));", 4),
    "mode of distinct elements": ("R = mode(A * 2);", 4),
    "unique": ("R = unique(B + 1);", 4),
    "unique of a row": ("R = unique(round(x * 9) + 1);", 5),
    "unique with NaN": ("R = unique(C + 1);", 4),
    "unique with places": ("[u, i, j] = unique(B + 1); R = [u; i; j];", 10),
    "unique with first places": ("[u, i] = unique(round(x * 9)); R = [u(:); i];", 6),
    "unique of integers": ("R = double(unique(int16(B) + 1));", 5),
    "unique of logicals": ("R = double(unique(B > 3));", 5),
    "unique of one value": ("R = unique(A(8:60, :) * 0);", 4),
    "unique of signed zeros": ("R = unique([x * 0, x * -0.0, x]);", 6),
    "quantile": ("R = quantile(A * 2, 0.3);", 3),
    "percentiles": ("R = prctile(C * 2, [25 50 75]);", 3),
    "percentiles of rows": ("R = prctile(A * 2, [5 50 95], 2);", 3),
    "percentiles of a vector": ("R = prctile(x * 2, [0 33 100]);", 3),
    "quantiles of all": ("R = quantile(P + 1, [.1 .9], 'all');", 3),
}
#: What the host rules must see.
LEFT = {
    "median of integers": "R = double(median(int8(B) + 1));",
    "median along two dimensions": "R = median(P + 1, [1 2]);",
    "modes that tie": "[m, f, c] = mode(B + 1); R = cellfun(@numel, c);",
    "stable": "R = unique(B + 1, 'stable');",
    "distinct rows": "R = unique(B(:, 1:2) + 1, 'rows');",
    "quantiles of singles": "R = quantile(single(A) * 2, 0.3);",
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
    if provider == "null":
        assert ("sort" in labels) == (name in PROGRAMS)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_few_launches_and_at_most_a_count_on_the_host(name: str) -> None:
    body, launches = PROGRAMS[name]
    settings = {"accel__provider": "null", "accel__offload__force": "device"}
    start = INPUTS + "wait(gpuDevice);"
    _, before, old = run(start + "R = 1;", **settings)
    found, labels, new = run(start + body + "wait(gpuDevice);", **settings)
    assert len(labels) - len(before) == launches
    downloaded = []
    for session in (old, new):
        assert session.interp.seat is not None
        downloaded.append(session.interp.seat.engine.places.moved()[1])
    rest = downloaded[1] - downloaded[0] - found.nbytes
    assert rest == (4 if name.startswith("unique") else 0)
