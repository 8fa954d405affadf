"""Arrays without elements of classes whose objects stand alone: ``containers.Map.empty``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Self

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values import subscript
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.base import CommaList, Subscripts, Value, class_of
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown, empty_header
from runmat_core.values.object import ObjectValue, method

#: Such classes of the core and of this repository's packages.
SCALAR_CLASSES = frozenset(
    {
        *("containers.Map", "dictionary", "function_handle", "MException", "handle", "pattern"),
        *("timer", "onCleanup", "inputParser", "memmapfile", "matlab.io.MatFile", "RandStream"),
        *("event.EventData", "event.listener", "event.proplistener", "matlab.mixin.Copyable"),
        *("meta.class", "meta.property", "meta.method", "meta.package", "meta.event"),
        *("matlab.unittest.TestCase", "matlab.unittest.Test", "matlab.unittest.TestResult"),
        *("matlab.lang.OnOffSwitchState", "decomposition", "polyshape", "triangulation"),
        *("delaunayTriangulation", "alphaShape", "griddedInterpolant", "scatteredInterpolant"),
        *("graph", "digraph", "inline", "timerange", "vartype", "withtol", "weboptions"),
    }
)


def extents_of(args: Sequence[Any]) -> tuple[int, ...]:
    """Return the size that the arguments of ``empty`` mean, 0x0 without any.

    Raises:
        MatlabError: MATLAB:class:emptyMustBeZero.
    """
    sizes = [max(int(n), 0) for extent in args for n in to_numpy(extent).ravel()] or [0, 0]
    sizes = sizes * 2 if len(sizes) == 1 else sizes
    if all(sizes):
        raise MatlabError("MATLAB:class:emptyMustBeZero", "At least one dimension must be zero.")
    while len(sizes) > 2 and sizes[-1] == 1:
        sizes.pop()
    return tuple(sizes)


class EmptyObjects(ObjectValue):
    """An array of a class, without elements.

    Attributes:
        data: the name of the class, and the size.
    """

    __slots__ = ()
    data: tuple[str, tuple[int, ...]]
    has_elements = True
    stands_back = True

    def __init__(self, class_name: str, shape: tuple[int, ...] = (0, 0)) -> None:
        self.data = class_name, shape

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return self.data[0]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data[1]

    def share(self) -> Self:
        return self

    def array(self) -> Any:
        return np.empty(self.shape, object)

    def with_data(self, data: Any) -> Self:
        return type(self)(self.class_name, data.shape)

    def key_form(self) -> Hashable:
        return self.data

    def field(self, name: str) -> Any:
        found = self.method(name)
        return CommaList() if found is None else found(1)

    def paren(self, subs: Subscripts) -> Any:
        return self.with_data(subscript.read(self.array(), subs))

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        """Return the first element: the object itself, which stands alone."""
        if not all(sub == 1.0 for sub in subs) or not _is_of(rhs, self.class_name):
            if isinstance(rhs, Value) and 0 in rhs.shape:
                return self
            raise MatlabError(
                "MATLAB:UnableToConvert",
                f"Unable to put a value of class '{class_of(rhs)}' into an array of class "
                f"'{self.class_name}'.",
            )
        return rhs.share() if isinstance(rhs, Value) else rhs

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], Any]:
        return _joined

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        if name in ("transpose", "ctranspose") and len(self.shape) == 2:
            return type(self)(self.class_name, self.shape[::-1])
        sizes = {getattr(value, "shape", (1, 1)) for value in operands}
        if name in ("eq", "ne") and sizes <= {self.shape, (1, 1)}:
            return from_numpy(np.zeros(self.shape, bool, order="F"))
        return NotImplemented

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether ``isequal`` takes `other` for the same."""
        return isinstance(other, EmptyObjects) and other.data == self.data

    def shown(self, name: str, fmt: DisplayFormat) -> Shown:
        """Return the parts of the display."""
        header = empty_header(self.shape, self.class_name, "array")
        return Shown("", header, is_object=True, disp_header=True)

    @method("isvalid")
    def isvalid(self, nargout: int = 1) -> Any:
        return from_numpy(np.zeros(self.shape, bool, order="F"))

    @method("delete")
    def delete(self, nargout: int) -> None:
        """Nothing is there to be deleted."""


def _is_of(value: Any, name: str) -> bool:
    if isinstance(value, ObjectValue):
        return value.is_a(name)
    return class_of(value) == name


def _joined(values: list[Any], axis: int) -> Any:
    """Return ``[a, b]``: arrays without elements add nothing."""
    from runmat_core.values.concat import concatenate

    kept = [v for v in values if not isinstance(v, EmptyObjects)]
    return concatenate(kept, axis) if kept else values[0]
