"""What stands for a function of MATLAB code until its first call, which compiles it.

A stand-in becomes the function: it takes its code and stays the same object, whoever holds it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType, FunctionType
from typing import Any

from runmat_core.api.interp import MatlabFunction


def stand_in(
    name: str, namespace: dict[str, Any], compile_function: Callable[[], MatlabFunction]
) -> MatlabFunction:
    """Return what stands for the function `name`.

    Args:
        namespace: the globals of its code.
        compile_function: gives it its code, by `become`, and returns it.
    """
    made = FunctionType(_first_call.__code__, namespace, name)
    made.__kwdefaults__ = {"compile_function": compile_function}
    return made


def become(function: MatlabFunction, other: MatlabFunction) -> None:
    """Give a stand-in the code of another function."""
    assert isinstance(function, FunctionType)
    assert isinstance(other, FunctionType)
    function.__defaults__ = other.__defaults__
    function.__code__ = other.__code__
    function.__kwdefaults__ = None


def ensure_compiled(function: FunctionType) -> None:
    """Compile `function` if that waits, for those who look at code that is not called."""
    waits = function.__kwdefaults__
    if waits and function.__code__ is _first_call.__code__:
        waits["compile_function"]()


def calling(frame: FrameType) -> FrameType | None:
    """Return the frame that called the code that `frame` runs."""
    caller = frame.f_back
    if caller is not None and caller.f_code is _first_call.__code__:
        return caller.f_back
    return caller


def _first_call(*given: Any, compile_function: Callable[[], MatlabFunction]) -> Any:
    """Compile the function, and call it as this one was called.

    No argument may have another holder while the function runs: it writes in place what only it
    holds, and an object that it lets go of is destroyed there. So the arguments leave this frame
    with the call, which one of a fixed number of arguments allows. It has the globals of generated
    code.
    """
    function = compile_function()
    waiting = [*given]
    del given
    waiting.reverse()
    take = waiting.pop
    match waiting:
        case [_]:
            return function(take())
        case [_, _]:
            return function(take(), take())
        case [_, _, _]:
            return function(take(), take(), take())
        case [_, _, _, _]:
            return function(take(), take(), take(), take())
        case [_, _, _, _, _]:
            return function(take(), take(), take(), take(), take())
        case [_, _, _, _, _, _]:
            return function(take(), take(), take(), take(), take(), take())
    waiting.reverse()
    return function(*waiting)
