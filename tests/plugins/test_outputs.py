"""Elementwise builtins with several outputs: fused or not, the same, whatever is read and when."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runmat_core.session import Session
from runmat_core.session.config import load

#: See `conftest.install`.
Install = Callable[..., str]

SOURCE = """
def parts_ir(x, y):
    return x + y, x - y

@builtin("out_parts", family="t", lift="map", nargout=2, needs=("nargout",), effects="pure",
         fusion=Map(parts_ir))
def out_parts(x, y, *, nargout):
    return x + y, x - y

def waves_ir(x, scale=None):
    s, c = ir.sin(x), ir.cos(x)
    return (s, c, s / c) if scale is None else (s * scale, c * scale, s / c)

@builtin("out_waves", family="t", lift="map", nargout=3, needs=("nargout",), effects="pure",
         fusion=Map(waves_ir))
def out_waves(x, scale=None, *, nargout):
    s, c = np.sin(x), np.cos(x)
    return (s, c, s / c) if scale is None else (s * scale, c * scale, s / c)

def roots_ir(x):
    r = ir.sqrt(x)
    return r, -r

@builtin("out_roots", family="t", lift="map", nargout=2, needs=("nargout",), effects="pure",
         fusion=Map(roots_ir, domain=(0.0, float("inf"))))
def out_roots(x, *, nargout):
    r = np.sqrt(x.astype(complex) if (x < 0).any() else x)
    return r, -r

@builtin("out_first", family="t", lift="map", nargout=2, needs=("nargout",), effects="pure",
         fusion=Map(lambda x: 2 * x))
def out_first(x, *, nargout):
    return 2 * x, 3 * x
"""

PROGRAMS = (
    "[a, b] = out_parts(x, y); r = a .* b;",
    "[a, b] = out_parts(x, 2); r = sum(b, 1) + sum(a(:));",
    "[a, b] = out_parts(x, y); r = sum(a, 1)'; q = sum(b, 2); r = [r; q];",
    "[~, b] = out_parts(x, y); r = b';",
    "[a, b] = out_parts(x, y); clear a; r = max(b(:, end:-1:1)) - b(1, :);",
    "[a, b] = out_parts(x, y(1, :)); r = a' * b;",
    "[a, b] = out_parts(x, y); disp(a(1)); disp(b(2)); disp(a(3)); r = a - mean(b);",
    "[a, b] = out_parts(x, y); [c, d] = out_parts(a, b); r = c .* 2 + d - repmat(a(:, 1), 1, 3);",
    "[a, b] = out_parts(single(x), y); r = a ./ (1 + abs(b));",
    "[a, b] = out_parts(x > 0, y); r = a + b;",
    "[a, b, c] = out_waves(x); r = std(a .* c - b);",
    "[a, b, c] = out_waves(x, 3); r = [a; b; c];",
    "[a, b] = out_waves(x(:)); b(2) = 7; r = a + b;",
    "r = out_waves(x, 2);",
    "[a, b] = out_roots(abs(x)); r = a - 2 * b;",
    "[a, b] = out_roots(x); r = a .* b + x;",
    "[a, b] = out_roots(x); r = real(b) - imag(a);",
    "[a, b] = out_first(x); r = a + b;",
    "[a, b] = out_parts(zeros(0, 3), 1); r = sum(a) + sum(b);",
    "[a, b] = out_parts(sum(x), y(1, :)); r = cumsum(a - b);",
    "s = 0; for k = 1:4, [a, b] = out_parts(x, s); s = s + sum(a(:) .* b(:)) / 100; end, r = s;",
    "z = x; for k = 1:3, [z, b] = out_parts(z, y); z = z / 2; end, r = z + b;",
)


def value(program: str, **settings: object) -> tuple[object, str]:
    session = Session(config=load().replace(**settings))
    session.run("x = reshape(sin(1:15), 5, 3); y = reshape(cos(1:15), 5, 3) + 2;")
    printed = session.capture(program)
    return session.eval("r"), printed


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_give_what_host_rules_give(install: Install, program: str) -> None:
    install("toolbox-outputs", SOURCE)
    expected, printed = value(program, accel__provider="none")
    for force in ("host", "rules"):
        found, also = value(
            program,
            accel__provider="inprocess",
            accel__threshold=1,
            accel__offload__force=force,
        )
        assert also == printed
        assert np.asarray(found).dtype == np.asarray(expected).dtype
        np.testing.assert_allclose(
            found,  # type: ignore[arg-type]
            expected,  # type: ignore[arg-type]
            rtol=1e-5 if np.asarray(expected).dtype == np.float32 else 1e-12,
            atol=1e-14,
        )
