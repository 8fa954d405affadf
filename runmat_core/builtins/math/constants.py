"""Constants, alone and as arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_builtin_inputs
from runmat_core.builtins.arguments import option, split_options
from runmat_core.builtins.arrays.creation import filled
from runmat_core.values import INTEGER_CLASSES, Complex, class_of, from_numpy, to_numpy


@builtin("pi", family="math/constants", effects="pure")
def pi() -> Any:
    """Ratio of a circle's circumference to its diameter.

    Examples:
        >> pi
        ans =
            3.1416

    See also: exp, deg2rad, sinpi.
    """
    return math.pi


@builtin("i", "j", family="math/constants", effects="pure")
def i() -> Any:
    """Imaginary unit.

    A variable may hide it; 1i never is.

    Examples:
        >> i
        ans =
           0.0000 + 1.0000i

    See also: complex, real, imag.
    """
    return Complex(0, 1)


@builtin("Inf", "inf", family="math/constants", effects="pure", captures="generator")
def Inf(*args: Any) -> Any:
    """Infinity, alone or as an array.

    Inf
    Inf(N), Inf(M, N, …), Inf(SZ)
    Inf(…, CLASSNAME), Inf(…, "like", P) with a floating class

    Examples:
        >> Inf(1, 3)
        ans =
           Inf   Inf   Inf

    See also: NaN, isinf, realmax.
    """
    return filled(math.inf, args, "Inf", floating=True) if args else math.inf


@builtin("NaN", "nan", family="math/constants", effects="pure", captures="generator")
def NaN(*args: Any) -> Any:
    """Not-a-Number, alone or as an array.

    NaN
    NaN(N), NaN(M, N, …), NaN(SZ)
    NaN(…, CLASSNAME), NaN(…, "like", P) with a floating class

    Examples:
        >> NaN(1, 2)
        ans =
           NaN   NaN

    See also: Inf, isnan, missing.
    """
    return filled(math.nan, args, "NaN", floating=True) if args else math.nan


@builtin("eps", family="math/constants", effects="pure")
def eps(x: Any = None, prototype: Any = None) -> Any:
    """Distance to the next larger number.

    eps is the distance from 1.0
    eps(X) is the distance from abs(X) to the next larger number of its class
    eps("double"), eps("single"), eps("like", P) of the class of P

    Examples:
        >> eps
        ans =
           2.2204e-16
        >> eps(1000)
        ans =
           1.1369e-13

    See also: realmin, realmax, flintmax.
    """
    if x is None:
        return 2.0**-52
    name = option(x)
    if prototype is not None:
        if name != "like":
            raise too_many_builtin_inputs()
        name = class_of(prototype)
    if name is not None:
        return from_numpy(np.array(np.finfo(_float_type(name, "eps")).eps))
    if class_of(x) not in {"double", "single"}:
        raise MatlabError("MATLAB:eps:invalidInput", "Class must be 'single' or 'double'.")
    a = np.abs(to_numpy(x))
    with np.errstate(all="ignore"):
        return from_numpy(np.where(np.isfinite(a), np.spacing(a), np.nan).astype(a.dtype))


def _float_type(name: str, function: str) -> Any:
    if name not in {"double", "single"}:
        raise MatlabError(
            f"MATLAB:{function}:invalidClassName", "Class name must be 'single' or 'double'."
        )
    return np.float32 if name == "single" else np.float64


def _class_argument(args: tuple[Any, ...], default: str) -> str:
    """Return the class that ``f()``, ``f(CLASSNAME)`` or ``f("like", P)`` names."""
    plain, options = split_options(args)
    if options == ["like"] and len(plain) == 1:
        return class_of(plain[0])
    if plain:
        # intmax(X) takes the class of X
        return class_of(plain[0])
    return options[0] if options else default


@builtin("realmax", family="math/constants", effects="pure")
def realmax(*args: Any) -> Any:
    """Largest finite floating-point number.

    realmax, realmax("double"), realmax("single")

    Examples:
        >> realmax
        ans =
          1.7977e+308

    See also: realmin, intmax, flintmax, eps.
    """
    return from_numpy(
        np.array(np.finfo(_float_type(_class_argument(args, "double"), "realmax")).max)
    )


@builtin("realmin", family="math/constants", effects="pure")
def realmin(*args: Any) -> Any:
    """Smallest positive normalised floating-point number.

    realmin, realmin("double"), realmin("single")

    Examples:
        >> realmin
        ans =
          2.2251e-308

    See also: realmax, eps.
    """
    kind = _float_type(_class_argument(args, "double"), "realmin")
    return from_numpy(np.array(np.finfo(kind).tiny))


@builtin("flintmax", family="math/constants", effects="pure")
def flintmax(*args: Any) -> Any:
    """Largest consecutive integer in a floating-point class.

    flintmax, flintmax("double"), flintmax("single")

    Examples:
        >> flintmax == 2^53
        ans =
          logical
           1

    See also: realmax, intmax, eps.
    """
    kind = _float_type(_class_argument(args, "double"), "flintmax")
    return from_numpy(np.array(2.0**24 if kind is np.float32 else 2.0**53, dtype=kind))


def _integer_type(args: tuple[Any, ...], function: str) -> Any:
    name = _class_argument(args, "int32")
    if name not in INTEGER_CLASSES:
        raise MatlabError(f"MATLAB:{function}:invalidClassName", f"Invalid class name: '{name}'.")
    return np.dtype(name)


@builtin("intmax", family="math/constants", effects="pure")
def intmax(*args: Any) -> Any:
    """Largest value of an integer class.

    intmax is that of int32
    intmax(CLASSNAME), intmax("like", P), intmax(X)

    Examples:
        >> intmax("uint8")
        ans =
          uint8
           255

    See also: intmin, realmax, flintmax.
    """
    dtype = _integer_type(args, "intmax")
    return from_numpy(np.array(np.iinfo(dtype).max, dtype))


@builtin("intmin", family="math/constants", effects="pure")
def intmin(*args: Any) -> Any:
    """Smallest value of an integer class.

    intmin is that of int32
    intmin(CLASSNAME), intmin("like", P), intmin(X)

    Examples:
        >> double(intmin("int8"))
        ans =
          -128

    See also: intmax, realmin.
    """
    dtype = _integer_type(args, "intmin")
    return from_numpy(np.array(np.iinfo(dtype).min, dtype))
