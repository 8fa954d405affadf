"""Objects that a package brings: classes of handles written in Python.

A package derives a class from `Handle` and gives its objects to programs through
`Interp.to_matlab`, alone or in an array. Arrays, subscripts, brackets, comparison, dot access and
display come from the core; a class says what properties and methods it has. `Interp.to_python`
gives the object back, or an array of objects (dtype ``object``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError

#: The element type of an array of objects that may be empty: plain empty arrays of Python objects
#: become cells.
HANDLES = np.dtype(object, metadata={"handles": True})
#: The class of elements that hold no object.
PLACEHOLDER = "matlab.graphics.GraphicsPlaceholder"


class Handle:
    """An object of a handle class: every copy of a variable is this very object.

    Values of properties are MATLAB values, as `Interp.to_matlab` makes them.
    """

    __slots__ = ()

    def class_names(self) -> Sequence[str]:
        """The name of the class, then of those it inherits from, the most general one last.

        An array of objects of several classes has the first name that all of them share.
        """
        raise NotImplementedError

    def property_names(self) -> Sequence[str]:
        """What ``properties(h)`` lists."""
        raise NotImplementedError

    def get_property(self, name: str) -> Any:
        """The value of ``h.name``.

        Raises:
            MatlabError: there is no such property.
        """
        raise NotImplementedError

    def set_property(self, name: str, value: Any) -> None:
        """Do ``h.name = value``.

        Raises:
            MatlabError: there is no such property, or it does not take the value.
        """
        raise NotImplementedError

    def method(self, name: str) -> Callable[..., Any] | None:
        """``method(nargout, *values)`` for ``h.name(values)``; None where there is none."""
        return None

    def delete(self) -> None:
        """Do ``delete(h)``."""

    def is_valid(self) -> bool:
        """Whether the object has not been deleted."""
        return True

    def number(self) -> float:
        """The number that stands for the object where handles are kept as doubles."""
        return float("nan")

    def shown_properties(self) -> Sequence[str]:
        """The properties that a statement without a semicolon shows."""
        return self.property_names()

    def summary(self) -> str:
        """What stands before ``with properties:``."""
        return self.class_names()[0].rpartition(".")[2]


class Placeholder(Handle):
    """The element that stands where an array of handles has none."""

    __slots__ = ()

    def class_names(self) -> Sequence[str]:
        return (PLACEHOLDER, "handle")

    def property_names(self) -> Sequence[str]:
        return ()

    def get_property(self, name: str) -> Any:
        raise MatlabError(
            "MATLAB:noSuchMethodOrField",
            f"Unrecognized method, property, or field '{name}' for class '{PLACEHOLDER}'.",
        )

    def set_property(self, name: str, value: Any) -> None:
        self.get_property(name)

    def is_valid(self) -> bool:
        return False


NOTHING = Placeholder()
