"""How the builtins read their arguments: arrays with two axes or more, and texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import MatlabError

Data = NDArray[Any]


def floating(value: Any, name: str) -> Data:
    """A numeric argument as floating numbers; single stays single."""
    if not isinstance(value, np.ndarray):
        raise MatlabError(f"signal:{name}:invalidInput", "Input must be numeric.")
    return value if value.dtype.kind in "fc" else value.astype(np.float64)


def real(value: Any, name: str) -> Data:
    a = floating(value, name)
    if a.dtype.kind == "c":
        raise MatlabError(f"signal:{name}:mustBeReal", "Input must be real.")
    return a


def vector(value: Any, name: str) -> Data:
    """A vector argument, without its orientation."""
    a = floating(value, name)
    if a.ndim > 2 or (a.size and 1 not in a.shape):
        raise MatlabError(f"signal:{name}:mustBeVector", "Input must be a vector.")
    return a.ravel()


def scalar(value: Any, name: str, what: str = "Input") -> float:
    a = real(value, name)
    if a.size != 1:
        raise MatlabError(f"signal:{name}:mustBeScalar", f"{what} must be a scalar.")
    return float(a.flat[0])


def integer(value: Any, name: str, what: str = "Input", least: int = 0) -> int:
    number = scalar(value, name, what)
    if not (np.isfinite(number) and number == int(number) and least <= number < 2**40):
        raise MatlabError(
            f"signal:{name}:mustBeInteger", f"{what} must be an integer of {least} or more."
        )
    return int(number)


def given(value: Any) -> bool:
    """Whether an optional argument is there and not empty."""
    return value is not None and not (isinstance(value, np.ndarray) and value.size == 0)


def one_of(value: Any, known: Sequence[str], name: str) -> str:
    """The one of the known words that a text is, or is the beginning of."""
    import difflib

    word = value.lower() if isinstance(value, str) else ""
    found = [k for k in known if k.lower() == word] or [
        k for k in known if word and k.lower().startswith(word)
    ]
    if len(found) == 1:
        return found[0]
    near = difflib.get_close_matches(word, [k.lower() for k in known], n=1)
    hint = next((f" Did you mean '{k}'?" for k in known if [k.lower()] == near), "")
    raise MatlabError(f"signal:{name}:unknownOption", f"Unrecognized option '{value}'.{hint}")


def split(args: Sequence[Any]) -> tuple[list[Any], list[str]]:
    """The arguments that are not text, and the texts."""
    plain = [arg for arg in args if not isinstance(arg, str)]
    if not all(isinstance(arg, np.ndarray) for arg in plain):
        raise MatlabError("signal:invalidInput", "Arguments must be numbers or texts.")
    return plain, [arg for arg in args if isinstance(arg, str)]


def first_axis(a: Data) -> int:
    return next((axis for axis, extent in enumerate(a.shape) if extent != 1), 0)


def like(result: Data, a: Data) -> Data:
    """`result` in the precision of `a`, real where it has no imaginary part."""
    if a.dtype.char in "fF":
        result = result.astype(np.complex64 if result.dtype.kind == "c" else np.float32)
    return result
