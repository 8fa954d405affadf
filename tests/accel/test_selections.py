"""Masks and computed places: results are those of host rules, and elements stay on the device."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.accel.placement import work
from runmat_core.accel.planning.plan import BufferRef, KernelCall
from runmat_core.api.ir import LibraryCall
from runmat_core.session import Session
from tests.accel import loops
from tests.accel.elements import run

#: Programs and the library calls that they come to.
PROGRAMS = {
    "find": ("R = find(A .* 2 > 0.3);", "compact"),
    "find in a row": ("R = find(x .* 2 > 0.3);", "compact"),
    "subscripts": ("[i, j] = find(A + 1 > 1.2); R = [i j];", "compact"),
    "subscripts and values": ("[i, j, v] = find((A > 0) .* A); R = [i j v];", "compact"),
    "logical values": ("[i, j, v] = find(A > 0); R = i(v) + j(v);", "compact"),
    "the first": ("R = find(A > 0, 7);", "compact"),
    "the last": ("R = find(A > 0, 1000, 'last'); R = [R; find(A > 0, 3, 'last')];", "compact"),
    "none": ("R = find(A > 7);", ""),
    "none of a row": ("R = find(x > 7);", ""),
    "all": ("R = find(A < 7 | A > 0);", "compact"),
    "pages": ("P = reshape(A, 6, 10, 8) + 1; [i, j] = find(P > 1); R = [i j];", "compact"),
    "nonzeros": ("R = nonzeros((A > 0) .* A);", "compact"),
    "nonzeros of integers": ("R = double(nonzeros(int8(A * 9)));", "compact"),
    "a mask": ("R = A(A .* 2 > 0.3) * 2;", "compact"),
    "a mask of another shape": ("R = x(reshape(x > 0, 10, 20));", "compact"),
    "a mask on the host": ("m = rand(60, 8) > 0.5; m(1) = true; C = A + 1; R = C(m);", ""),
    "an empty mask": ("R = A(A > 5);", ""),
    "a full mask": ("R = B(B > 0.5);", "compact"),
    "a mask of pages": ("P = reshape(A, 6, 10, 8) + 1; R = P(P > 1.1);", "compact"),
    "a mask over integers": ("K = int8(A * 9); R = double(K(A > 0));", "compact"),
    "a mask over logicals": ("K = A > 0.2; R = double(K(A > 0));", "compact"),
    "rows by a mask": ("m = B(:, 1) > 1.5; R = A(m, :) * 2;", "compact"),
    "columns by a mask": ("m = B(1, :) > 1.3; R = A(2:30, m) + 1;", "compact"),
    "a short mask of rows": ("m = B(1:50, 1) > 1.5; C = A + 1; R = C(m, [2 1]);", "compact"),
    "a mask is set": ("m = A > 0.2; R = A; R(m) = 0; R = R * 2;", ""),
    "NaN is set": ("R = single(A); R(isnan(R)) = 0;", ""),
    "nothing is set": ("R = A + 1; R(false(60, 8)) = 2;", ""),
    "a mask is set in integers": ("R = int16(A * 99); R(R > 3) = int16(5); R = double(R);", ""),
    "elements where a mask is": ("m = A > 0.2; v = cumsum(A(m)); R = A + 1; R(m) = v;", "expand"),
    "elements changed where a mask is": ("m = A > 0.2; R = A; R(m) = 3 * R(m) - B(m);", ""),
    "a mask over complex numbers": ("C = complex(A, B); R = C(A > 0.2) * 2;", "compact"),
    "complex numbers changed": ("C = complex(A, B); R = C; m = A > 0.2; R(m) = R(m) + C(m);", ""),
    "complex numbers in a real array": (
        "m = A > 0.2; v = cumsum(A(m)); R = A + 1; R(m) = complex(v, 2);",
        "expand",
    ),
    "no complex numbers": ("C = complex(A, B); R = A + 1; R(A > 5) = C(A > 5);", ""),
    "elements that leave the reals elsewhere": (
        "m = A > 0.2; R = A; R(m) = sqrt(R(m)) + 1;",
        "expand",
    ),
    "rows are set": ("m = B(:, 1) > 1.5; R = A + 1; R(m, :) = 0; R = R * 2;", ""),
    "columns are set": ("m = B(1, :) > 1.5; R = A + 1; R(:, m) = 7;", ""),
    "columns of pages are set": (
        "P = reshape(B, 6, 10, 8) + 1; m = P(1, :, 1) > 2.5; P(:, m, :) = 0; R = P;",
        "",
    ),
    "rows of another array": ("m = B(:, 1) > 1.5; R = A + 1; R(m, :) = B(m, :);", "scatter"),
    "rows in another order": ("[~, k] = sort(B(:, 2)); R = A + 1; R(k, :) = B;", "sort"),
    "a part of rows": ("m = B(:, 1) > 1.5; R = A + 1; R(m, [1 3]) = 5;", "scatter"),
    "computed rows": ("k = round(B(:, 1) * 20); R = A + 1; R(k, 2) = 1;", "scatter"),
    "rows changed in place": (
        "R = B + 1; k = find(B(:, 1) > 1.5); R(k, :) = R(k, :) * 2;",
        "scatter",
    ),
    "sorted order": ("[s, k] = sort(x .* 2); R = x(k);", "sort"),
    "sorted rows": ("[~, k] = sort(A(:, 1)); R = A(k, :) + 1;", "sort"),
    "computed places": ("k = round(B * 10); R = x(k) + 1;", ""),
    "single places": ("k = single(round(B * 10)); R = x(k) + 1;", ""),
    "whole places": ("k = int16(B * 10); R = x(k) + 1;", ""),
    "computed places of pages": (
        "P = reshape(A, 6, 10, 8) + 1; k = round(B(:, 1) * 3); R = P(k, :, [1 3]);",
        "",
    ),
    "computed places are set": ("k = round(B * 10); R = A + 1; R(k) = B; R = R * 2;", "scatter"),
    "one value for places": ("k = round(B * 10); R = A .* 2; R(k) = 7;", "scatter"),
    "places of the host are set": (
        "k = repmat([5 1 9 2 2 7 20 4], 1, 9); C = A + 1; C(k) = (1:72) * 2; R = C;",
        "scatter",
    ),
    "logicals are set": ("R = A > 0.1; k = round(B * 10); R(k) = true; R = double(R);", "scatter"),
    "places that were found": ("k = find(A > 0); R = B(k) + A(k);", "compact"),
    "in a loop": ("R = A; for t = 1:4\nm = R < 0.1 * t; R(m) = R(m) + 0.3;\nend", ""),
}
#: What the ordinary rules must see, and say.
LEFT = {
    "no places": "try\nR = x(round(A * 9));\ncatch e\nR = double(e.message);\nend",
    "too far": "try\nR = x(round(B * 150));\ncatch e\nR = double(e.message);\nend",
    "not whole": "try\nR = x(B * 3);\ncatch e\nR = double(e.message);\nend",
    "a mask that is too long": "try\nR = A([B; B] > 0);\ncatch e\nR = double(e.message);\nend",
    "growth": "R = x * 2; R(round(B * 150)) = 3;",
    "growth of rows": "k = round(B(:, 1) * 40); R = A + 1; R(k, 2) = 1;",
    "rows by a short mask": "m = B(1:50, 1) > 1.5; R = A + 1; R(m, :) = 3;",
    "a long mask of rows": "m = [B(:, 1); B(:, 2)] > 1.5; R = A + 1; R(m, :) = 2;",
    "rows that do not fit": (
        "m = B(:, 1) > 1.5; R = A;\ntry\nR(m, :) = ones(2, 8);\ncatch e\n"
        "R = double(e.identifier);\nend"
    ),
    "too few elements": "try\nR = A; R(B > 1.5) = x;\ncatch e\nR = double(e.identifier);\nend",
    "a conversion": "R = A; R(A > 0) = single(0.1);",
    "deletion": "R = x + 1; R(x > 0) = [];",
    "one place": "k = sum(x > 0); R = x(k);",
}


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() | LEFT.keys()))
def test_results_are_those_of_host_rules(name: str, provider: str) -> None:
    body = LEFT[name] if name in LEFT else PROGRAMS[name][0]
    expected, _, _ = run(body, accel__provider="none")
    force = "host" if provider == "inprocess" else "device"
    found, labels, session = run(body, accel__provider=provider, accel__offload__force=force)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert session.interp.seat is not None
    assert session.interp.seat.engine.counters.faults == 0
    if name in PROGRAMS and (provider == "null" or PROGRAMS[name][1] != "sort"):
        call = PROGRAMS[name][1]
        calls = {"compact", "expand", "scatter", "sort"} & set(labels)
        assert (call in calls) if call else not calls


#: Programs on elements that are there: launches of each run, bytes that come to the host, waits.
COUNTED = {
    "k = find(A .* 2 > 0.3); C = k + 1;": (["times+gt+nnz", "compact", "plus"], 4, 1),
    "C = A(B > 1.5);": (["gt+nnz", "compact"], 4, 1),
    "m = B > 1.5; C = A(m) + B(m);": (["gt+nnz", "compact", "compact", "plus"], 4, 1),
    "C = A + 1; C(B > 1.5) = 0;": (["plus+gt+subsasgn"], 0, 0),
    "m = B > 1.5; C = A + 1; C(m) = 2 * C(m);": (["gt+nnz", "plus", "times+subsasgn"], 4, 1),
    "[~, k] = sort(A(:)); C = B(k);": (["subsref", "sort", "subsref+subsref"], 0, 0),
    "m = B(:, 1) > 1.5; C = A + 1; C(m, :) = 0;": (["subsref+gt", "plus+subsasgn"], 0, 0),
    "C = x(round(B * 10));": (["times+round+subsref+subsref"], 0, 1),
    "C = A + 1; C(round(B * 10)) = B;": (
        ["plus", "times+round+subsref", "scatter"],
        0,
        1,
    ),
}


def test_what_is_written_is_counted_again() -> None:
    body = """
    z = B + 1; wait(gpuDevice); a = numel(find(z)); z(:, 4) = 0; b = numel(find(z));
    z(:, 5) = 0; c = numel(z(z > 0)); z(1, :) = 0; R = [a, b, c, numel(find(z))];
    """
    expected, _, _ = run(body, accel__provider="none")
    found, labels, _ = run(body, accel__provider="null", accel__offload__force="device")
    np.testing.assert_array_equal(found, expected)
    assert labels.count("nnz") >= 2


TABLES = {
    "R = t(ceil(rand(30, 20) * 4)) * 2;": True,
    "u = int8(t); R = double(u(ceil(rand(1, 200) * 4))) + 1;": True,
    "q = magic(4); R = q(ceil(rand(1, 200) * 4), 2);": True,
    "try\nR = t(ceil(rand(30, 20) * 5));\ncatch e\nR = double(e.message);\nend": False,
    "try\nR = t(rand(1, 200) > 0.5);\ncatch e\nR = double(e.message);\nend": False,
    "s = 'abcd'; R = double(s(ceil(rand(1, 200) * 4)));": False,
    "c = {1, 2, 3, 4}; R = numel(c(ceil(rand(1, 200) * 4)));": False,
}


@pytest.mark.parametrize("body", TABLES)
def test_small_tables_are_asked_for_many_elements(body: str) -> None:
    program = f"t = [5 3 1 9]; {body}"
    settings = {"accel__threshold": 100, "accel__offload__force": "device"}
    expected, _, _ = run(program, **settings, accel__provider="none")
    found, labels, _ = run(program, **settings, accel__provider="null")
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_array_equal(found, expected)
    assert any("subsref" in label for label in labels) == TABLES[body]


def waits_of(session: Session) -> tuple[int, int]:
    """Bytes that came to the host, and in how many downloads."""
    assert session.interp.seat is not None
    engine = session.interp.seat.engine
    provider = engine.places.device.store.provider
    plugin = provider._compile.get_hookimpls()[0].plugin
    return engine.places.moved()[1], sum(hook == "download" for hook, _ in plugin.requests)


@pytest.mark.parametrize("body", COUNTED)
def test_what_runs_and_what_comes_to_the_host(body: str) -> None:
    settings = {"accel__provider": "null", "accel__offload__force": "device"}
    launches, brought, waits = COUNTED[body]
    start = "wait(gpuDevice); R = 1;"
    _, before, session = run(start, **settings)
    bytes_before, waits_before = waits_of(session)
    _, labels, session = run(f"{start} {body} wait(gpuDevice);", **settings)
    bytes_after, waits_after = waits_of(session)
    assert sorted(labels[len(before) :]) == sorted(launches)
    assert bytes_after - bytes_before == brought
    assert waits_after - waits_before == waits


@pytest.mark.parametrize(
    ("unit", "extents", "amounts"),
    [
        (
            LibraryCall("compact", ("bool", "f64"), (("gives", ("places",)),)),
            (10, 10, 0, 40),
            {"stream": 2 * 100 + 8 * 40, "gather.f64": 40},
        ),
        (
            LibraryCall("expand", ("f32", "bool", "f32", "f32")),
            (100, 40),
            {"stream": 100 * (2 + 4 + 4), "gather.f32": 40},
        ),
        (
            LibraryCall("scatter", ("f32", "i32", "f32", "f32")),
            (100, 40, 1),
            {"stream": 100 * 16 + 160 + 4, "gather.f32": 80},
        ),
        (
            LibraryCall("accumulate", ("f64", "f64"), (("by", "count"),), guards=True),
            (100, 0, 8),
            {"stream": 800 + 128, "gather.f64": 100},
        ),
        (
            LibraryCall("accumulate", ("f64", "f32", "f32"), (("by", "sum"),), guards=True),
            (100, 100, 8),
            {"stream": 800 + 64 + 400, "gather.f32": 100, "sort.f64": 300},
        ),
        (
            LibraryCall("histogram", ("f32", "f64", "f64", "f64")),
            (100, 8),
            {"stream": 1200, "light.f64": 600, "gather.f64": 100},
        ),
    ],
)
def test_work_is_counted(
    unit: LibraryCall, extents: tuple[int, ...], amounts: dict[str, float]
) -> None:
    refs = tuple([BufferRef(k) for k in range(len(unit.dtypes))])
    lowered = KernelCall(unit, refs, frozenset({len(refs) - 1}), extents, (), (), unit.name)
    assert work.fused(lowered) == amounts


@pytest.mark.parametrize("provider", ["inprocess", "null", "none"])
@pytest.mark.parametrize("number", ["0", "2", "3i", "1-2i", "single(4)"])
def test_a_number_in_a_complex_array_by_a_mask(provider: str, number: str) -> None:
    program = (
        "rng(2); A = rand(60,50); z = complex(A, 0) * 2; y = A + 1i; "
        f"z(A > 0.5) = {number}; y(real(y) > 0.5) = {number}; y = y.'; "
    )
    found, expected = loops.session(provider), Session(provider="none")
    for made in (found, expected):
        made.run(program + "c = [class(z) ' ' class(y)]; r = [isreal(z) isreal(y)];")
    for name in ("z", "y", "c", "r"):
        np.testing.assert_array_equal(found[name], expected[name])
