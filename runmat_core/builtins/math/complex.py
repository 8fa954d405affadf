"""Complex numbers: parts, phase, construction."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.api.ir.complexes import outside
from runmat_core.builtins.arguments import numeric
from runmat_core.builtins.arguments import real as real_array
from runmat_core.builtins.lift import expand
from runmat_core.values import DTYPE, Array, SparseArray, class_of, from_numpy, size_of, to_numpy
from runmat_core.values.deferred import Deferred

Operand = NDArray[Any]


def _zeros(x: Any) -> tuple[Any, Any]:
    """Two zeros of the type of an IR value: whatever a condition is, the choice is zero."""
    zero = x.builder.const(0, x.dtype)
    return zero, zero


@builtin(
    "real",
    family="math/complex",
    lift="map",
    scalar=lambda x: x,
    integers=True,
    effects="pure",
    fusion=Map(lambda x: x, "same", of_complex=Map(lambda x: ir.real(x), "part")),
)
def real(z: Operand) -> Operand:
    """Real part.

    X = real(Z)

    Examples:
        >> real([3+4i 5])
        ans =
             3     5

    See also: imag, conj, abs, angle.
    """
    return z.real


@builtin(
    "imag",
    family="math/complex",
    lift="map",
    scalar=lambda x: 0.0,
    integers=True,
    effects="pure",
    fusion=Map(
        lambda x: ir.where(x == x, *_zeros(x)),
        "same",
        of_complex=Map(lambda x: ir.imag(x), "part"),
    ),
)
def imag(z: Operand) -> Operand:
    """Imaginary part.

    Y = imag(Z)

    Examples:
        >> imag([3+4i 5])
        ans =
             4     0

    See also: real, conj.
    """
    return z.imag if z.dtype.kind == "c" else np.zeros_like(z)


@builtin(
    "conj",
    family="math/complex",
    lift="map",
    scalar=lambda x: x,
    integers=True,
    effects="pure",
    fusion=Map(lambda x: x, "same", of_complex=Map(lambda x: ir.conj(x), "complex")),
)
def conj(z: Operand) -> Operand:
    """Complex conjugate.

    W = conj(Z)

    Examples:
        >> conj(3 + 4i)
        ans =
           3.0000 - 4.0000i

    See also: real, imag, ctranspose.
    """
    return np.conj(z)


@builtin(
    "angle",
    "arg",
    family="math/complex",
    lift="map",
    effects="pure",
    fusion=Map(
        lambda x: ir.atan2(x.builder.const(0.0, x.dtype), x),
        of_complex=Map(
            lambda x: ir.atan2(ir.imag(x), ir.real(x)), "part", guard=outside(0.0, math.inf)
        ),
    ),
)
def angle(z: Operand) -> Operand:
    """Phase in radians, in [-pi, pi].

    P = angle(Z)

    Examples:
        >> angle(1i)
        ans =
            1.5708

    See also: abs, atan2, unwrap.
    """
    return np.angle(z)


def _of_one_size(x: Any, y: Any) -> bool:
    """Whether two parts may be joined: sizes do not expand but from scalars."""
    return size_of(x) == size_of(y) or (1, 1) in (size_of(x), size_of(y))


@builtin(
    "complex",
    family="math/complex",
    effects="pure",
    fusion=Map(lambda x, y: ir.complex_(x, y), "parts", accepts=_of_one_size),
)
def complex_(x: Any, y: Any = None) -> Any:
    """Make complex numbers from parts; the result is complex even where Y is zero.

    Z = complex(X, Y) is X + Y*i
    Z = complex(X)

    Examples:
        >> complex(3, 4)
        ans =
           3.0000 + 4.0000i
        >> isreal(complex(1, 0))
        ans =
          logical
           0

    See also: real, imag, i, isreal.
    """
    a = numeric(x, "complex")
    b = np.zeros_like(a) if y is None else numeric(y, "complex")
    if y is None and a.dtype.kind == "c":
        return from_numpy(a)
    if a.dtype.kind == "c" or b.dtype.kind == "c":
        raise MatlabError(
            "MATLAB:complex:argumentsMustBeReal", "Real and imaginary parts must be real."
        )
    if y is not None and 1 not in (a.size, b.size) and a.shape != b.shape:
        raise MatlabError(
            "MATLAB:complex:sizeMismatch", "Real and imaginary parts must have the same size."
        )
    a, b = expand([a, b])
    single = np.float32 in (a.dtype, b.dtype)
    z = np.empty(np.broadcast_shapes(a.shape, b.shape), np.complex64 if single else np.complex128)
    z.real, z.imag = a, b
    # from_numpy would drop an imaginary part of zeros
    return from_numpy(z) if z.imag.any() else Array(np.asfortranarray(z))


@builtin("isreal", family="math/complex", effects="pure", pending="keep")
def isreal(x: Any) -> Any:
    """Whether an array is stored without imaginary part.

    TF = isreal(X)

    True for real numbers, logical and char arrays; false for cells, structs, strings and for
    complex(1, 0), whose imaginary part is stored.

    Examples:
        >> isreal([1 2i])
        ans =
          logical
           0
        >> isreal(1i*1i)
        ans =
          logical
           1

    See also: complex, imag, isnumeric.
    """
    if x.__class__ is float:
        return True
    cls = class_of(x)
    if x.__class__ is Deferred:
        from runmat_core.accel.capture.views import proven_real

        # what may turn out complex has to be computed to know
        if proven_real(x.promise.node):
            return True
    if isinstance(x, SparseArray):
        return bool(x.data.dtype.kind != "c")
    return cls == "char" or (cls in DTYPE and to_numpy(x).dtype.kind != "c")


@builtin("unwrap", family="math/complex", effects="pure")
def unwrap(p: Any, tolerance: Any = None, dim: Any = None) -> Any:
    """Phase angles without jumps of more than pi.

    Q = unwrap(P)
    Q = unwrap(P, TOL) tolerates jumps up to TOL
    Q = unwrap(P, TOL, DIM)

    Examples:
        >> unwrap([0 2 4 -2])
        ans =
                 0    2.0000    4.0000    4.2832

    See also: angle, atan2.
    """
    from runmat_core.builtins.arguments import dimension, first_axis, scalar

    a = real_array(p, "unwrap").astype(np.float64)
    limit = np.pi
    if tolerance is not None and numeric(tolerance, "unwrap").size:
        limit = max(scalar(tolerance), np.pi)
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    if axis >= a.ndim:
        return from_numpy(a)
    with np.errstate(all="ignore"):
        return from_numpy(np.unwrap(a, discont=limit, axis=axis))
