"""A complex and a real operand: every form of the four operators goes part by part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.values.chunks import CHUNK

SPECIAL = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 3.0]
RULES: dict[str, Callable[..., Any]] = {
    "z + x": lambda a, b, x: (a + x, b),
    "x + z": lambda a, b, x: (x + a, b),
    "z - x": lambda a, b, x: (a - x, b),
    "x - z": lambda a, b, x: (x - a, -b),
    "z .* x": lambda a, b, x: (a * x, b * x),
    "x .* z": lambda a, b, x: (x * a, x * b),
    "z ./ x": lambda a, b, x: (a / x, b / x),
    "x .\\ z": lambda a, b, x: (a / x, b / x),
}
#: Sizes of the complex and of the real operand: alike, expanded, scalars, by chunks.
SIZES = [((64, 1), (64, 1)), ((8, 8), (8, 1)), ((1, 8), (8, 1)), ((64, 1), (1, 1))]
SIZES += [
    ((1, 1), (8, 1)),
    ((4, 2, 8), (1, 2)),
    ((CHUNK + 64, 1), (CHUNK + 64, 1)),
    ((0, 3), (1, 1)),
]


def operands(sizes: tuple[Any, Any], kind: str) -> tuple[Any, Any, Any]:
    """Parts of the complex operand, of which the first is no zero, and the real operand."""
    of_complex, of_real = sizes
    count, others = int(np.prod(of_complex)), int(np.prod(of_real))
    pairs = np.resize([(a, b) for b in SPECIAL[2:] + SPECIAL[:2] for a in SPECIAL], (count, 2))
    real = np.resize(SPECIAL[::-1] + SPECIAL[3:], others)
    shaped = [
        pairs[:, 0].reshape(of_complex, order="F"),
        pairs[:, 1].reshape(of_complex, order="F"),
    ]
    parts = [v.astype(kind) for v in (*shaped, real.reshape(of_real, order="F"))]
    return parts[0], parts[1], parts[2]


def same(got: Any, expected: Any) -> None:
    np.testing.assert_array_equal(got, expected)
    zero = expected == 0
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(expected[zero]))


@pytest.mark.parametrize("kind", ["f8", "f4"])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_operators_work_on_parts(sizes: tuple[Any, Any], kind: str) -> None:
    session = Session()
    a, b, x = operands(sizes, kind)
    session["a"], session["b"], session["x"] = a, b, x
    session.run("z = complex(a, b);")
    rank = max(a.ndim, x.ndim)
    a, b, x = (v.reshape(v.shape + (1,) * (rank - v.ndim)) for v in (a, b, x))
    for code, rule in RULES.items():
        session.run(f"r = {code}; p = real(r); q = imag(r);")
        with np.errstate(all="ignore"):
            real, imag, _ = np.broadcast_arrays(*rule(a, b, x), x)
        same(np.asarray(session["p"]).reshape(real.shape, order="F"), real)
        if imag.any():  # else the result is real
            same(np.asarray(session["q"]).reshape(real.shape, order="F"), imag)


#: What multiplies or divides by real numbers, with infinities in the complex operand.
BUILTINS = """
(Inf+1i)*2 == complex(Inf, 2)
2*(Inf+1i) == complex(Inf, 2)
(Inf+1i)/2 == complex(Inf, 0.5)
Inf*(1+2i) == complex(Inf, Inf)
(1+2i)/0 == complex(Inf, Inf)
true*(Inf+1i) == complex(Inf, 1)
single(2)*(Inf+1i) == complex(Inf, 2)
'a'*(Inf+1i) == complex(Inf, 97)
[Inf+1i 3]*[2; 1] == complex(Inf, 2)
[2 1]*[Inf+1i; 3] == complex(Inf, 2)
full(sparse([Inf+1i 0])*2) == [complex(Inf, 2) 0]
full(2*sparse([Inf+1i 0])) == [complex(Inf, 2) 0]
full(sparse([Inf+1i 0])/2) == [complex(Inf, 0.5) 0]
sparse([Inf+1i 0])*[2; 1] == complex(Inf, 2)
sparse([Inf+1i 0])*sparse([2; 1]) == complex(Inf, 2)
sparse([Inf+1i 0])*sparse([2 1; 1 0]) == [complex(Inf, 2) complex(Inf, 1)]
mean([Inf+1i 3]) == complex(Inf, 0.5)
mean([Inf+1i; NaN; 3], 'omitnan') == complex(Inf, 0.5)
dot([1 2], [Inf+1i 3]) == complex(Inf, 1)
dot([Inf+1i 3], [1 2]) == complex(Inf, -1)
kron([1 2], Inf+1i) == [complex(Inf, 1) complex(Inf, 2)]
trapz([0 2], [Inf+1i 3]) == complex(Inf, 1)
polyval([1 2], Inf+1i) == complex(Inf, 1)
conv([1 2], [Inf+1i 3]) == [complex(Inf, 1) complex(Inf, 2) 6]
"""


@pytest.mark.parametrize("code", BUILTINS.strip().splitlines())
def test_builtins_multiply_real_numbers_by_parts(code: str) -> None:
    session = Session()
    session.run(f"r = full(all({code}));")
    assert session["r"] is True, code
