"""RandStream: random streams as objects, beside the one that a session draws from."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import attrs

from runmat_core.accel.random.stream import RandomStream, StreamHolder, stream_holder
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer, numeric, option
from runmat_core.builtins.named import pairs
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.random.random import rand, randi, randn, randperm
from runmat_core.builtins.random.rng import GENERATOR
from runmat_core.values import HandleObject, cell, char, class_of, from_numpy, is_text, text
from runmat_core.values.array_object import OBJECTS
from runmat_core.values.object import method

_TYPES = {"twister": "mt19937ar", "philox": "philox4x32_10"}
_DRAWS: dict[str, Callable[..., Any]] = {
    "rand": rand,
    "randn": randn,
    "randi": randi,
    "randperm": randperm,
}


@attrs.frozen(eq=False)
class _Held:
    stream: RandomStream
    interp: Interp


class StreamObject(HandleObject):
    """A RandStream.

    Attributes:
        data: the stream, and the session that it is for.
    """

    __slots__ = ()
    data: _Held
    class_name = "RandStream"
    properties = (
        *("Type", "Seed", "NumStreams", "StreamIndex", "State", "Substream", "NormalTransform"),
        *("Antithetic", "FullPrecision"),
    )

    def __init__(self, stream: RandomStream, interp: Interp) -> None:
        self.data = _Held(stream, interp)

    def get_property(self, name: str) -> Any:
        stream = self.data.stream
        values: dict[str, Any] = {
            "Type": char(_TYPES[stream.kind]),
            "Seed": float(stream.seed),
            "NormalTransform": char("Ziggurat" if stream.kind == "twister" else "Inversion"),
            "Antithetic": False,
            "FullPrecision": True,
        }
        if name == "State":
            return from_numpy(stream.state().reshape(-1, 1))
        return values.get(name, 1.0)

    def set_property(self, name: str, rhs: Any) -> None:
        stream = self.data.stream
        if name != "State":
            super().set_property(name, rhs)
        words = numeric(rhs, "RandStream").ravel(order="F")
        if words.dtype.kind not in "uif" or not stream.restore(stream.kind, stream.seed, words):
            raise MatlabError(
                "MATLAB:RandStream:set:BadState", "State must be what this generator gave."
            )

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether two objects are one stream."""
        return isinstance(other, StreamObject) and other.data.stream is self.data.stream

    def draw(self, name: str, args: tuple[Any, ...]) -> Any:
        """Return what a builtin gives that draws from this stream for once."""
        held = self.data
        holder = stream_holder(held.interp)
        before, holder.stream = holder.stream, held.stream
        try:
            return _DRAWS[name](*args, interp=held.interp)
        finally:
            holder.stream = before

    @method("rand")
    def rand(self, nargout: int, *args: Any) -> Any:
        return self.draw("rand", args)

    @method("randn")
    def randn(self, nargout: int, *args: Any) -> Any:
        return self.draw("randn", args)

    @method("randi")
    def randi(self, nargout: int, *args: Any) -> Any:
        return self.draw("randi", args)

    @method("randperm")
    def randperm(self, nargout: int, *args: Any) -> Any:
        return self.draw("randperm", args)

    @method("reset")
    def reset(self, nargout: int = 0, seed: Any = None) -> None:
        """Start anew, from another seed where one is given."""
        stream = self.data.stream
        stream.reseed(stream.seed if seed is None else _seed(seed))


OBJECTS.add(StreamObject)


@overload("rand", "randn", "randi", "randperm")
def drawn(call: Call, *args: Any) -> Any:
    """``rand(S, …)``."""
    if not isinstance(args[0], StreamObject):
        return call.original(call.nargout, *args)
    return args[0].draw(call.name, args[1:])


def _seed(value: Any) -> int:
    if option(value) == "shuffle":
        return time.time_ns() // 1_000_000 % 2**32
    if is_text(value):
        raise MatlabError("MATLAB:RandStream:BadSeed", "Seed must be an integer or 'shuffle'.")
    seed = integer(value, "Seed")
    if not 0 <= seed < 2**32:
        raise MatlabError(
            "MATLAB:RandStream:BadSeed", "Seed must be a nonnegative integer less than 2^32."
        )
    return seed


