"""Random numbers: uniform, normal, integers, permutations, and the state of the stream."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import (
    check_size,
    integer,
    numeric,
    option,
    real,
    shape_from,
)
from runmat_core.builtins.arrays.creation import split_class
from runmat_core.builtins.random.stream import RandomStream, stream_of
from runmat_core.values import (
    DTYPE,
    FLOAT_CLASSES,
    NUMERIC_CLASSES,
    char,
    field,
    from_numpy,
    is_text,
    numel_of,
    struct,
    to_numpy,
)
from runmat_core.values.struct import StructArray


def _request(args: tuple[Any, ...], name: str) -> tuple[tuple[int, ...], int, Any]:
    """Shape, number of elements and NumPy type that the arguments of ``rand(...)`` ask for."""
    sizes, cls, _ = split_class(args, name, FLOAT_CLASSES)
    shape = shape_from(sizes)
    check_size(shape, 8)
    return shape, int(np.prod(shape)), DTYPE[cls]


def _is_legacy(args: tuple[Any, ...]) -> bool:
    """Whether the call is ``rand('seed', s)`` or its like, which is about the stream."""
    return bool(args) and is_text(args[0]) and option(args[0]) in {"seed", "state", "twister"}


def _legacy(args: tuple[Any, ...], stream: RandomStream) -> Any:
    """``S = rand('state')`` tells the state, ``rand('state', S)`` sets it or a seed."""
    if len(args) == 1:
        return from_numpy(stream.state().astype(np.float64).reshape(-1, 1))
    if is_text(args[1]):
        stream.shuffle()
        return None
    given = to_numpy(args[1])
    stream.restore(abs(int(given.flat[0])) % 2**32 if given.size else 0, given)
    return None


@builtin("rand", family="random/numbers", nargin=(0, None), needs=("interp",), effects="rng")
def rand(*args: Any, interp: Interp) -> Any:
    """Uniformly distributed random numbers in the interval (0, 1).

    X = rand
    X = rand(N), X = rand(M, N, …), X = rand(SZ)
    X = rand(…, "single"), X = rand(…, "like", P)

    Examples:
        >> rng("default"); rand
        ans =
            0.8147

    See also: randn, randi, randperm, rng.
    """
    stream = stream_of(interp)
    if not args:
        return stream.one()
    if _is_legacy(args):
        return _legacy(args, stream)
    shape, count, dtype = _request(args, "rand")
    return from_numpy(stream.uniform(count).reshape(shape, order="F").astype(dtype, copy=False))


@builtin("randn", family="random/numbers", nargin=(0, None), needs=("interp",), effects="rng")
def randn(*args: Any, interp: Interp) -> Any:
    """Normally distributed random numbers, of mean 0 and variance 1.

    X = randn
    X = randn(N), X = randn(M, N, …), X = randn(SZ)
    X = randn(…, "single"), X = randn(…, "like", P)

    Examples:
        >> size(randn(2, 3))
        ans =
             2     3

    See also: rand, randi, rng.
    """
    stream = stream_of(interp)
    if not args:
        return stream.one_normal()
    if _is_legacy(args):
        return _legacy(args, stream)
    shape, count, dtype = _request(args, "randn")
    return from_numpy(stream.normal(count).reshape(shape, order="F").astype(dtype, copy=False))


@builtin("randi", family="random/numbers", nargin=(1, None), needs=("interp",), effects="rng")
def randi(limits: Any, *args: Any, interp: Interp) -> Any:
    """Uniformly distributed random integers.

    X = randi(IMAX) draws from 1 to IMAX, X = randi([IMIN IMAX]) from IMIN to IMAX
    X = randi(…, N), X = randi(…, M, N, …), X = randi(…, SZ)
    X = randi(…, CLASSNAME)

    Examples:
        >> rng(0); randi(10, 1, 5)
        ans =
             9    10     2    10     7

    See also: rand, randn, randperm, rng.
    """
    if limits.__class__ is float and not args and limits >= 1 and limits % 1 == 0:
        return math.floor(stream_of(interp).one() * limits) + 1.0
    ends = real(limits, "randi").astype(np.float64).ravel()
    if not ends.size:
        ends = np.zeros(1)
    low, high = (1.0, ends[0]) if ends.size == 1 else (ends[0], ends[-1])
    if ends.size not in (1, 2) or (ends != np.floor(ends)).any() or high < low:
        raise MatlabError(
            "MATLAB:randi:invalidLimits",
            "First input must be a positive scalar integer value IMAX, or two integer values "
            "[IMIN IMAX] with IMIN less than or equal to IMAX.",
        )
    sizes, cls, _ = split_class(args, "randi", NUMERIC_CLASSES)
    shape = shape_from(sizes)
    check_size(shape, 8)
    draws = stream_of(interp).uniform(int(np.prod(shape)))
    numbers = low + np.floor(draws * (high - low + 1))
    return from_numpy(numbers.reshape(shape, order="F").astype(DTYPE[cls]))


@builtin("randperm", family="random/numbers", needs=("interp",), effects="rng")
def randperm(n: Any, k: Any = None, *, interp: Interp) -> Any:
    """Random permutation of the integers from 1 to N.

    P = randperm(N)
    P = randperm(N, K) gives K of them, without repetitions

    Examples:
        >> sort(randperm(5))
        ans =
             1     2     3     4     5

    See also: randi, rand, rng.
    """
    count = integer(n, "N")
    wanted = count if k is None else integer(k, "K")
    if count < 0 or not 0 <= wanted <= count:
        raise MatlabError(
            "MATLAB:randperm:inputKTooLarge", "K must be less than or equal to N, and nonnegative."
        )
    check_size((1, count), 8)
    order = stream_of(interp).permutation(count)[:wanted]
    return from_numpy(order.astype(np.float64).reshape(1, -1) + 1)


def _settings(stream: RandomStream) -> StructArray:
    state: NDArray[np.uint32] = stream.state().reshape(-1, 1)
    return struct(
        {"Type": char(stream.kind), "Seed": float(stream.seed), "State": from_numpy(state)}
    )


@builtin("rng", family="random/numbers", needs=("nargout", "interp"), effects="rng")
def rng(seed: Any = None, generator: Any = None, *, nargout: int, interp: Interp) -> Any:
    """State of the random number generator.

    rng(SEED), rng("default"), rng("shuffle"), rng(SEED, "twister")
    S = rng gives the state, and rng(S) goes back to it

    Examples:
        >> s = rng; a = rand; rng(s); a == rand
        ans =
          logical
           1

    See also: rand, randn, randi, randperm.
    """
    stream = stream_of(interp)
    before = _settings(stream)
    if generator is not None and option(generator) not in {"twister", "philox", "threefry"}:
        raise MatlabError("MATLAB:rng:BadSettings", "Unknown random number generator.")
    if seed is None:
        return before
    if isinstance(seed, StructArray):
        stream.restore(int(field(seed, "Seed")), to_numpy(field(seed, "State")))
    elif option(seed) == "default":
        stream.reseed(0)
    elif option(seed) == "shuffle":
        stream.shuffle()
    elif option(seed) in {"twister", "philox", "threefry"}:
        stream.reseed(0)
    else:
        stream.reseed(_seed(seed))
    return before if nargout else None


def _seed(value: Any) -> int:
    if is_text(value) or numel_of(value) != 1:
        raise MatlabError(
            "MATLAB:rng:badFirstOpt",
            "First input must be a nonnegative integer seed less than 2^32, 'shuffle', 'default', "
            "or generator settings captured previously using S = RNG.",
        )
    number = integer(value, "Seed")
    if not 0 <= number < 2**32:
        raise MatlabError(
            "MATLAB:rng:badSeed", "SEED must be a nonnegative integer value less than 2^32."
        )
    return number


@builtin("randsample", family="random/numbers", needs=("interp",), effects="rng")
def randsample(population: Any, k: Any, replacement: Any = 0.0, *, interp: Interp) -> Any:
    """Random sample from a population.

    Y = randsample(N, K) draws K of the integers from 1 to N, without replacement
    Y = randsample(POPULATION, K), Y = randsample(…, true) draws with replacement

    Examples:
        >> sort(randsample(3, 3))'
        ans =
             1     2     3

    See also: randperm, randi.
    """
    given = numeric(population, "randsample")
    if given.size == 1:
        check_size((max(integer(population, "N"), 0),), 8)
    members = np.arange(1.0, given.flat[0] + 1).reshape(-1, 1) if given.size == 1 else given
    count, stream = integer(k, "K"), stream_of(interp)
    if count < 0 or not members.size:
        raise MatlabError("stats:randsample:BadK", "K must be a nonnegative integer.")
    if bool(to_numpy(replacement).flat[0]):
        at = np.floor(stream.uniform(count) * members.size).astype(np.intp)
    elif count > members.size:
        raise MatlabError("stats:randsample:SampleTooLarge", "K must be less than or equal to N.")
    else:
        at = stream.permutation(members.size)[:count]
    shape = (1, -1) if members.shape[0] == 1 else (-1, 1)
    return from_numpy(members.ravel(order="F")[at].reshape(shape))
