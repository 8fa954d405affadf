"""Random numbers: uniform, normal, integers, permutations and samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.accel.capture.starting import draws
from runmat_core.accel.context import before_start, is_writing, starts_later
from runmat_core.accel.random.stream import RandomStream, stream_of
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import check_size, integer, numeric, real, shape_from
from runmat_core.builtins.arrays.creation import (
    generators,
    requested,
    split_class,
    without_device,
)
from runmat_core.builtins.random.rng import is_legacy, legacy
from runmat_core.values import (
    DTYPE,
    FLOAT_CLASSES,
    NUMERIC_CLASSES,
    from_numpy,
    plus,
    times,
    to_numpy,
    truth,
)
from runmat_core.values.hooks import HOOKS, is_captured

#: Element types of the stream by MATLAB's class.
ELEMENT = {"double": "f64", "single": "f32"}
#: Below this, doubles tell all integers apart.
MOST = 2.0**53


def _numbers(distribution: str, args: Sequence[Any], name: str, interp: Interp) -> Any:
    """Return the array that ``rand(...)`` or ``randn(...)`` with these arguments is."""
    asked = requested(args, name, FLOAT_CLASSES)
    if asked is None:
        return HOOKS.place(_numbers(distribution, without_device(args), name, interp))
    shape, cls, is_complex = asked
    stream = stream_of(interp)
    if not is_complex and _may_wait(math.prod(shape), stream, distribution):
        later = generators().random(stream, distribution, shape, cls)
        if later is not NotImplemented:
            return later
    draw = stream.uniform if distribution == "uniform" else stream.normal
    # the parts of complex numbers are drawn one after the other
    numbers = draw(math.prod(shape) * (2 if is_complex else 1), ELEMENT[cls])
    if is_complex:
        if distribution == "normal":
            numbers *= math.sqrt(0.5)
        numbers = numbers.view(np.complex64 if cls == "single" else np.complex128)
    return from_numpy(numbers.reshape(shape, order="F"))


def _may_wait(count: int, stream: RandomStream, distribution: str = "uniform") -> bool:
    """Whether a draw may be one that is made when it is needed; `generators` decides."""
    if count >= HOOKS.smallest and starts_later():
        before_start(draws(count, distribution))
    return is_captured(count) or stream.traced or is_writing()


@builtin(
    "rand",
    family="random/numbers",
    nargin=(0, None),
    needs=("interp",),
    effects="rng",
    pending="keep",
    captures="generator",
)
def rand(*args: Any, interp: Interp) -> Any:
    """Uniformly distributed random numbers in the interval (0, 1).

    X = rand
    X = rand(N), X = rand(M, N, …), X = rand(SZ)
    X = rand(…, "single"), X = rand(…, "like", P)

    Element by element the numbers are the same whether they are drawn one by one or as arrays.

    Examples:
        >> rng("default"); rand
        ans =
            0.8147

    See also: randn, randi, randperm, rng.
    """
    if not args:
        return stream_of(interp).one()
    if is_legacy(args):
        return legacy(args, stream_of(interp))
    return _numbers("uniform", args, "rand", interp)


@builtin(
    "randn",
    family="random/numbers",
    nargin=(0, None),
    needs=("interp",),
    effects="rng",
    pending="keep",
    captures="generator",
)
def randn(*args: Any, interp: Interp) -> Any:
    """Normally distributed random numbers, of mean 0 and variance 1.

    X = randn
    X = randn(N), X = randn(M, N, …), X = randn(SZ)
    X = randn(…, "single"), X = randn(…, "like", P)

    Where P is complex, real and imaginary parts have variance 1/2.

    Examples:
        >> size(randn(2, 3))
        ans =
             2     3

    See also: rand, randi, rng.
    """
    if not args:
        return stream_of(interp).one_normal()
    if is_legacy(args):
        return legacy(args, stream_of(interp))
    return _numbers("normal", args, "randn", interp)


@builtin(
    "randi",
    family="random/numbers",
    nargin=(1, None),
    needs=("interp",),
    effects="rng",
    captures="generator",
)
def randi(limits: Any, *args: Any, interp: Interp) -> Any:
    """Uniformly distributed random integers.

    X = randi(IMAX) draws from 1 to IMAX, X = randi([IMIN IMAX]) from IMIN to IMAX
    X = randi(…, N), X = randi(…, M, N, …), X = randi(…, SZ)
    X = randi(…, CLASSNAME), X = randi(…, "like", P); logical numbers are drawn from [0 1] or 1

    Examples:
        >> rng("default"); randi(10, 1, 5)
        ans =
             9    10     2    10     7

    See also: rand, randn, randperm, rng.
    """
    if limits.__class__ is float and not args and 1 <= limits <= MOST and limits % 1 == 0:
        drawn = stream_of(interp).one()
        if drawn.__class__ is float:
            return math.floor(drawn * limits) + 1.0
        return plus(floor(drawn, limits), 1.0)
    sizes, cls, _ = split_class(args, "randi", NUMERIC_CLASSES | {"logical"})
    low, high = _limits(limits, cls)
    shape = shape_from(sizes)
    check_size(shape, 8)
    stream = stream_of(interp)
    if cls == "double" and _may_wait(math.prod(shape), stream):
        later = generators().random(stream, "uniform", shape, cls)
        if later is not NotImplemented:
            return plus(floor(later, high - low + 1), low)
    numbers = stream.uniform(math.prod(shape))
    numbers *= high - low + 1
    np.floor(numbers, out=numbers)
    numbers += low
    return from_numpy(numbers.reshape(shape, order="F").astype(DTYPE[cls], copy=False))


def floor(draws: Any, count: float) -> Any:
    """Pending uniform numbers as whole numbers from zero, fewer than `count`."""
    from runmat_core.builtins import fusing, registry

    scaled = times(draws, count)
    spec = registry.find("floor")
    assert spec is not None
    result = fusing.capture(spec, (scaled,), 1)
    return from_numpy(np.floor(to_numpy(scaled))) if result is NotImplemented else result


def _limits(limits: Any, cls: str) -> tuple[float, float]:
    """Return the least and greatest integer to draw, which class `cls` must hold."""
    ends = real(limits, "randi").astype(np.float64).ravel(order="F")
    if not ends.size:
        ends = np.zeros(1)
    low, high = (1.0, float(ends[0])) if ends.size == 1 else (float(ends[0]), float(ends[-1]))
    if ends.size not in (1, 2) or (ends != np.floor(ends)).any() or high < low:
        raise MatlabError(
            "MATLAB:randi:invalidLimits",
            "First input must be a positive scalar integer value IMAX, or two integer values "
            "[IMIN IMAX] with IMIN less than or equal to IMAX.",
        )
    least, most = _exact_range(cls)
    if low < least or high > most or high - low >= MOST:
        raise MatlabError(
            "MATLAB:randi:invalidLimits",
            f"IMIN and IMAX must be values of class {cls} that differ by less than 2^53.",
        )
    return low, high


def _exact_range(cls: str) -> tuple[float, float]:
    """Return the integers that class `cls` holds without gaps, as far as doubles go."""
    if cls in FLOAT_CLASSES:
        most = MOST if cls == "double" else 2.0**24
        return -most, most
    if cls == "logical":
        return 0.0, 1.0
    info = np.iinfo(DTYPE[cls])
    return max(float(info.min), -MOST), min(float(info.max), MOST)


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
    if truth(replacement):
        check_size((count,), 8)
        at = np.floor(stream.uniform(count) * members.size).astype(np.intp)
    elif count > members.size:
        raise MatlabError("stats:randsample:SampleTooLarge", "K must be less than or equal to N.")
    else:
        at = stream.permutation(members.size)[:count]
    shape = (1, -1) if members.shape[0] == 1 else (-1, 1)
    return from_numpy(members.ravel(order="F")[at].reshape(shape))
