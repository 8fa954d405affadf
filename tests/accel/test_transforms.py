"""Fourier transforms, convolutions and filters on each provider: values and what runs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.accel.everywhere import PROVIDERS, agree

SETUP = """\
rng(4); x = rand(48, 6) - 0.5; s = single(x(:, 1:3)); z = complex(x, rand(48, 6)); w = rand(1, 100);
h = rand(1, 9); k = rand(3, 4); v = rand(6, 5, 4); e = fft(x); c = single(z); u = rand(31, 2);
f2 = fft2(x); fv = fftn(v);
"""

LIBRARIES = {"conv", "fft", "filter"}

TRANSFORMS = {
    "real columns": "r = fft(x);",
    "rows": "r = fft(x, [], 2);",
    "singles": "r = fft(s);",
    "complex": "r = fft(z);",
    "complex singles": "r = fft(c);",
    "a row": "r = fft(w);",
    "of a prime length": "r = fft(u);",
    "padded": "r = fft(x, 100);",
    "cut": "r = fft(x, 17, 2);",
    "padded complex": "r = fft(z, 64, 1);",
    "third dimension": "r = fft(v, [], 3);",
    "beyond the last dimension": "r = fft(x, 4, 3);",
    "of a pending array": "r = fft(x .* 2 + 1);",
    "power": "r = abs(fft(x - mean(x))) .^ 2;",
    "back": "r = ifft(fft(x));",
    "back along rows": "r = ifft(fft(x, [], 2), [], 2);",
    "back of a prime length": "r = ifft(fft(u));",
    "inverse of what is symmetric": "r = ifft(e);",
    "inverse of what is not": "r = ifft(z);",
    "inverse of real numbers": "r = ifft(x);",
    "inverse cut": "r = ifft(e, 20);",
    "inverse said to be symmetric": "r = ifft(z, 'symmetric');",
    "inverse padded, symmetric": "r = ifft(z, 60, 1, 'symmetric');",
    "inverse nonsymmetric": "r = ifft(e, [], 1, 'nonsymmetric');",
    "filtered": "r = ifft(fft(x) .* fft(x(:, 1)));",
    "filtered and shown real": "r = isreal(ifft(fft(x) .* fft(x(:, 1))));",
    "pages": "r = fft2(x);",
    "pages of an array": "r = fft2(v);",
    "pages padded": "r = fft2(x, 50, 8);",
    "pages back": "r = ifft2(f2);",
    "pages back and forth": "r = ifft2(fft2(x) .* 2);",
    "all dimensions": "r = fftn(v);",
    "all dimensions, padded": "r = fftn(v, [8 4 5]);",
    "all dimensions, said twice": "r = fftn(v .* 2, [6, 5, 4]);",
    "all dimensions back": "r = ifftn(fv);",
    "all dimensions back, symmetric": "r = ifftn(fv + 1i, 'symmetric');",
    "sums of spectra": "r = sum(fft(x), 2) ./ fft(x(:, 2));",
}
CONVOLUTIONS = {
    "vectors": "r = conv(w, h);",
    "vectors, the shorter first": "r = conv(h, w');",
    "vectors same": "r = conv(w, h, 'same');",
    "vectors valid": "r = conv(w', h', 'valid');",
    "matrices": "r = conv2(x, k);",
    "matrices same": "r = conv2(x, k, 'same');",
    "matrices valid": "r = conv2(x, k, 'valid');",
    "small with large": "r = conv2(k, x);",
    "small with large, same": "r = conv2(k, x, 'same');",
    "singles": "r = conv2(s, single(k));",
    "arrays": "r = convn(v, rand(2, 2, 2) * 0 + v(1:2, 1:2, 1:2));",
    "an array and a matrix": "r = convn(v, k, 'same');",
    "correlation": "r = filter2(k, x);",
    "correlation, full": "r = filter2(k, x, 'full');",
    "of pending arrays": "r = conv2(x - 1, k ./ sum(k(:))) .* 2;",
    "with itself": "r = conv(w, w);",
}
FILTERS = {
    "finite": "r = filter(h, 1, x);",
    "finite along rows": "r = filter(h, 1, x, [], 2);",
    "finite along a row": "r = filter(h, 1, w);",
    "finite along pages": "r = filter([1 2], 1, v, [], 3);",
    "finite of singles": "r = filter(single(h), 1, s);",
    "longer than the array": "r = filter(w, 1, x);",
    "recursive": "r = filter(1, [1 -0.5], x);",
    "recursive along rows": "r = filter([1 0.3], [2 -0.5 0.25], x, [], 2);",
    "of second order": "r = filter([0.2 0.4 0.2], [1 -0.6 0.3], x);",
    "of odd orders": "r = filter([1 2 3 4], [4 1], v);",
    "of a pending array": "r = filter([1 1], [2 -0.5], x .* 2) + 1;",
    "of a high order": "r = filter(h, [12 1 0.5 -1 0.25 1 1 0.5 -0.5 1 0.1 0.7], x);",
    "of order none": "r = filter(3, [2; 0], w);",
}
SHIFTS = {
    "all dimensions": "r = fftshift(x .* 2);",
    "of a spectrum": "r = fftshift(fft2(x));",
    "along one": "r = fftshift(u + 1, 1);",
    "odd extents": "r = ifftshift(v - 1);",
    "back and forth": "r = ifftshift(fftshift(u .* 3)) - u .* 3;",
    "beyond the last dimension": "r = fftshift(x + 1, 3);",
    "by one": "r = circshift(w + 1, 1);",
    "backward": "r = circshift(x + 1, -3);",
    "along the second": "r = circshift(x + 1, 2, 2);",
    "along two": "r = circshift(x + 1, [5 -1]);",
    "by nothing": "r = circshift(x + 1, 48);",
    "then something": "r = circshift(x + 1, 1) - x;",
}
#: What host rules have to see.
KEPT = {
    "of integers": "r = fft(int8(x * 100));",
    "nothing": "r = fft(zeros(0, 3));",
    "of no points": "r = fft(x, 0);",
    "integers and doubles": "r = conv2(round(x * 9), double(int8(k * 9)) > 3);",
    "singles and doubles": "r = conv2(s, k);",
    "no array": "r = conv2(x, k, 'some');",
    "no vectors": "r = conv(x, k);",
    "pending size": "r = fftn(v, [8 4 5] + 0);",
    "wrong length": "r = fft(x, -1);",
    "final state": "[q, z1] = filter(h, 1, x); r = z1;",
    "initial state": "r = filter([1 2], 1, w, 3);",
    "unknown denominator": "r = filter(1, w(1:2) + 0, x);",
    "zero denominator": "r = filter(1, [0 1], x);",
    "scaled": "r = filter(h, 3, x);",
    "separate": "r = conv2(h, h, x);",
}


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", TRANSFORMS | CONVOLUTIONS | FILTERS)
def test_results_are_those_of_host_rules(name: str, provider: str) -> None:
    ran = agree(provider, SETUP, (TRANSFORMS | CONVOLUTIONS | FILTERS)[name])
    labels = {label for record in ran.records for label in record.labels}
    if provider != "inprocess":
        assert labels & LIBRARIES
        assert ran.by_plans


PROGRAMS = {
    "diffusion": "d = exp(-(0:47)' .^ 2 / 99); r = x(:, 1);\n"
    "for t = 1:6\nr = real(ifft(fft(r) .* d));\nend",
    "smoothing": "r = w;\nfor t = 1:5\nr = conv(r, [1 2 1] / 4, 'same');\nend",
    "filtering": "r = x;\nfor t = 1:4\nr = filter([0.5 0.5], 1, r) + 0.1;\nend",
    "wave": "r = u;\nfor t = 1:4\nr = r + circshift(r, 1) * 0.5 - circshift(r, -1, 2);\nend",
    "periodogram": "q = 0.5 - 0.5 * cos(2 * pi * (0:47)' / 47);\n"
    "r = mean(abs(fft(x .* q)) .^ 2, 2);",
    "correlation": "n = 2 ^ nextpow2(95); r = ifft(fft(x, n) .* conj(fft(x(:, 1), n)));",
    "columns": "r = zeros(48, 6);\nfor c = 1:6\nr(:, c) = abs(fft(x(:, c)));\nend",
    "envelope": "q = zeros(48, 1); q([1 25]) = 1; q(2:24) = 2; r = abs(ifft(fft(x) .* q));",
    "centred spectrum": "r = abs(fftshift(fft2(x - mean(x(:)))));",
    "shown": "y = fft(u(1:3, 1) + 0)\nr = isreal(y);",
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, provider: str) -> None:
    assert agree(provider, SETUP, PROGRAMS[name]).by_plans


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", KEPT)
def test_other_forms_are_for_host_rules(name: str, provider: str) -> None:
    ran = agree(provider, SETUP, KEPT[name])
    labels = {label for record in ran.records for label in record.labels}
    assert not labels & LIBRARIES


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", SHIFTS)
def test_shifts_are_those_of_host_rules(name: str, provider: str) -> None:
    assert agree(provider, SETUP, SHIFTS[name]).by_plans


@pytest.mark.parametrize(
    "code", ["circshift(x + 1, 1.5)", "circshift(x + 1, 1, 0)", "fftshift(x + 1, 0)"]
)
def test_errors_of_shifts(code: str) -> None:
    assert "error" in agree("null", SETUP, f"r = {code};").values


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("r = fft(x);", 1),
        ("r = fft(x .* 2 + 1);", 2),
        ("r = abs(fft(x)) .^ 2 ./ 48;", 2),
        ("r = ifft(fft(x) .* fft(x(:, 1)));", 5),  # the column is copied
        ("r = conv2(x - 1, k) .* 2;", 3),
    ],
)
def test_how_many_launches_there_are(code: str, count: int) -> None:
    assert agree("null", SETUP + "wait(gpuDevice);", code).kernels == count


def drawn(seed: int) -> str:
    """A call on arrays of random extents and classes."""
    rng = np.random.default_rng(seed)

    def array(name: str, most: int, rank: int) -> str:
        extents = ", ".join(str(int(n)) for n in rng.integers(1, most, rank))
        made = f"{name} = rand({extents}) - 0.5; "
        if rng.integers(2):
            made += f"{name} = single({name}); "
        return made

    if seed % 3 == 0:
        kind = "single" if rng.integers(2) else "double"
        first, second = array("p", 40, 2), array("q", 9, 2)
        part = ("full", "same", "valid")[int(rng.integers(3))]
        name = ("conv2", "convn", "filter2")[int(rng.integers(3))]
        one, other = ("q", "p") if rng.integers(2) else ("p", "q")
        return f"{first}{second}r = {name}({kind}({one}), {kind}({other}), '{part}');"
    rank = int(rng.integers(2, 4))
    text = array("p", 60, rank)
    if rng.integers(2):
        text += "p = complex(p, p .^ 2); "
    n = str(int(rng.integers(1, 130))) if rng.integers(2) else "[]"
    dim = int(rng.integers(1, rank + 1))
    if seed % 3 == 1:
        return f"{text}r = fft(p, {n}, {dim});"
    word = ("", ", 'symmetric'", ", 'nonsymmetric'")[int(rng.integers(3))]
    source = f"fft(p, [], {dim})" if rng.integers(2) else "p"
    return f"{text}r = ifft({source}, {n}, {dim}{word});"


@pytest.mark.sweep(12)
@pytest.mark.parametrize("seed", range(36))
def test_random_calls(seed: int) -> None:
    agree("wgpu", SETUP, f"rng({seed}); {drawn(seed)}")
    agree("null", SETUP, f"rng({seed}); {drawn(seed)}")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("n", [1 << 20, 1_000_003])
def test_long_ones(n: int) -> None:
    agree("wgpu", "", f"rng(1); x = rand({n}, 1) - 0.5; r = fft(x); r = r(1:1000:end);")
    agree("wgpu", "", f"rng(1); x = rand({n}, 1) - 0.5; r = abs(ifft(fft(x)) - x) < 1e-13;")
