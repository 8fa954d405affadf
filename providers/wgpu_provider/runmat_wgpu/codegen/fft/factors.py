"""Lengths of transforms as passes, and passes as butterflies."""

from __future__ import annotations

import math
from functools import lru_cache

#: Prime factors that butterflies have; lengths with others are convolved (see `chirps`).
PRIMES = (2, 3, 5, 7, 11, 13)


def smooth(n: int) -> bool:
    """Whether a length is a product of butterflies."""
    for prime in PRIMES:
        while n % prime == 0:
            n //= prime
    return n == 1


def radices(n: int) -> tuple[int, ...]:
    """Return a length as radices of butterflies: eights, fours, then odd ones."""
    found: list[int] = []
    twos = 0
    while n % 2 == 0:
        n, twos = n // 2, twos + 1
    if twos == 1:
        found.append(2)
    elif twos:
        fours = (-twos) % 3
        found += [8] * ((twos - 2 * fours) // 3) + [4] * fours
    for prime in PRIMES[1:]:
        while n % prime == 0:
            n //= prime
            found.append(prime)
    if n != 1:
        raise ValueError("no product of butterflies")
    return tuple(found)


@lru_cache(maxsize=256)
def passes(n: int, most: int) -> tuple[int, ...]:
    """Return a length as the fewest factors of at most `most` each, as even as possible.

    Raises:
        ValueError: there is no such product.
    """
    count = 1
    while most**count < n:
        count += 1
    # a few more than sizes alone ask for: factors such as 13 * 13 do not always share out well
    for parts in range(count, count + 4):
        found = _shared_out(n, parts, most)
        if found is not None:
            return found
    raise ValueError(f"{n} is no product of factors up to {most}")


def _shared_out(n: int, parts: int, most: int) -> tuple[int, ...] | None:
    if parts == 1:
        return (n,) if n <= most else None
    even = n ** (1 / parts)
    for d in sorted(_divisors(n), key=lambda d: abs(math.log(d / even))):
        if d <= most:
            rest = _shared_out(n // d, parts - 1, most)
            if rest is not None:
                return tuple(sorted((d, *rest), reverse=True))
    return None


@lru_cache(maxsize=256)
def _divisors(n: int) -> tuple[int, ...]:
    found = [1]
    for prime in PRIMES:
        powers = [1]
        while n % prime == 0:
            n //= prime
            powers.append(powers[-1] * prime)
        found = [d * p for d in found for p in powers]
    return tuple(found)
