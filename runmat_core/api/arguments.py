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
        """The error ``toolbox:name:what``."""
        return MatlabError(f"{self.toolbox}:{name}:{what}", message)

    def floating(self, value: Any, name: str) -> Data:
        """A numeric argument as floating numbers; single stays single."""
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "biufc":
            raise self.error(name, "invalidInput", "Input must be numeric.")
        return value if value.dtype.kind in "fc" else value.astype(np.float64)

    def real(self, value: Any, name: str) -> Data:
        """`floating` without imaginary parts."""
        a = self.floating(value, name)
        if a.dtype.kind == "c":
            raise self.error(name, "mustBeReal", "Input must be real.")
        return a

    def vector(self, value: Any, name: str) -> Data:
        """A vector argument, without its orientation."""
        a = self.floating(value, name)
        if a.ndim > 2 or (a.size and 1 not in a.shape):
            raise self.error(name, "mustBeVector", "Input must be a vector.")
        return a.ravel()

    def scalar(self, value: Any, name: str, what: str = "Input") -> float:
        """A real number."""
        a = self.real(value, name)
        if a.size != 1:
            raise self.error(name, "mustBeScalar", f"{what} must be a scalar.")
        return float(a.flat[0])

    def integer(self, value: Any, name: str, what: str = "Input", least: int = 0) -> int:
        """A whole number of `least` or more."""
        number = self.scalar(value, name, what)
        if not (np.isfinite(number) and number == int(number) and least <= number < 2**40):
            raise self.error(
                name, "mustBeInteger", f"{what} must be an integer of {least} or more."
            )
        return int(number)

    def one_of(self, value: Any, known: Sequence[str], name: str) -> str:
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
        raise self.error(name, "unknownOption", f"Unrecognized option '{value}'.{hint}")


def given(value: Any) -> bool:
    """Whether an optional argument is there and not empty."""
    return value is not None and not (isinstance(value, np.ndarray) and value.size == 0)


def first_axis(a: Data) -> int:
    """The first axis along which there is more or less than one element, else 0."""
    return next((axis for axis, extent in enumerate(a.shape) if extent != 1), 0)


def like(result: Data, a: Data) -> Data:
    """`result` in the precision of `a`."""
    if a.dtype.char in "fF":
        result = result.astype(np.complex64 if result.dtype.kind == "c" else np.float32)
    return result
