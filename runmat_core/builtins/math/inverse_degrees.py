"""Inverse functions of the reciprocals of circular functions, in degrees."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.builtins.math.trigonometry import acot, acsc, asec

Operand = NDArray[Any]


def _degrees(angle: Any) -> Operand:
    return np.asarray(angle * (180 / math.pi))


@builtin("asecd", family="math/trigonometry", lift="map", effects="pure")
def asecd(x: Operand) -> Operand:
    """Inverse secant in degrees.

    Y = asecd(X)

    Examples:
        >> asecd([1 -1])
        ans =
             0   180

    See also: secd, asec, acosd.
    """
    return _degrees(asec(x))


@builtin("acscd", family="math/trigonometry", lift="map", effects="pure")
def acscd(x: Operand) -> Operand:
    """Inverse cosecant in degrees.

    Y = acscd(X)

    Examples:
        >> acscd([1 -1])
        ans =
            90   -90

    See also: cscd, acsc, asind.
    """
    return _degrees(acsc(x))


@builtin("acotd", family="math/trigonometry", lift="map", effects="pure")
def acotd(x: Operand) -> Operand:
    """Inverse cotangent in degrees.

    Y = acotd(X)

    Examples:
        >> acotd([1 Inf 0])
        ans =
            45     0    90

    See also: cotd, acot, atand.
    """
    return _degrees(acot(x))
