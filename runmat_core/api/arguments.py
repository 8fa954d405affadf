"""How builtins of packages read their arguments: arrays with two axes or more, and texts.

For marks with ``lift="arrays"``. Errors carry the identifiers of MATLAB's toolboxes,
``TOOLBOX:FUNCTION:whatIsWrong``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError

Data = NDArray[Any]


@attrs.frozen
class Reader:
    """Arguments of the functions of one toolbox.

    Attributes:
        toolbox: the first part of the identifiers of errors.
    """

    toolbox: str

    def error(self, name: str, what: str, message: str) -> MatlabError:
        """Return the error ``toolbox:name:what``."""
        return MatlabError(f"{self.toolbox}:{name}:{what}", message)

    def floating(self, value: Any, name: str, what: str = "Input") -> Data:
        """Return a numeric argument as floating numbers; single stays single."""
        if isinstance(value, int | float | complex):
            value = np.array([[value]])  # a default that the package gives
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "biufc":
            raise self.error(name, "invalidInput", f"{what} must be numeric.")
        return value if value.dtype.kind in "fc" else value.astype(np.float64)

    def real(self, value: Any, name: str, what: str = "Input") -> Data:
        """Return `floating` without imaginary parts."""
        a = self.floating(value, name, what)
        if a.dtype.kind == "c":
            raise self.error(name, "mustBeReal", f"{what} must be real.")
        return a

    def vector(self, value: Any, name: str, what: str = "Input") -> Data:
        """Return a vector argument, without its orientation."""
        a = self.floating(value, name, what)
        if a.ndim > 2 or (a.size and 1 not in a.shape):
            raise self.error(name, "mustBeVector", f"{what} must be a vector.")
        return a.ravel()

    def scalar(self, value: Any, name: str, what: str = "Input") -> float:
        """Return a real number."""
        a = self.real(value, name, what)
        if a.size != 1:
            raise self.error(name, "mustBeScalar", f"{what} must be a scalar.")
        return float(a.flat[0])

    def integer(self, value: Any, name: str, what: str = "Input", least: int = 0) -> int:
        """Return a whole number of `least` or more."""
        number = self.scalar(value, name, what)
        if not (np.isfinite(number) and number == int(number) and least <= number < 2**40):
            raise self.error(
                name, "mustBeInteger", f"{what} must be an integer of {least} or more."
            )
        return int(number)

    def one_of(self, value: Any, known: Sequence[str], name: str, what: str = "") -> str:
        """Return the one of the known words that a text is, or is the beginning of.

        Args:
            what: whose value it is, for the error; empty where the word is an option by itself.
        """
        import difflib

        word = value.lower() if isinstance(value, str) else ""
        found = [k for k in known if k.lower() == word] or [
            k for k in known if word and k.lower().startswith(word)
        ]
        if len(found) == 1:
            return found[0]
        near = difflib.get_close_matches(word, [k.lower() for k in known], n=1)
        hint = next((f" Did you mean '{k}'?" for k in known if [k.lower()] == near), "")
        given = f"'{value}'" if isinstance(value, str) else "no text"
        said = f"Unrecognized option {given}." if isinstance(value, str) else "Option must be text."
        if what:
            words = ", ".join(f"'{k}'" for k in known)
            said = f"{what} must be one of {words}, and is {given}."
        raise self.error(name, "unknownOption", said + hint)

    def axes(self, a: Data, dim: Any, name: str) -> tuple[int, ...]:
        """Return the axes, from zero, that a dimension argument names.

        Args:
            dim: None or empty for the first that is not 1, a dimension, several, or ``"all"``. What
                lies beyond the dimensions of `a` has one element and is left out.
        """
        if isinstance(dim, str):
            self.one_of(dim, ("all",), name)
            return tuple(range(a.ndim))
        if not given(dim):
            return (first_axis(a),)
        numbers = self.real(dim, name).ravel()
        if not ((numbers >= 1) & (numbers % 1 == 0)).all():
            raise self.error(name, "mustBeDimension", "Dimensions must be positive integers.")
        found = sorted(int(number) - 1 for number in numbers if number <= a.ndim)
        if len(set(numbers.tolist())) < numbers.size:
            raise self.error(name, "repeatedDimension", "Dimensions must be different.")
        return tuple(found)

    def options(self, args: Sequence[Any], known: Sequence[str], name: str) -> dict[str, Any]:
        """Return the values of arguments that come as names and values, by the `known` names."""
        if len(args) % 2:
            raise self.error(name, "oddOptions", "Options must come as names and values.")
        pairs = zip(args[::2], args[1::2], strict=True)
        return {self.one_of(key, known, name): value for key, value in pairs}


def given(value: Any) -> bool:
    """Whether an optional argument is there and not empty."""
    return value is not None and not (isinstance(value, np.ndarray) and value.size == 0)


def first_axis(a: Data) -> int:
    """Return the first axis along which there is more or less than one element, else 0."""
    return next((axis for axis, extent in enumerate(a.shape) if extent != 1), 0)


def like(result: Data, a: Data) -> Data:
    """Return `result` in the precision of `a`."""
    if a.dtype.char in "fF":
        result = result.astype(np.complex64 if result.dtype.kind == "c" else np.float32)
    return result