def _made(args: tuple[Any, ...], interp: Interp) -> StreamObject:
    kind = GENERATOR.get(option(args[0]) or "")
    if kind is None:
        name = text(args[0]) if is_text(args[0]) else class_of(args[0])
        raise MatlabError(
            "MATLAB:RandStream:create:UnknownRNGType",
            f"There is no generator '{name}' here: use 'mt19937ar' or 'philox4x32_10'.",
        )
    known = ("Seed", "NormalTransform", "NumStreams", "StreamIndices", "CellOutput")
    given, _ = pairs(args[1:], known, "RandStream")
    for name in ("NumStreams", "StreamIndices"):
        if name in given and integer(given[name], name) != 1:
            raise MatlabError(
                "MATLAB:RandStream:create:NumStreams",
                "Streams are made one by one here, with seeds of their own.",
            )
    return StreamObject(RandomStream(kind, _seed(given.get("Seed", 0.0))), interp)


@builtin("RandStream", family="random/streams", nargin=(1, None), needs=("interp",))
def rand_stream(*args: Any, interp: Interp) -> Any:
    """Random stream of its own: an object to draw from.

    S = RandStream(GENERATOR) with "mt19937ar" (the twister) or "philox4x32_10"
    S = RandStream(GENERATOR, "Seed", SEED) with an integer or "shuffle", 0 by default
    X = rand(S, …), randn(S, …), randi(S, …), randperm(S, …) draw from it; reset(S), reset(S, SEED)
    start it anew; S.State is where it is, and may be set

    Examples:
        >> s = RandStream('mt19937ar', 'Seed', 5489); rand(s)
        ans =
            0.8147

    See also: RandStream.getGlobalStream, RandStream.setGlobalStream, rng, rand.
    """
    return _made(args, interp)


@builtin("RandStream.create", family="random/streams", nargin=(1, None), needs=("interp",))
def rand_stream_create(*args: Any, interp: Interp) -> Any:
    """Random stream of its own, as RandStream makes it.

    S = RandStream.create(GENERATOR, "Seed", SEED)

    Examples:
        >> s = RandStream.create('mt19937ar'); s.Type
        ans =
            'mt19937ar'

    See also: RandStream.
    """
    return _made(args, interp)


@builtin("RandStream.list", family="random/streams", effects="pure")
def rand_stream_list() -> Any:
    """Names of the generators that there are, as a cell.

    Examples:
        >> RandStream.list
        ans =
          1×2 cell array
            {'mt19937ar'}    {'philox4x32_10'}

    See also: RandStream.
    """
    return cell([char(name) for name in _TYPES.values()])


@builtin(
    "RandStream.getGlobalStream",
    "RandStream.getDefaultStream",
    family="random/streams",
    needs=("interp",),
)
def get_global_stream(*, interp: Interp) -> Any:
    """Stream that rand, randn, randi and randperm draw from.

    S = RandStream.getGlobalStream

    Examples:
        >> s = RandStream.getGlobalStream; reset(s, 5489); a = rand; reset(s); a == rand
        ans =
          logical
           1

    See also: RandStream.setGlobalStream, RandStream, rng.
    """
    return StreamObject(stream_holder(interp).stream, interp)


@builtin(
    "RandStream.setGlobalStream",
    "RandStream.setDefaultStream",
    family="random/streams",
    needs=("nargout", "interp"),
)
def set_global_stream(stream: Any, *, nargout: int, interp: Interp) -> Any:
    """Make a stream the one that rand, randn, randi and randperm draw from.

    RandStream.setGlobalStream(S), BEFORE = RandStream.setGlobalStream(S) gives the one before

    Examples:
        >> before = RandStream.setGlobalStream(RandStream('mt19937ar', 'Seed', 5489));
        >> rand
        ans =
            0.8147
        >> RandStream.setGlobalStream(before);

    See also: RandStream.getGlobalStream, RandStream, rng.
    """
    if not isinstance(stream, StreamObject):
        raise undefined_for("RandStream.setGlobalStream", class_of(stream))
    holder: StreamHolder = stream_holder(interp)
    before = StreamObject(holder.stream, interp)
    holder.stream = stream.data.stream
    return before if nargout else None


@builtin("reset", family="random/streams", nargin=(1, 2), nargout=0)
def reset(stream: Any, seed: Any = None) -> None:
    """Start a random stream anew.

    reset(S) with its seed, reset(S, SEED) with another one

    Examples:
        >> s = RandStream('philox4x32_10'); a = rand(s); reset(s); a == rand(s)
        ans =
          logical
           1

    See also: RandStream, rng.
    """
    found = getattr(stream, "method", lambda name: None)("reset")
    if found is None:
        raise undefined_for("reset", class_of(stream))
    found(0, *(() if seed is None else (seed,)))
