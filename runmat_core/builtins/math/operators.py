"""Arithmetic operators by name."""

from __future__ import annotations

from functools import reduce
from typing import Any

from runmat_core import values
from runmat_core.api.builtin import builtin
from runmat_core.api.operators import OPERATORS


@builtin("plus", family="math/operators", effects="pure", fusion=OPERATORS["plus"])
def plus(a: Any, b: Any, *more: Any) -> Any:
    """Sum, the function form of ``A + B``.

    C = plus(A, B, …)

    Examples:
        >> plus(2, 3)
        ans =
             5

    See also: minus, sum.
    """
    return reduce(values.plus, more, values.plus(a, b))


@builtin("minus", family="math/operators", effects="pure", fusion=OPERATORS["minus"])
def minus(a: Any, b: Any) -> Any:
    """Difference, the function form of ``A - B``.

    C = minus(A, B)

    Examples:
        >> minus(5, 3)
        ans =
             2

    See also: plus, diff.
    """
    return values.minus(a, b)


@builtin("times", family="math/operators", effects="pure", fusion=OPERATORS["times"])
def times(a: Any, b: Any, *more: Any) -> Any:
    """Elementwise product, the function form of ``A .* B``.

    C = times(A, B, …)

    Examples:
        >> times([1 2], [3 4])
        ans =
             3     8

    See also: mtimes, rdivide, prod.
    """
    return reduce(values.times, more, values.times(a, b))


@builtin("mtimes", family="math/operators", effects="pure", captures="operator")
def mtimes(a: Any, b: Any, *more: Any) -> Any:
    """Matrix product, the function form of ``A * B``.

    C = mtimes(A, B, …)

    Examples:
        >> mtimes([1 2], [3; 4])
        ans =
            11

    See also: times, mldivide.
    """
    return reduce(values.mtimes, more, values.mtimes(a, b))


@builtin("rdivide", family="math/operators", effects="pure", fusion=OPERATORS["rdivide"])
def rdivide(a: Any, b: Any) -> Any:
    """Elementwise right division, the function form of ``A ./ B``.

    C = rdivide(A, B)

    Examples:
        >> rdivide(6, [2 3])
        ans =
             3     2

    See also: ldivide, mrdivide, times.
    """
    return values.rdivide(a, b)


@builtin("ldivide", family="math/operators", effects="pure", fusion=OPERATORS["ldivide"])
def ldivide(a: Any, b: Any) -> Any:
    r"""Elementwise left division, the function form of ``A .\ B``.

    C = ldivide(A, B)

    Examples:
        >> ldivide(2, 6)
        ans =
             3

    See also: rdivide, mldivide.
    """
    return values.ldivide(a, b)


@builtin("mrdivide", family="math/operators", effects="pure", captures="operator")
def mrdivide(a: Any, b: Any) -> Any:
    """Solution X of X*A = B, the function form of ``B / A``.

    X = mrdivide(B, A)

    Examples:
        >> mrdivide(6, 2)
        ans =
             3

    See also: mldivide, rdivide.
    """
    return values.mrdivide(a, b)


@builtin("mldivide", family="math/operators", effects="pure", captures="operator")
def mldivide(a: Any, b: Any) -> Any:
    r"""Solution X of A*X = B, the function form of ``A \ B``.

    X = mldivide(A, B)

    Examples:
        >> mldivide([2 0; 0 4], [2; 4])
        ans =
             1
             1

    See also: mrdivide, linsolve, inv.
    """
    return values.mldivide(a, b)


@builtin("power", family="math/operators", effects="pure", fusion=OPERATORS["power"])
def power(a: Any, b: Any) -> Any:
    """Elementwise power, the function form of ``A .^ B``.

    C = power(A, B)

    Examples:
        >> power([1 2 3], 2)
        ans =
             1     4     9

    See also: mpower, realpow, nthroot, sqrt.
    """
    return values.power(a, b)


@builtin("mpower", family="math/operators", effects="pure")
def mpower(a: Any, b: Any) -> Any:
    """Matrix power, the function form of ``A ^ B``.

    C = mpower(A, B)

    Examples:
        >> mpower([1 1; 0 1], 3)
        ans =
             1     3
             0     1

    See also: power, expm, sqrtm.
    """
    return values.mpower(a, b)


@builtin("uminus", family="math/operators", effects="pure", fusion=OPERATORS["uminus"])
def uminus(a: Any) -> Any:
    """Negation, the function form of ``-A``.

    B = uminus(A)

    Examples:
        >> uminus(3)
        ans =
            -3

    See also: uplus, minus.
    """
    return values.uminus(a)


@builtin("uplus", family="math/operators", effects="pure")
def uplus(a: Any) -> Any:
    """The operand itself, the function form of ``+A``.

    B = uplus(A)

    Examples:
        >> uplus(3)
        ans =
             3

    See also: uminus, plus.
    """
    return values.uplus(a)


@builtin("transpose", family="math/operators", effects="pure", captures="operator")
def transpose(a: Any) -> Any:
    """Transpose without conjugation, the function form of ``A.'``.

    B = transpose(A)

    Examples:
        >> transpose([1 2])
        ans =
             1
             2

    See also: ctranspose, permute.
    """
    return values.transpose(a)


@builtin("ctranspose", family="math/operators", effects="pure", captures="operator")
def ctranspose(a: Any) -> Any:
    """Conjugate transpose, the function form of ``A'``.

    B = ctranspose(A)

    Examples:
        >> ctranspose([1 2i])
        ans =
           1.0000 + 0.0000i
           0.0000 - 2.0000i

    See also: transpose, conj.
    """
    return values.ctranspose(a)
