"""Number theory and counting."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import (
    check_size,
    integer,
    integer_dtype,
    numeric,
    scalar,
    whole,
)
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.builtins.arrays.ordering import keys_of
from runmat_core.builtins.lift import expand
from runmat_core.builtins.named import choice
from runmat_core.values import from_numpy, size_of
from runmat_core.values.classes import saturate


def _whole(value: Any, name: str) -> NDArray[Any]:
    return whole(value, name).reshape(size_of(value), order="F")


def _pairwise(name: str, x: Any, y: Any, rule: Any) -> Any:
    dtype = integer_dtype(x, y, name)
    a, b = expand([_whole(x, name), _whole(y, name)])
    result = rule(np.abs(a), np.abs(b))
    return from_numpy(saturate(result, dtype) if dtype else result.astype(np.float64))


@builtin("gcd", family="math/integers", nargout=3, needs=("nargout",), effects="pure")
def gcd(x: Any, y: Any, *, nargout: int) -> Any:
    """Greatest common divisor.

    G = gcd(A, B), [G, U, V] = gcd(A, B) with A.*U + B.*V = G

    Examples:
        >> gcd(12, [18 30])
        ans =
             6     6

    See also: lcm, factor, rem.
    """
    if nargout < 2:
        return _pairwise("gcd", x, y, np.gcd)
    dtype = integer_dtype(x, y, "gcd")
    if dtype is not None and dtype.kind == "u":
        raise MatlabError(
            "MATLAB:gcd:unsignedInputs", "Factors may be negative: inputs must not be unsigned."
        )
    a, b = np.broadcast_arrays(*expand([_whole(x, "gcd"), _whole(y, "gcd")]))
    found = _with_factors(a, b)[:nargout]
    kind = np.dtype(np.float64) if dtype is None else dtype
    return tuple(from_numpy(part.astype(kind)) for part in found)


def _with_factors(a: Any, b: Any) -> tuple[Any, Any, Any]:
    """Greatest common divisors, and what each number is multiplied by, by Euclid's algorithm."""
    old, new = np.abs(a).astype(np.int64), np.abs(b).astype(np.int64)
    u, next_u = np.ones_like(old), np.zeros_like(old)
    v, next_v = np.zeros_like(old), np.ones_like(old)
    while new.any():
        times = np.where(new != 0, old // np.where(new == 0, 1, new), 0)
        going = new != 0
        old, new = np.where(going, new, old), np.where(going, old - times * new, 0)
        u, next_u = np.where(going, next_u, u), np.where(going, u - times * next_u, next_u)
        v, next_v = np.where(going, next_v, v), np.where(going, v - times * next_v, next_v)
    return old, u * np.where(a < 0, -1, 1), v * np.where(b < 0, -1, 1)


@builtin("lcm", family="math/integers", effects="pure")
def lcm(x: Any, y: Any) -> Any:
    """Least common multiple.

    L = lcm(A, B)

    Examples:
        >> lcm(4, 6)
        ans =
            12

    See also: gcd, factor.
    """
    return _pairwise("lcm", x, y, np.lcm)


def _sieve(limit: int) -> NDArray[np.intp]:
    """Return the primes up to `limit`."""
    if limit < 2:
        return np.zeros(0, np.intp)
    check_size((limit,), 1)
    odd = np.ones((limit + 1) // 2, np.bool_)  # 1, 3, 5, …
    odd[0] = False
    for k in range(3, math.isqrt(limit) + 1, 2):
        if odd[k // 2]:
            odd[k * k // 2 :: k] = False
    return np.concatenate([[2], 2 * np.flatnonzero(odd) + 1])


@builtin("primes", family="math/integers", effects="pure")
def primes(n: Any) -> Any:
    """Prime numbers up to a limit, as a row.

    P = primes(N)

    Examples:
        >> primes(20)
        ans =
             2     3     5     7    11    13    17    19

    See also: isprime, factor.
    """
    limit = scalar(n, "N")
    if not math.isfinite(limit):
        raise MatlabError("MATLAB:primes:InputNotFinite", "N must be finite.")
    found = _sieve(math.floor(limit)).reshape(1, -1)
    dtype = numeric(n, "primes").dtype
    return from_numpy(found.astype(dtype if dtype.kind in "iuf" else np.float64))


#: Enough witnesses for every number below 2^64.
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def _is_prime(n: int) -> bool:
    """Miller and Rabin's test, exact below 2^64."""
    if n < 2:
        return False
    for p in _WITNESSES:
        if n % p == 0:
            return n == p
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for witness in _WITNESSES:
        x = pow(witness, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


@builtin("isprime", family="math/integers", effects="pure")
def isprime(x: Any) -> Any:
    """Which elements are prime numbers.

    TF = isprime(X)

    Examples:
        >> isprime([1 2 9 97])
        ans =
          1×4 logical array
           0   1   0   1

    See also: primes, factor.
    """
    a = numeric(x, "isprime")
    if (
        a.dtype.kind == "c"
        or (a < 0).any()
        or (a.dtype.kind == "f" and not (np.isfinite(a) & (a == np.floor(a))).all())
    ):
        raise MatlabError(
            "MATLAB:isprime:InputNotPosInt",
            "All entries of X must be real, nonnegative integers.",
        )
    if a.size and a.max() < 10_000_000 and a.size > 50:
        table = np.zeros(int(a.max()) + 1, np.bool_)
        table[_sieve(int(a.max()))] = True
        return from_numpy(table[a.astype(np.intp)])
    found = [_is_prime(int(n)) for n in a.ravel(order="F")]
    return from_numpy(np.array(found, np.bool_).reshape(a.shape, order="F"))


def _smallest_factor(n: int) -> int:
    """Return a prime factor of an odd composite number, by Pollard's rho for large ones."""
    for p in range(3, 2000, 2):
        if n % p == 0:
            return p
    for offset in range(1, 100):
        slow = fast = 2
        divisor = 1
        while divisor == 1:
            slow = (slow * slow + offset) % n
            fast = (fast * fast + offset) % n
            fast = (fast * fast + offset) % n
            divisor = math.gcd(abs(slow - fast), n)
        if divisor != n:
            return divisor if _is_prime(divisor) else _smallest_factor(divisor)
    return n


@builtin("factor", family="math/integers", effects="pure")
def factor(n: Any) -> Any:
    """Prime factors, in ascending order.

    F = factor(N)

    Examples:
        >> factor(84)
        ans =
             2     2     3     7

    See also: primes, isprime, gcd.
    """
    given = numeric(n, "factor")
    number = scalar(n, "N")
    if not math.isfinite(number) or number < 0 or number != int(number):
        raise MatlabError(
            "MATLAB:factor:InputNotPosInt", "N must be a real, nonnegative integer scalar."
        )
    rest, found = int(given.flat[0]), []
    dtype = given.dtype if given.dtype.kind in "iuf" else np.float64
    if rest < 4:
        return from_numpy(np.array([[rest]], dtype))
    while rest % 2 == 0:
        rest //= 2
        found.append(2)
    while rest > 1:
        p = rest if _is_prime(rest) else _smallest_factor(rest)
        found.append(p)
        rest //= p
    return from_numpy(np.array(sorted(found)).reshape(1, -1).astype(dtype))


@builtin("factorial", family="math/integers", effects="pure")
def factorial(n: Any) -> Any:
    """Product of the integers from 1 to N.

    F = factorial(N)

    Examples:
        >> factorial([0 5 10])
        ans =
                   1         120     3628800

    See also: gamma, nchoosek, prod.
    """
    a = numeric(n, "factorial")
    if a.dtype.kind == "c" or (a < 0).any() or (a.dtype.kind == "f" and (a != np.floor(a)).any()):
        raise MatlabError(
            "MATLAB:factorial:NNegativeInt", "N must be an array of real non-negative integers."
        )
    table = np.array([float(math.factorial(k)) for k in range(171)] + [np.inf])
    result = table[np.minimum(a.astype(np.float64), 171).astype(np.intp)]
    if a.dtype.kind in "iu":
        return from_numpy(saturate(result, a.dtype))
    return from_numpy(result.astype(a.dtype if a.dtype == np.float32 else np.float64))


@builtin("nchoosek", family="math/integers", effects="pure")
def nchoosek(n: Any, k: Any) -> Any:
    """Binomial coefficient, or all combinations of the elements of a vector.

    B = nchoosek(N, K) is N!/(K!(N-K)!)
    C = nchoosek(V, K) has the combinations of K elements of V as rows

    Examples:
        >> nchoosek(5, 2)
        ans =
            10
        >> nchoosek([1 2 3], 2)
        ans =
             1     2
             1     3
             2     3

    See also: factorial, perms, randperm.
    """
    a, count = array_of(n), integer(k, "K")
    if count < 0:
        raise MatlabError("MATLAB:nchoosek:InvalidArg2", "K must be a non-negative integer.")
    if a.size == 1:
        total = scalar(n, "N")
        if not math.isfinite(total) or total < 0 or total != int(total):
            raise MatlabError(
                "MATLAB:nchoosek:InvalidArg", "N and K must be non-negative integers, K <= N."
            )
        return _binomial(int(total), count)
    elements = a.ravel(order="F")
    count = min(count, elements.size + 1)
    check_size((math.comb(elements.size, count), count), elements.itemsize)
    return rebuilt(n, elements[_combinations(elements.size, count)])


def _combinations(n: int, k: int) -> NDArray[np.intp]:
    """Rows of `k` numbers below `n`, each row ascending, the rows in lexicographic order."""
    columns: list[NDArray[np.intp]] = []
    last = np.full(1 if k <= n else 0, -1, np.intp)
    for column in range(k):
        # each row goes on with all numbers after its last one that leave enough for the rest
        counts = n - k + column - last
        first = np.repeat(last + 1 - (np.cumsum(counts) - counts), counts)
        last = first + np.arange(first.size)
        columns = [np.repeat(before, counts) for before in columns]
        columns.append(last)
    return np.stack(columns, axis=1) if columns else np.zeros((last.size, 0), np.intp)


def _binomial(n: int, k: int) -> float:
    """How many ways there are, infinite beyond the largest double."""
    k = min(k, n - k)
    if k < 0:
        return 0.0
    # each factor (n - j) / (k - j) is at least n / k, which is 2 or more
    if k * math.log2(max(n, 2) / max(k, 1)) > 1024:
        return math.inf
    return float(math.comb(n, k))


@builtin("perms", family="math/integers", effects="pure")
def perms(v: Any, form: Any = None) -> Any:
    """All permutations of the elements of a vector, as rows in reverse order.

    P = perms(V), P = perms(V, "unique") has each row once

    Examples:
        >> perms([1 2 3])
        ans =
             3     2     1
             3     1     2
             2     3     1
             2     1     3
             1     3     2
             1     2     3

    See also: nchoosek, randperm.
    """
    elements = array_of(v).ravel(order="F")
    check_size((math.factorial(min(elements.size, 30)), elements.size), elements.itemsize)
    orders = np.zeros((1, 0), np.intp)
    for first in range(elements.size):
        # each number leads the orders of the others, which are numbered without it
        heads = np.repeat(np.arange(first, -1, -1), len(orders))[:, None]
        rest = np.tile(orders, (first + 1, 1))
        orders = np.hstack([heads, rest + (rest >= heads)])
    if form is None:
        return rebuilt(v, elements[orders])
    choice(form, ("unique",), "perms")
    _, numbers = np.unique(keys_of(v, "perms").ravel(order="F"), return_inverse=True)
    _, places = np.unique(numbers.ravel()[orders], axis=0, return_index=True)
    return rebuilt(v, elements[orders[np.sort(places)]])
