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
        raise MatlabError(f"images:{name}:invalidInput", "Input must be numeric.")
    return value if value.dtype.kind in "fc" else value.astype(np.float64)


def real(value: Any, name: str) -> Data:
    a = floating(value, name)
    if a.dtype.kind == "c":
        raise MatlabError(f"images:{name}:mustBeReal", "Input must be real.")
    return a


def scalar(value: Any, name: str, what: str = "Input") -> float:
    a = real(value, name)
    if a.size != 1:
        raise MatlabError(f"images:{name}:mustBeScalar", f"{what} must be a scalar.")
    return float(a.flat[0])


def integer(value: Any, name: str, what: str = "Input", least: int = 0) -> int:
    number = scalar(value, name, what)
    if not (np.isfinite(number) and number == int(number) and least <= number < 2**40):
        raise MatlabError(
            f"images:{name}:mustBeInteger", f"{what} must be an integer of {least} or more."
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
    raise MatlabError(f"images:{name}:unknownOption", f"Unrecognized option '{value}'.{hint}")


def split(args: Sequence[Any]) -> tuple[list[Any], list[str]]:
    """The arguments that are not text, and the texts."""
    plain = [arg for arg in args if not isinstance(arg, str)]
    return plain, [arg for arg in args if isinstance(arg, str)]


def image(value: Any, name: str) -> Data:
    """An image: real numbers or logicals, of any class."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "buif":
        raise MatlabError(f"images:{name}:invalidImage", "An image must be real and numeric.")
    return value


def like(result: Data, a: Data) -> Data:
    """`result` in the class of `a`: integers rounded and saturated, logicals above one half."""
    if a.dtype.kind in "iu":
        info = np.iinfo(a.dtype)
        rounded = np.floor(np.abs(result) + 0.5) * np.sign(result)
        return np.asarray(np.clip(np.nan_to_num(rounded), info.min, info.max).astype(a.dtype))
    if a.dtype == np.bool_:
        return np.asarray(result > 0.5)
    return np.asarray(result, a.dtype)
