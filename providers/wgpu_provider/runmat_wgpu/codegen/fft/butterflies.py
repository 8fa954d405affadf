"""Transforms of a few numbers in registers, and unit roots, as WGSL.

Roots are computed where they are needed: ``turn(m, n)`` is ``exp(-2i*pi*m/n)``. The angle is
reduced to an eighth of a turn in integers, so that no digit is lost whatever `m` is; there two
polynomials are evaluated. Each part is within 0.9 units in the last place of 1, singles of n above
2^24 within 1.2. A table would have to be made on the host and kept on the device for each length;
this needs no memory, and beside the traffic of a pass its operations are few.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, getcontext

import numpy as np

from runmat_wgpu.codegen.scalars.types import literal
from runmat_wgpu.codegen.shader import Target

getcontext().prec = 40
_PI = Decimal("3.14159265358979323846264338327950288419717")
#: Terms of the series of sine and cosine up to an eighth of a turn.
_TERMS = {"f32": (5, 6), "f64": (9, 9)}
_LITERALS = Target()


def number(value: float | Decimal, dtype: str) -> str:
    """Return a number as a literal of the type."""
    return literal(float(value), dtype, _LITERALS)


def functions(dtype: str) -> str:
    """``V``, a complex number, and what is done with it: ``times``, ``turn``."""
    odd, even = _TERMS[dtype]
    sine = [_coefficient(2 * k + 1) for k in range(odd)]
    cosine = [_coefficient(2 * k) for k in range(even)]
    high = _rounded(sine[0], dtype)
    low = sine[0] - Decimal(high)
    one = number(1.0, dtype)
    return f"""\
alias V = vec2<{dtype}>;
fn times(a: V, b: V) -> V {{ return V(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }}
// exp(-2i*pi*m/n) for m < n <= 2^28
fn turn(m: u32, n: u32) -> V {{
  // in eighths of 1/n: a turn is 8n, and each line folds it once
  var u = 8u * m;
  let below = u > 4u * n;
  u = select(u, 8u * n - u, below);
  let left = u > 2u * n;
  u = select(u, 4u * n - u, left);
  let steep = u > n;
  u = select(u, 2u * n - u, steep);
  let a = {dtype}(u) / {dtype}(n);
  let q = a * a;
  let s = a * {number(high, dtype)} + a * ({_series([low, *sine[1:]], "q", dtype)});
  let c = {one} + q * ({_series(cosine[1:], "q", dtype)});
  let x = select(c, s, steep);
  let y = select(s, c, steep);
  return V(select(x, -x, left), select(-y, y, below));
}}
"""


def _rounded(value: Decimal, dtype: str) -> float:
    return float(np.float32(float(value))) if dtype == "f32" else float(value)


def _coefficient(power: int) -> Decimal:
    """Of a sine or cosine of pi/4 times the variable."""
    sign = -1 if power // 2 % 2 else 1
    return sign * (_PI / 4) ** power / math.factorial(power)


def _series(coefficients: Sequence[Decimal], variable: str, dtype: str) -> str:
    text = number(coefficients[-1], dtype)
    for c in reversed(coefficients[:-1]):
        text = f"{number(c, dtype)} + {variable} * ({text})"
    return text


def butterfly(radix: int, names: Sequence[str], dtype: str, fresh: str) -> list[str]:
    """Statements that transform the numbers in `names`, variables of type ``V``, in place.

    Args:
        fresh: what names of further variables begin with.
    """
    if radix == 2:
        return _two(names[0], names[1], fresh)
    if radix == 4:
        return _four(names, fresh)
    if radix == 8:
        return _eight(names, dtype, fresh)
    return _odd(radix, names, dtype, fresh)


def _two(a: str, b: str, fresh: str) -> list[str]:
    return [f"let {fresh}d = {a} - {b};", f"{a} = {a} + {b};", f"{b} = {fresh}d;"]


def _four(names: Sequence[str], fresh: str) -> list[str]:
    a, b, c, d = names
    f = fresh
    return [
        f"let {f}p = {a} + {c};",
        f"let {f}m = {a} - {c};",
        f"let {f}q = {b} + {d};",
        f"let {f}n = {b} - {d};",
        f"{a} = {f}p + {f}q;",
        f"{b} = V({f}m.x + {f}n.y, {f}m.y - {f}n.x);",
        f"{c} = {f}p - {f}q;",
        f"{d} = V({f}m.x - {f}n.y, {f}m.y + {f}n.x);",
    ]


def _eight(names: Sequence[str], dtype: str, fresh: str) -> list[str]:
    half = number(Decimal(2).sqrt() / 2, dtype)
    even, odd = list(names[::2]), list(names[1::2])
    lines = [*_four(even, f"{fresh}e"), *_four(odd, f"{fresh}o")]
    _, b, c, d = odd
    lines += [
        f"{b} = V({b}.x + {b}.y, {b}.y - {b}.x) * {half};",
        f"{c} = V({c}.y, -{c}.x);",
        f"{d} = V({d}.y - {d}.x, -{d}.x - {d}.y) * {half};",
    ]
    results = [f"{fresh}r{k}" for k in range(8)]
    for k in range(4):
        lines.append(f"let {results[k]} = {even[k]} + {odd[k]};")
        lines.append(f"let {results[k + 4]} = {even[k]} - {odd[k]};")
    return [*lines, *[f"{name} = {r};" for name, r in zip(names, results, strict=True)]]


def _odd(radix: int, names: Sequence[str], dtype: str, fresh: str) -> list[str]:
    """Return sums and differences of opposite numbers times cosines and sines."""
    half = radix // 2
    f, first = fresh, names[0]
    lines = []
    for k in range(1, half + 1):
        lines.append(f"let {f}p{k} = {names[k]} + {names[radix - k]};")
        lines.append(f"let {f}m{k} = {names[k]} - {names[radix - k]};")
    total = " + ".join([first, *[f"{f}p{k}" for k in range(1, half + 1)]])
    for j in range(1, half + 1):
        real = [first]
        imaginary = []
        for k in range(1, half + 1):
            real.append(f"{f}p{k} * {number(_cosine(j * k, radix), dtype)}")
            imaginary.append(f"{f}m{k} * {number(_sine(j * k, radix), dtype)}")
        lines.append(f"let {f}c{j} = {' + '.join(real)};")
        lines.append(f"let {f}s{j} = {' + '.join(imaginary)};")
    lines.append(f"{first} = {total};")
    for j in range(1, half + 1):
        c, s = f"{f}c{j}", f"{f}s{j}"
        lines.append(f"{names[j]} = V({c}.x + {s}.y, {c}.y - {s}.x);")
        lines.append(f"{names[radix - j]} = V({c}.x - {s}.y, {c}.y + {s}.x);")
    return lines


def _cosine(m: int, n: int) -> float:
    m = min(m % n, n - m % n)
    angle = 2 * math.pi * m / n
    return math.cos(angle) if angle < 2 else -math.cos(math.pi * (n - 2 * m) / n)


def _sine(m: int, n: int) -> float:
    m %= n
    if 2 * m > n:
        return -_sine(n - m, n)
    return math.sin(2 * math.pi * m / n) if 4 * m <= n else math.sin(math.pi * (n - 2 * m) / n)
