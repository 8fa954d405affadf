"""Forms of linear systems: polynomials, zeros and poles, second-order sections, state space."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_core.api.errors import not_enough_inputs
from runmat_signal.arguments import Data, floating, given, one_of, scalar, vector


def _trimmed(a: Data) -> Data:
    """A polynomial without leading zeros."""
    at = np.flatnonzero(a)
    return a[at[0] :] if at.size else a[:0]


def _real(a: Data) -> Data:
    """Coefficients without imaginary parts that are all zero, or rounding of conjugate pairs."""
    if np.iscomplexobj(a) and np.abs(a.imag).max(initial=0) <= 1e-12 * np.abs(a).max(initial=1):
        return np.asarray(a.real)
    return a


def _roots(a: Data) -> Data:
    return np.asarray(np.roots(a))


def _poly(zeros: Data) -> Data:
    made = np.atleast_1d(np.poly(zeros))
    pairs = np.sort_complex(zeros[zeros.imag > 0]) if np.iscomplexobj(zeros) else zeros[:0]
    mirrored = np.sort_complex(zeros[zeros.imag < 0].conj()) if np.iscomplexobj(zeros) else pairs
    closed = pairs.shape == mirrored.shape and np.allclose(pairs, mirrored, rtol=1e-10)
    return np.asarray(made.real if closed else made)


def _column(a: Data) -> Data:
    return np.asarray(_real(a)).reshape(-1, 1)


def _fraction(b: Any, a: Any, name: str) -> tuple[Data, Data]:
    top, bottom = vector(b, name), vector(a, name)
    if not bottom.size or not bottom.any():
        raise MatlabError(f"signal:{name}:ZeroDenominator", "Denominator must be nonzero.")
    if not np.isfinite(top).all() or not np.isfinite(bottom).all():
        raise MatlabError("MATLAB:roots:NonFiniteInput", "Polynomials must be finite.")
    return top, bottom


def _zeros_and_poles(b: Data, a: Data) -> tuple[Data, Data, Any]:
    b, a = _trimmed(b), _trimmed(a)
    gain = b[0] / a[0] if b.size else 0.0
    return _roots(b), _roots(a), gain.real if np.imag(gain) == 0 else gain


@builtin(
    "tf2zp", family="signal/forms", lift="arrays", nargout=3, needs=("nargout",), effects="pure"
)
def tf2zp(b: Any, a: Any, *, nargout: int) -> Any:
    """Zeros, poles and gain of a continuous system.

    [Z, P, K] = tf2zp(B, A) for the polynomials B and A in falling powers of s

    Examples:
        >> [z, p, k] = tf2zp([2 4], [1 3 2])
        z =
            -2
        p =
            -2
            -1
        k =
             2

    See also: zp2tf, tf2zpk, roots.
    """
    z, p, k = _zeros_and_poles(*_fraction(b, a, "tf2zp"))
    return (_column(z), _column(p), k)[: max(nargout, 1)] if nargout > 1 else _column(z)


@builtin(
    "tf2zpk", family="signal/forms", lift="arrays", nargout=3, needs=("nargout",), effects="pure"
)
def tf2zpk(b: Any, a: Any, *, nargout: int) -> Any:
    """Zeros, poles and gain of a discrete system.

    [Z, P, K] = tf2zpk(B, A) for the polynomials B and A in powers of 1/z

    Examples:
        >> [z, p, k] = tf2zpk(1, [1 -0.5])
        z =
             0
        p =
            0.5000
        k =
             1

    See also: tf2zp, zp2sos, zp2tf.
    """
    top, bottom = _fraction(b, a, "tf2zpk")
    length = max(top.size, bottom.size)
    padded = [np.append(v, np.zeros(length - v.size, v.dtype)) for v in (top, bottom)]
    z, p, k = _zeros_and_poles(*padded)
    return (_column(z), _column(p), k)[: max(nargout, 1)] if nargout > 1 else _column(z)


@builtin(
    "zp2tf", family="signal/forms", lift="arrays", nargout=2, needs=("nargout",), effects="pure"
)
def zp2tf(z: Any, p: Any, k: Any, *, nargout: int) -> Any:
    """Polynomials of a system that is given by zeros, poles and gain.

    [B, A] = zp2tf(Z, P, K); B has the length of A

    Examples:
        >> [b, a] = zp2tf(-2, [-1; -3], 5)
        b =
             0     5    10
        a =
             1     4     3

    See also: tf2zp, zp2sos.
    """
    zeros, poles = vector(z, "zp2tf"), vector(p, "zp2tf")
    if zeros.size > poles.size:
        raise MatlabError("signal:zp2tf:ZerosPoles", "There must not be more zeros than poles.")
    a = _poly(poles)
    b = np.asarray(floating(k, "zp2tf")).ravel()[0] * _poly(zeros)
    b = np.concatenate([np.zeros(a.size - b.size), b])
    return (b.reshape(1, -1), a.reshape(1, -1)) if nargout > 1 else b.reshape(1, -1)


# -- second-order sections -------------------------------------------------------------------------


def _sections(z: Data, p: Data, order: Any, name: str) -> Data:
    """Sections of gain one: poles nearest to the unit circle last, with the nearest zeros."""
    import scipy.signal

    if not z.size and not p.size:
        return np.array([[1.0, 0, 0, 1, 0, 0]])
    if not (np.isfinite(z).all() and np.isfinite(p).all()):
        raise MatlabError(f"signal:{name}:NotFinite", "Zeros and poles must be finite.")
    try:
        made = scipy.signal.zpk2sos(z, p, 1.0, pairing="nearest")
    except ValueError:
        raise MatlabError(
            f"signal:{name}:NotPaired", "Complex zeros and poles must come in conjugate pairs."
        ) from None
    if given(order) and one_of(order, ("up", "down"), name) == "down":
        made = made[::-1]
    return np.array(made)


def _with_gain(sos: Data, k: Any, nargout: int) -> Any:
    if nargout > 1:
        return sos, k
    sos[0, :3] *= k
    return sos


@builtin(
    "zp2sos", family="signal/forms", lift="arrays", nargin=(2, 4), nargout=2,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def zp2sos(z: Any, p: Any, k: Any = None, order: Any = None, *, nargout: int) -> Any:
    """Second-order sections of a discrete system that is given by zeros, poles and gain.

    [SOS, G] = zp2sos(Z, P, K) with rows [b0 b1 b2 1 a1 a2]
    SOS = zp2sos(Z, P, K) has the gain in the first section
    zp2sos(Z, P, K, ORDER): "up" (the default) puts the poles nearest to the unit circle last,
    "down" puts them first

    Examples:
        >> [sos, g] = zp2sos([-1; -1], [0.5; -0.5], 3)
        sos =
            1.0000    2.0000    1.0000    1.0000         0   -0.2500
        g =
             3

    See also: tf2sos, sos2tf, sosfilt.
    """
    gain = scalar(k, "zp2sos", "K") if given(k) else 1.0
    sos = _sections(vector(z, "zp2sos"), vector(p, "zp2sos"), order, "zp2sos")
    return _with_gain(sos, gain, nargout)


@builtin(
    "tf2sos", family="signal/forms", lift="arrays", nargin=(2, 3), nargout=2,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def tf2sos(b: Any, a: Any, order: Any = None, *, nargout: int) -> Any:
    """Second-order sections of a discrete system that is given by polynomials.

    [SOS, G] = tf2sos(B, A), SOS = tf2sos(B, A), tf2sos(B, A, ORDER) as zp2sos

    Examples:
        >> tf2sos([2 4 2], [1 -1 0.25])
        ans =
            2.0000    4.0000    2.0000    1.0000   -1.0000    0.2500

    See also: zp2sos, sos2tf.
    """
    top, bottom = _fraction(b, a, "tf2sos")
    length = max(top.size, bottom.size)
    padded = [np.append(v, np.zeros(length - v.size, v.dtype)) for v in (top, bottom)]
    z, p, k = _zeros_and_poles(*padded)
    return _with_gain(_sections(z, p, order, "tf2sos"), k, nargout)


def _rows(sos: Any, name: str) -> Data:
    a = floating(sos, name)
    if a.ndim != 2 or a.shape[1] != 6 or not a.shape[0]:
        raise MatlabError(f"signal:{name}:InvalidDimensions", "SOS must have six columns.")
    return a


def _product(sos: Any, g: Any, name: str) -> tuple[Data, Data]:
    rows = _rows(sos, name)
    b: Data = np.array([np.prod(floating(g, name)) if given(g) else 1.0])
    a: Data = np.ones(1)
    for row in rows:
        b, a = np.convolve(b, row[:3]), np.convolve(a, row[3:])
    return b, a


@builtin(
    "sos2tf", family="signal/forms", lift="arrays", nargin=(1, 2), nargout=2,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def sos2tf(sos: Any, g: Any = None, *, nargout: int) -> Any:
    """Polynomials of a system that is given by second-order sections.

    [B, A] = sos2tf(SOS), [B, A] = sos2tf(SOS, G)

    Examples:
        >> [b, a] = sos2tf([1 2 1 1 0 -0.25], 3)
        b =
             3     6     3
        a =
            1.0000         0   -0.2500

    See also: tf2sos, sos2zp.
    """
    b, a = _product(sos, g, "sos2tf")
    if b.size > 3:
        b = b[:-1] if b[-1] == 0 else b
        a = a[:-1] if a[-1] == 0 else a
    return (b.reshape(1, -1), a.reshape(1, -1)) if nargout > 1 else b.reshape(1, -1)


@builtin(
    "sos2zp", family="signal/forms", lift="arrays", nargin=(1, 2), nargout=3,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def sos2zp(sos: Any, g: Any = None, *, nargout: int) -> Any:
    """Zeros, poles and gain of a system that is given by second-order sections.

    [Z, P, K] = sos2zp(SOS), [Z, P, K] = sos2zp(SOS, G)

    Examples:
        >> [z, p, k] = sos2zp([1 3 2 1 0 0], 2)
        z =
            -2
            -1
        p =
             0
             0
        k =
             2

    See also: zp2sos, sos2tf.
    """
    rows = _rows(sos, "sos2zp")
    z = np.concatenate([_roots(_trimmed(row[:3])) for row in rows])
    p = np.concatenate([_roots(_trimmed(row[3:])) for row in rows])
    k = float(np.prod(floating(g, "sos2zp")) if given(g) else 1.0)
    for row in rows:
        top = _trimmed(row[:3])
        k *= float(top[0] / row[3]) if top.size else 0.0
    return (_column(z), _column(p), k)[: max(nargout, 1)] if nargout > 1 else _column(z)


# -- state space -----------------------------------------------------------------------------------


def _companion(b: Data, a: Data, name: str) -> tuple[Data, Data, Data, Data]:
    a = _trimmed(a)
    b = _trimmed(b)
    if b.size > a.size:
        raise MatlabError(
            f"signal:{name}:ImproperFunction", "The numerator must not be longer than A."
        )
    b = np.concatenate([np.zeros(a.size - b.size), b]) / a[0]
    a = a / a[0]
    n = a.size - 1
    states = np.zeros((n, n), np.result_type(a, b))
    if n:
        states[0] = -a[1:]
        states[np.arange(1, n), np.arange(n - 1)] = 1
    return states, np.eye(n, 1), (b[1:] - b[0] * a[1:]).reshape(1, -1), b[:1].reshape(1, 1)


@builtin(
    "tf2ss", family="signal/forms", lift="arrays", nargout=4, needs=("nargout",), effects="pure"
)
def tf2ss(b: Any, a: Any, *, nargout: int) -> Any:
    """State space of a system that is given by polynomials.

    [A, B, C, D] = tf2ss(B, A), in controller canonical form

    Examples:
        >> [A, B, C, D] = tf2ss([1 2], [1 3 2])
        A =
            -3    -2
             1     0
        B =
             1
             0
        C =
             1     2
        D =
             0

    See also: ss2tf, ss2zp.
    """
    found = _companion(*_fraction(b, a, "tf2ss"), "tf2ss")
    return found[:nargout] if nargout > 1 else found[0]


def _paired(roots: Data, name: str) -> Data:
    """Pairs of conjugates by their real parts, then real roots, ascending."""
    roots = roots[np.isfinite(roots)].astype(complex)
    near = 100 * np.finfo(float).eps * np.abs(roots)
    real = np.sort(roots[np.abs(roots.imag) <= near].real)
    upper, lower = (roots[side * roots.imag > near] for side in (1, -1))
    upper, lower = np.sort_complex(upper), np.sort_complex(lower.conj())
    if upper.size != lower.size or (np.abs(upper - lower) > 1e-8 * np.abs(upper)).any():
        raise MatlabError(
            f"signal:{name}:NotPaired", "Complex zeros and poles must come in conjugate pairs."
        )
    return np.concatenate([np.stack([upper.conj(), upper], axis=1).ravel(), real])


def _chained(z: Data, p: Data) -> list[tuple[Data, Data]]:
    """Zeros and poles of the sections of a system, one or two poles each; odd ones first."""
    sections = []
    if p.size % 2:
        taken = z.size % 2
        sections.append((z[z.size - taken :], p[-1:]))
        z, p = z[: z.size - taken], p[:-1]
    elif z.size % 2:
        sections.append((z[-1:], p[-2:]))
        z, p = z[:-1], p[:-2]
    return sections + [(z[k : k + 2], p[k : k + 2]) for k in range(0, p.size, 2)]


@builtin(
    "zp2ss", family="signal/forms", lift="arrays", nargout=4, needs=("nargout",), effects="pure"
)
def zp2ss(z: Any, p: Any, k: Any, *, nargout: int) -> Any:
    """State space of a system that is given by zeros, poles and gain.

    [A, B, C, D] = zp2ss(Z, P, K), a chain of sections of one or two poles

    Examples:
        >> [A, B, C, D] = zp2ss(-2, [-1; -3], 5)
        A =
           -4.0000   -1.7321
            1.7321         0
        B =
             1
             0
        C =
            5.0000    5.7735
        D =
             0

    See also: tf2ss, sos2ss, ss2zp, zp2tf.
    """
    zeros, poles = (_paired(vector(v, "zp2ss"), "zp2ss") for v in (z, p))
    if zeros.size > poles.size:
        raise MatlabError("signal:zp2ss:ZerosPoles", "There must not be more zeros than poles.")
    found = np.zeros((0, 0)), np.zeros((0, 1)), np.zeros((1, 0)), np.ones((1, 1))
    for ends, starts in _chained(zeros, poles):
        b, a = np.real(np.poly(ends)), np.real(np.poly(starts))
        part = _companion(np.atleast_1d(b), a, "zp2ss")
        # states are scaled so that the section turns as evenly as its frequency lets it
        scale = np.sqrt(np.abs(np.prod(starts))) if starts.size == 2 else 1.0
        t = np.diag([1.0, 1 / (scale or 1.0)][: starts.size])
        back = np.linalg.inv(t)
        own, into, out, through = back @ part[0] @ t, back @ part[1], part[2] @ t, part[3]
        states, entry, leaving, direct = found
        found = (
            np.block([[states, np.zeros((len(states), len(own)))], [into @ leaving, own]]),
            np.concatenate([entry, into @ direct]),
            np.concatenate([through @ leaving, out], axis=1),
            through @ direct,
        )
    gain = scalar(k, "zp2ss", "K")
    made = (*found[:2], gain * found[2], gain * found[3])
    return made[:nargout] if nargout > 1 else made[0]


@builtin(
    "sos2ss", family="signal/forms", lift="arrays", nargin=(1, 2), nargout=4,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def sos2ss(sos: Any, g: Any = None, *, nargout: int) -> Any:
    """State space of a system that is given by second-order sections.

    [A, B, C, D] = sos2ss(SOS), [A, B, C, D] = sos2ss(SOS, G)

    Examples:
        >> [A, B, C, D] = sos2ss([1 2 1 1 0 -0.25]);
        >> C, D
        C =
            2.0000    1.2500
        D =
             1

    See also: tf2ss, sos2tf.
    """
    found = _companion(*_product(sos, g, "sos2ss"), "sos2ss")
    return found[:nargout] if nargout > 1 else found[0]


def _system(args: tuple[Any, ...], name: str) -> tuple[Data, Data, Data, Data]:
    """The four matrices, of the input that is chosen."""
    if len(args) < 4:
        raise not_enough_inputs()
    a, b, c, d = (floating(v, name) for v in args[:4])
    n = a.shape[0]
    if a.shape != (n, n) or b.shape[0] != n or c.shape[1] != n:
        raise MatlabError(f"signal:{name}:InvalidDimensions", "The matrices do not fit.")
    if d.shape != (c.shape[0], b.shape[1]):
        raise MatlabError(f"signal:{name}:InvalidDimensions", "The matrices do not fit.")
    at = int(scalar(args[4], name, "IU")) - 1 if len(args) > 4 else 0
    if not 0 <= at < max(b.shape[1], 1):
        raise MatlabError(f"signal:{name}:InvalidInput", "IU must be the number of an input.")
    return a, b[:, at : at + 1], c, d[:, at : at + 1]


def _polynomials(a: Data, b: Data, c: Data, d: Data) -> tuple[Data, Data]:
    bottom = np.atleast_1d(np.poly(a)) if a.size else np.ones(1)
    rows = []
    for row, direct in zip(c, d, strict=True):
        changed = np.atleast_1d(np.poly(a - b @ row[None, :])) if a.size else np.ones(1)
        rows.append(changed + (direct[0] - 1) * bottom)
    return np.array(rows), bottom.reshape(1, -1)


@builtin(
    "ss2tf", family="signal/forms", lift="arrays", nargin=(4, 5), nargout=2,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def ss2tf(*args: Any, nargout: int) -> Any:
    """Polynomials of a system that is given by its state space.

    [B, A] = ss2tf(A, B, C, D), [B, A] = ss2tf(A, B, C, D, IU) from input IU; a row of B for each
    output

    Examples:
        >> [b, a] = ss2tf([-3 -2; 1 0], [1; 0], [1 2], 0)
        b =
             0     1     2
        a =
             1     3     2

    See also: tf2ss, ss2zp.
    """
    b, a = _polynomials(*_system(args, "ss2tf"))
    return (b, a) if nargout > 1 else b


def _finite_zeros(a: Data, b: Data, c: Data, d: Data) -> tuple[Data, float]:
    """The zeros of one output, and the gain, from the generalised eigenvalues of the system."""
    from scipy.linalg import eigvals

    n = a.shape[0]
    pencil = np.block([[a, b], [c, d]])
    mass = np.zeros((n + 1, n + 1))
    mass[:n, :n] = np.eye(n)
    alpha, beta = eigvals(pencil, mass, homogeneous_eigvals=True)
    size = np.hypot(np.abs(alpha), np.abs(beta))
    finite = np.abs(beta) > 1e-10 * np.where(size == 0, 1, size)
    zeros = alpha[finite] / beta[finite]
    # the first Markov parameter that is not zero
    gain, state = d[0, 0], b
    for _ in range(n - zeros.size):
        gain = (c @ state)[0, 0]
        state = a @ state
    return zeros, gain


@builtin(
    "ss2zp", family="signal/forms", lift="arrays", nargin=(4, 5), nargout=3,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def ss2zp(*args: Any, nargout: int) -> Any:
    """Zeros, poles and gain of a system that is given by its state space.

    [Z, P, K] = ss2zp(A, B, C, D), [Z, P, K] = ss2zp(A, B, C, D, IU) from input IU; a column of Z
    for each output, filled by Inf

    Examples:
        >> [z, p, k] = ss2zp([-3 -2; 1 0], [1; 0], [1 2], 0)
        z =
            -2
        p =
            -2
            -1
        k =
             1

    See also: ss2tf, tf2zp.
    """
    a, b, c, d = _system(args, "ss2zp")
    found = [_finite_zeros(a, b, row[None, :], e[None, :]) for row, e in zip(c, d, strict=True)]
    longest = max((z.size for z, _ in found), default=0)
    z = np.full((longest, len(found)), np.inf, complex)
    for k, (zeros, _) in enumerate(found):
        z[: zeros.size, k] = zeros
    poles = np.sort_complex(np.linalg.eigvals(a)) if a.size else np.zeros(0)
    gains = np.array([[gain] for _, gain in found])
    z = z.real if not z.imag.any() else z
    return (z, _column(poles), _real(gains))[: max(nargout, 1)] if nargout > 1 else z


@builtin(
    "ss2sos", family="signal/forms", lift="arrays", nargin=(4, 6), nargout=2,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def ss2sos(*args: Any, nargout: int) -> Any:
    """Second-order sections of a discrete system that is given by its state space.

    [SOS, G] = ss2sos(A, B, C, D), ss2sos(A, B, C, D, IU), ss2sos(…, ORDER) as zp2sos

    Examples:
        >> [sos, g] = ss2sos(0.5, 1, 1, 2)
        sos =
            1.0000         0         0    1.0000   -0.5000         0
        g =
             2

    See also: sos2ss, zp2sos.
    """
    plain = [v for v in args if not isinstance(v, str)]
    words = [v for v in args if isinstance(v, str)]
    a, b, c, d = _system(tuple(plain), "ss2sos")
    if c.shape[0] != 1:
        raise MatlabError("signal:ss2sos:InvalidDimensions", "There must be one output.")
    zeros, gain = _finite_zeros(a, b, c, d)
    poles = np.linalg.eigvals(a) if a.size else np.zeros(0)
    sos = _sections(zeros, poles, words[0] if words else None, "ss2sos")
    return _with_gain(sos, float(np.real(gain)), nargout)
