"""Objects that a package brings: classes of handles and of elements, written in Python.

A package derives a class from `Handle` and gives its objects to programs through
`Interp.to_matlab`, alone or in an array. Arrays, subscripts, brackets, comparison, dot access and
display come from the core; a class says what properties and methods it has. `Interp.to_python`
gives the object back, or an array of objects (dtype ``object``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

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
        """Return the name of the class, then of those it inherits from, the most general one last.

        An array of objects of several classes has the first name that all of them share.
        """
        raise NotImplementedError

    def property_names(self) -> Sequence[str]:
        """Return what ``properties(h)`` lists."""
        raise NotImplementedError

    def get_property(self, name: str) -> Any:
        """Return the value of ``h.name``.

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
        """Return the number that stands for the object where handles are kept as doubles."""
        return float("nan")

    def shown_properties(self) -> Sequence[str]:
        """Return the properties that a statement without a semicolon shows."""
        return self.property_names()

    def summary(self) -> str:
        """Return what stands before ``with properties:``."""
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


class Elements:
    """An array of immutable elements with operators: values of a class that a package brings.

    A package derives a class and returns its objects from builtins with ``lift="arrays"``, which
    get them back as they are. Subscripts, assignment, brackets and transposition come from the
    core. Operators and functions get their operands as such builtins do, and return what they may.

    Attributes:
        class_name: the name of the class in MATLAB.
        named: the class that ``zeros(2, 'name')`` names, whose function is called then; mostly
            `class_name`.
        blank: the element that growth makes.
        functions: what functions such as ``sin`` are of these elements, by name, as
            ``function(nargout, *args)``. A session knows them once it has called a builtin of the
            package.
        array: the elements, dtype ``object``, with two axes or more; never written to.
    """

    __slots__ = ("array",)
    class_name: ClassVar[str]
    named: ClassVar[str] = ""
    blank: ClassVar[Any]
    functions: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    array: NDArray[Any]

    def with_array(self, array: NDArray[Any]) -> Self:
        """Other elements of the same class."""
        raise NotImplementedError

    def adopt(self, value: Any) -> Self:
        """`value` as elements of this class, for assignment and brackets.

        Raises:
            MatlabError: there is no conversion.
        """
        raise NotImplementedError

    def operator(self, name: str, operands: Sequence[Any]) -> Any:
        """Return an operator such as ``plus``; NotImplemented where the class has none."""
        return NotImplemented

    def called(self, args: Sequence[Any]) -> Any:
        """``v(args…)`` where that is no subscript; NotImplemented elsewhere."""
        return NotImplemented

    def defined(self, args: Sequence[Any], value: Any) -> Any:
        """Return what ``v(args…) = value`` makes where that is no subscript.

        NotImplemented elsewhere.
        """
        return NotImplemented

    def is_equal(self, other: Self) -> bool:
        """Whether elements of the same size are equal."""
        return bool((self.array == other.array).all())

    def heading(self, name: str) -> str:
        """Return what stands before ``=`` where the variable `name` is shown."""
        return name

    def lines(self) -> str:
        """Return the display: lines that each end in a newline."""
        raise NotImplementedError
