"""A device without one operation, reducer or library call: the core computes what needs it."""

from __future__ import annotations

import io

import numpy as np
import pytest
from runmat_provider_tests.libraries import LIBRARIES

from runmat_core.api.ir import OPS
from runmat_core.session import Session
from runmat_core.session.config import load

REDUCERS = "sum prod max min any all argmax argmin welford largest smallest argmax_nan".split()
STRUCTURAL = "random scan reduce index guard item extent".split()
NAMES = sorted({*OPS, *LIBRARIES, *REDUCERS, *STRUCTURAL})

#: Something of nearly everything.
PROGRAM = """
rng(1); n = 24; A = rand(n) - 0.5; B = A + n*eye(n); x = A(:); y = rand(n*n, 1); i = int32(100*A);
r1 = {exp(x) - log(y + 1) .* sin(x) ./ (cos(y) + 2) + tanh(x).^2 + sqrt(y) + abs(x)};
r2 = {atan2(x, y), hypot(x, y), mod(x, y), rem(x, y), floor(9*x), round(9*x), sign(x), x - y};
r3 = {erf(x), gamma(y + 1), log1p(y), expm1(x), asin(x), acos(x), atan(x), log2(y + 1), x.^y};
r4 = {i + 5, idivide(i, int32(7)), bitand(uint32(abs(i)), uint32(12)), bitshift(uint32(4*y), 1)};
r5 = {x > 0 & y < 0.5, x == y | ~(x <= y), isnan(x), xor(x > 0, y > 0.5), single(x), int8(99*x)};
[a, b] = max(A); [c, d] = min(A);
r6 = {a, b, c, d, sum(A), prod(A), std(A), any(A > 0.4), all(A > -1), mean(A, 2)};
r7 = {cumsum(A), cumprod(A), cummax(A), sort(A), A(A > 0), nnz(A)};
r8 = {A*B, B\\A, inv(B), chol(B'*B), abs(fft(A)), conv2(A, ones(3), 'same'), filter([1 2], 3, A)};
r9 = {svd(A), eig(A + A'), det(B), norm(A), find(x > 0.2), abs(max(1i*x + y)), B(:, 1:3)\\x(1:n)};
z = x; z(z < 0) = 1; w = x; w(floor(99*y) + 1) = y;
r10 = {accumarray(floor(9*y) + 1, y), z, w, sqrt(x), histcounts(x, -1:0.1:1), A(:, end:-1:1)'};
for k = 1:5, x = x/2 + y*k; end
r11 = {x};
"""


def computed(**values: object) -> list[np.ndarray]:
    config = load().replace(accel__threshold=1, accel__offload__force="device", **values)
    told = io.StringIO()
    with Session(config=config, stdout=told, stderr=told) as session:
        session.run(PROGRAM)
        found = [np.asarray(part) for k in range(1, 12) for part in session[f"r{k}"]]
    assert told.getvalue() == ""
    return found


@pytest.fixture(scope="module")
def expected() -> list[np.ndarray]:
    return computed(accel__provider="none")


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", NAMES)
def test_the_core_computes_what_is_left_out(name: str, expected: list[np.ndarray]) -> None:
    found = computed(accel__provider="null", accel__null__without=name)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
