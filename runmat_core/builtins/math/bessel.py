"""Bessel, Hankel and Airy functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import libraries
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import floating, integer, scalar
from runmat_core.builtins.lift import expand, value_of
from runmat_core.builtins.math.extended import WIDER
from runmat_core.builtins.math.special import real_operand
from runmat_core.values import numel_of

Operand = NDArray[Any]

#: SciPy's functions, plain and scaled, for arguments at the ends of the domain.
_RULES = {
    "j": ("jv", "jve"),
    "y": ("yv", "yve"),
    "i": ("iv", "ive"),
    "k": ("kv", "kve"),
    "h1": ("hankel1", "hankel1e"),
    "h2": ("hankel2", "hankel2e"),
}


def _scaled(scale: Any) -> bool:
    return scale is not None and bool(numel_of(scale)) and scalar(scale, "SCALE") == 1


def _bessel(kind: str, name: str, nu: Any, z: Any, scale: Any) -> Any:
    order, a = expand([real_operand(floating(nu, name), name), floating(z, name)])
    order, a = np.broadcast_arrays(order, a)
    single = a.dtype.char in "fF"
    wide = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    result = _values(kind, order.astype(np.float64), wide, _scaled(scale))
    if single:
        result = result.astype(np.complex64 if result.dtype.kind == "c" else np.float32)
    return value_of(result)


def _assembled(shape: tuple[int, ...], pieces: list[tuple[Operand, Any]]) -> Operand:
    """Values of several rules, each where its mask is true; complex if one of them is."""
    found = [(mask, rule(mask)) for mask, rule in pieces if mask.any()]
    kinds = [values for _, values in found] or [np.empty(0)]
    result = np.empty(shape, np.result_type(*kinds))
    for mask, values in found:
        result[mask] = values
    return result


def _by_axis(z: Operand, rule: Callable[[Operand, Operand], Operand]) -> Operand:
    """`rule` of a mask and of what is there, apart for numbers that are real."""
    on_axis = z.imag == 0
    parts = [(on_axis, lambda m: rule(m, z.real[m])), (~on_axis, lambda m: rule(m, z[m]))]
    return _assembled(z.shape, parts)


def _values(kind: str, nu: Operand, z: Operand, scaled: bool) -> Operand:
    from runmat_core.builtins.math import bessel_complex, bessel_real

    if not WIDER:
        return _of_scipy(kind, nu, z, scaled)
    rule: Any
    if z.dtype.kind != "c":
        regular, rule = bessel_real.regular(nu, z), bessel_real.bessel
    elif (z.imag == 0).any():
        return _by_axis(z, lambda m, part: _values(kind, nu[m], part, scaled))
    else:
        regular, rule = bessel_complex.regular(nu, z), bessel_complex.bessel
    result = _assembled(
        z.shape,
        [
            (regular, lambda m: rule(kind, nu[m], z[m], scaled)),
            (~regular, lambda m: _of_scipy(kind, nu[m], z[m], scaled)),
        ],
    )
    lost = np.isnan(result) & regular
    if lost.any():  # beyond the range of extended precision
        result[lost] = 0 if kind in "ji" else np.inf
    return result


def _of_scipy(kind: str, nu: Operand, z: Operand, scaled: bool) -> Operand:
    rule = getattr(libraries.special(), _RULES[kind][scaled])
    with np.errstate(all="ignore"):
        result = np.asarray(rule(nu, z))
        if z.dtype.kind != "c":
            if (np.isnan(result) & ~np.isnan(z) & ~np.isnan(nu)).any():
                result = np.asarray(rule(nu, z.astype(np.complex128)))
            result = _limits(kind, nu, z, scaled, result)
    return result


def _limits(kind: str, nu: Operand, x: Operand, scaled: bool, result: Operand) -> Operand:
    """Return `result` with limits at zero and at infinity, of which SciPy knows a few."""
    special = libraries.special()
    at_zero, whole = x == 0, nu == np.rint(nu)
    if kind in ("j", "y", "h1", "h2"):
        result = np.where(np.isinf(x), 0, result)
        if kind == "y":
            result = np.where(at_zero, special.yv(nu, 0.0), result)
        elif kind != "j":
            result = np.array(result)
            result.real[at_zero] = special.jv(nu[at_zero], 0.0)
            second = special.yv(nu[at_zero], 0.0)
            result.imag[at_zero] = second if kind == "h1" else -second
    elif kind == "i":
        sign = np.where((x < 0) & (nu % 2 == 1), -1.0, 1.0)
        result = np.where(np.isinf(x) & ((x > 0) | whole), 0 if scaled else sign * np.inf, result)
    else:
        result = np.where(x == np.inf, 0, result)
    return np.asarray(result.real if not np.imag(result).any() else result)


@builtin("besselj", family="math/special", effects="pure")
def besselj(nu: Any, z: Any, scale: Any = None) -> Any:
    """Bessel function of the first kind.

    J = besselj(NU, Z), J = besselj(NU, Z, 1) is scaled by exp(-abs(imag(Z)))

    Examples:
        >> besselj(0, 1)
        ans =
            0.7652

    See also: bessely, besseli, besselk.
    """
    return _bessel("j", "besselj", nu, z, scale)


@builtin("bessely", family="math/special", effects="pure")
def bessely(nu: Any, z: Any, scale: Any = None) -> Any:
    """Bessel function of the second kind.

    Y = bessely(NU, Z), Y = bessely(NU, Z, 1) is scaled by exp(-abs(imag(Z)))

    Examples:
        >> bessely(0, 1)
        ans =
            0.0883

    See also: besselj, besseli, besselk.
    """
    return _bessel("y", "bessely", nu, z, scale)


@builtin("besseli", family="math/special", effects="pure")
def besseli(nu: Any, z: Any, scale: Any = None) -> Any:
    """Modified Bessel function of the first kind.

    I = besseli(NU, Z), I = besseli(NU, Z, 1) is scaled by exp(-abs(real(Z)))

    Examples:
        >> besseli(0, 1)
        ans =
            1.2661

    See also: besselk, besselj.
    """
    return _bessel("i", "besseli", nu, z, scale)


@builtin("besselk", family="math/special", effects="pure")
def besselk(nu: Any, z: Any, scale: Any = None) -> Any:
    """Modified Bessel function of the second kind.

    K = besselk(NU, Z), K = besselk(NU, Z, 1) is scaled by exp(Z)

    Examples:
        >> besselk(0, 1)
        ans =
            0.4210

    See also: besseli, bessely.
    """
    return _bessel("k", "besselk", nu, z, scale)


@builtin("besselh", family="math/special", nargin=(2, 4), effects="pure")
def besselh(nu: Any, k: Any, z: Any = None, scale: Any = None) -> Any:
    """Hankel function: Bessel function of the third kind.

    H = besselh(NU, Z), H = besselh(NU, 1, Z) of the first kind is besselj + 1i*bessely
    H = besselh(NU, 2, Z) of the second kind is besselj - 1i*bessely
    H = besselh(NU, K, Z, 1) is scaled by exp(-1i*Z) for K = 1, by exp(1i*Z) for K = 2

    Examples:
        >> besselh(0, 1)
        ans =
           0.7652 + 0.0883i

    See also: besselj, bessely, besseli, besselk.
    """
    kind = 1
    if z is None:
        z = k
    else:
        kind = integer(k, "K")
    if kind not in (1, 2):
        raise MatlabError("MATLAB:besselh:InvalidK", "K must be 1 or 2.")
    return _bessel(f"h{kind}", "besselh", nu, z, scale)


@builtin("airy", family="math/special", nargin=(1, 3), effects="pure")
def airy(k: Any, z: Any = None, scale: Any = None) -> Any:
    """Airy functions.

    W = airy(Z), W = airy(0, Z) is Ai(Z); K = 1 its derivative, K = 2 Bi(Z), K = 3 its derivative
    W = airy(K, Z, 1) scales: Ai and its derivative by exp(2/3*Z.*sqrt(Z)), Bi and its derivative
    by exp(-abs(real(2/3*Z.*sqrt(Z))))

    Examples:
        >> airy([0 1])
        ans =
            0.3550    0.1353

    See also: besselj, besselk.
    """
    which = 0
    if z is None:
        z = k
    else:
        which = integer(k, "K")
    if which not in (0, 1, 2, 3):
        raise MatlabError("MATLAB:airy:InvalidK", "K must be 0, 1, 2 or 3.")
    a = floating(z, "airy")
    scaled = _scaled(scale)
    wide = a.astype(np.complex128 if a.dtype.kind == "c" else np.float64)
    result = _airy_values(which, wide, scaled)
    if a.dtype.char in "fF":
        result = result.astype(np.complex64 if result.dtype.kind == "c" else np.float32)
    return value_of(result)


def _airy_values(k: int, z: Operand, scaled: bool) -> Operand:
    from runmat_core.builtins.math import airy_complex, airy_real

    if not WIDER:
        return _airy_of_scipy(k, z, scaled)
    rule: Any
    if z.dtype.kind != "c":
        regular, rule = airy_real.regular(z), airy_real.airy
    elif (z.imag == 0).any():
        return _by_axis(z, lambda m, part: _airy_values(k, part, scaled))
    else:
        regular, rule = airy_complex.regular(z), airy_complex.airy
    parts = [
        (regular, lambda m: rule(k, z[m], scaled)),
        (~regular, lambda m: _airy_of_scipy(k, z[m], scaled)),
    ]
    return _assembled(z.shape, parts)


def _airy_of_scipy(k: int, z: Operand, scaled: bool) -> Operand:
    # the scaled functions of negative numbers are complex
    turn = scaled and z.dtype.kind != "c" and bool((z < 0).any())
    wide = z.astype(np.complex128) if turn else z
    with np.errstate(all="ignore"):
        rule = libraries.special().airye if scaled else libraries.special().airy
        result = np.asarray(rule(wide)[k])
    if z.dtype.kind != "c":
        grows = (k > 1) and not scaled
        result = np.where(z == np.inf, np.inf if grows else 0, result)
        result = np.where((z == -np.inf) & (k % 2 == 0), 0, result)
    return result
