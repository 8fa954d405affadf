"""The state of the random number generator: ``rng``, and the ways of ``rand`` from before it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.random.stream import RandomStream, stream_of
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import option
from runmat_core.values import (
    NUMERIC_CLASSES,
    char,
    class_of,
    from_numpy,
    is_text,
    numel_of,
    struct,
    text,
    to_numpy,
)
from runmat_core.values.struct import StructArray

#: The generators by the names that MATLAB has for them, in lower case.
GENERATOR = {
    "twister": "twister",
    "mt19937ar": "twister",
    "philox": "philox",
    "philox4x32_10": "philox",
}
#: Names of generators that MATLAB has beside these.
_OTHERS = frozenset(
    "simdtwister dsfmt19937 combrecursive mrg32k3a multfibonacci mlfg6331_64 threefry "
    "threefry4x64_20 v4 v5uniform v5normal".split()
)


@builtin("rng", family="random/numbers", needs=("nargout", "interp"), effects="rng")
def rng(seed: Any = None, generator: Any = None, *, nargout: int, interp: Interp) -> Any:
    """State of the random number generator.

    rng(SEED) starts anew from an integer seed, with the generator that is in use
    rng(SEED, GENERATOR) takes "philox" or "twister"; rng(GENERATOR) is the same with seed 0
    rng("default") is rng(0, "twister"), with the values of MATLAB
    rng("shuffle"), rng("shuffle", GENERATOR) takes a seed from the clock
    S = rng gives the state, and rng(S) goes back to it

    A session begins with seed 0 and the generator that language.rng names in runmat.toml.

    Examples:
        >> s = rng; a = rand; rng(s); a == rand
        ans =
          logical
           1

    See also: rand, randn, randi, randperm.
    """
    stream = stream_of(interp)
    before = settings(stream) if nargout or seed is None else None
    if seed is None:
        return before
    if isinstance(seed, StructArray):
        _alone(generator)
        _restore(stream, seed)
    elif option(seed) == "default":
        _alone(generator)
        stream.reseed(0, "twister")
    elif option(seed) == "shuffle":
        stream.shuffle(_second(generator))
    elif option(seed) in GENERATOR or option(seed) in _OTHERS:
        _alone(generator)
        stream.reseed(0, _generator(seed))
    else:
        stream.reseed(_seed(seed), _second(generator))
    return before


def settings(stream: RandomStream) -> StructArray:
    """Return the state of a stream as ``rng`` gives it."""
    state = from_numpy(stream.state().reshape(-1, 1))
    return struct({"Type": char(stream.kind), "Seed": float(stream.seed), "State": state})


def _alone(generator: Any) -> None:
    if generator is not None:
        raise MatlabError("MATLAB:rng:maxrhs", "Too many input arguments.")


def _second(generator: Any) -> str | None:
    """Return the generator that a second argument names; None where there is none."""
    if generator is None:
        return None
    if not is_text(generator):
        raise MatlabError(
            "MATLAB:rng:badSecondOpt", "Second input must be a generator name, such as 'philox'."
        )
    return _generator(generator)


def _generator(name: Any) -> str:
    kind = GENERATOR.get(option(name) or "")
    if kind is None:
        raise MatlabError(
            "MATLAB:rng:unknownRNGType",
            f"There is no generator '{text(name)}' here: use 'philox' or 'twister'.",
        )
    return kind


def _seed(value: Any) -> int:
    if value.__class__ is float and 0 <= value < 2**32 and value.is_integer():
        return int(value)
    if class_of(value) not in NUMERIC_CLASSES or numel_of(value) != 1:
        raise MatlabError(
            "MATLAB:rng:badFirstOpt",
            "First input must be a nonnegative integer seed less than 2^32, 'shuffle', 'default', "
            "or generator settings captured previously using S = RNG.",
        )
    words = _words(to_numpy(value))
    if words is None:
        raise MatlabError(
            "MATLAB:rng:badSeed", "SEED must be a nonnegative integer value less than 2^32."
        )
    return int(words[0])


def _restore(stream: RandomStream, given: StructArray) -> None:
    """Go back to what `settings` gave.

    Raises:
        MatlabError: MATLAB:rng:badSettings, for any other structure.
    """
    wanted = _read(given)
    if wanted is None or not stream.restore(*wanted):
        raise MatlabError(
            "MATLAB:rng:badSettings",
            "Input structure must be generator settings captured previously using S = RNG.",
        )


def _read(given: StructArray) -> tuple[str, int, NDArray[np.uint32]] | None:
    """Return generator, seed and state from a structure; None where it has something else."""
    if numel_of(given) != 1 or set(given.field_names()) != {"Type", "Seed", "State"}:
        return None
    kind, *numbers = (given.field(name) for name in ("Type", "Seed", "State"))
    known = GENERATOR.get(option(kind) or "")
    if known is None or not all(class_of(number) in NUMERIC_CLASSES for number in numbers):
        return None
    seed, state = (_words(to_numpy(number)) for number in numbers)
    if seed is None or state is None or seed.size != 1:
        return None
    return known, int(seed[0]), state


def _words(values: NDArray[Any]) -> NDArray[np.uint32] | None:
    """Numbers as 32-bit words in column-major order; None where they are none."""
    if values.dtype.kind == "c" or not ((values >= 0) & (values < 2**32)).all():
        return None
    words = values.ravel(order="F").astype(np.uint32)
    return words if (words == values.ravel(order="F")).all() else None


# -- before rng ---------------------------------------------------------------------------------


def is_legacy(args: tuple[Any, ...]) -> bool:
    """Whether a call is ``rand('seed', s)`` or its like, which is about the stream."""
    return bool(args) and is_text(args[0]) and option(args[0]) in {"seed", "state", "twister"}


def legacy(args: tuple[Any, ...], stream: RandomStream) -> Any:
    """``S = rand('state')`` tells the state, ``rand('state', S)`` goes back to it.

    ``rand('state', J)`` with an integer starts the twister from it, as does any of these words,
    and ``rand('state', 'reset')`` takes a seed from the clock.
    """
    if len(args) == 1:
        return from_numpy(stream.state().astype(np.float64).reshape(-1, 1))
    if is_text(args[1]):
        stream.shuffle()
        return None
    words = None
    if class_of(args[1]) in NUMERIC_CLASSES:
        words = _words(np.abs(to_numpy(args[1])))
    if words is not None and words.size == 1:
        stream.reseed(int(words[0]), "twister")
        return None
    kind = "twister" if words is not None and words.size > 7 else "philox"
    if words is None or not stream.restore(kind, stream.seed, words):
        raise MatlabError(
            "MATLAB:rand:badState", "A seed must be an integer, or what rand('state') gave."
        )
    return None
