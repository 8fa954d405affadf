"""Arrays of elements whose class a package brings (`runmat_core.api.objects.Elements`)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from inspect import signature
from typing import Any, Self

import numpy as np

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.api.objects import Elements, Handle
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.array_object import ArrayObject, Codes
from runmat_core.values.base import COLON, Subscripts, Value, class_of
from runmat_core.values.char import no_conversion
from runmat_core.values.classes import NUMERIC_CLASSES
from runmat_core.values.construct import cell, char, struct
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown
from runmat_core.values.text import is_text, text


class ElementArray(ArrayObject):
    """An array of elements of a package's class.

    Attributes:
        data: the elements' array, and the object that holds it.
    """

    __slots__ = ()
    rank = 100

    def __init__(self, elements: Elements) -> None:
        self.data = (elements.array, elements)

    @property
    def elements(self) -> Elements:
        found: Elements = self.data[1]
        return found

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return self.elements.class_name

    @property
    def blank_code(self) -> Any:
        return self.elements.blank

    def with_codes(self, codes: Codes) -> Self:
        return type(self)(self.elements.with_array(np.asfortranarray(codes)))

    def adopt(self, value: Any) -> Self:
        return type(self)(self.elements.adopt(to_plain(value)))

    def is_missing(self) -> Any:
        return np.zeros(self.shape, bool)

    def element_texts(self) -> Any:
        char = self.elements.functions.get("char")
        if char is None:
            raise no_conversion("string", self.class_name)
        made = np.empty(self.shape, object)
        for place in np.ndindex(self.shape):
            made[place] = char(1, self.elements.with_array(np.array([[self.codes[place]]], object)))
        return made

    def paren(self, subs: Subscripts) -> Any:
        value = self.elements.called([COLON if s is COLON else to_plain(s) for s in subs])
        return super().paren(subs) if value is NotImplemented else from_plain(value)

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        args = [COLON if s is COLON else to_plain(s) for s in subs]
        value = self.elements.defined(args, to_plain(rhs))
        return super().set_paren(subs, rhs) if value is NotImplemented else from_plain(value)

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        value = self.elements.operator(name, [to_plain(v) for v in operands])
        return super().operator(name, operands) if value is NotImplemented else from_plain(value)

    def method(self, name: str) -> Callable[..., Any] | None:
        rule = self.elements.functions.get(name)
        if rule is None:
            return super().method(name)
        return lambda nargout, *args: _called(rule, nargout, self, *args)

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        try:
            adopted = self.adopt(other)
        except MatlabError:
            return False
        return adopted.shape == self.shape and self.elements.is_equal(adopted.elements)

    def key_form(self) -> Hashable:
        return self.class_name, self.shape, tuple(self.codes.ravel(order="F"))

    def shown(self, name: str, fmt: DisplayFormat) -> Shown:
        text = self.elements.lines()
        heading = self.elements.heading(name)
        if heading == name or not name:
            return Shown(text, disp_blank=False)
        whole = f"{fmt.blank}{heading} =\n{fmt.blank}{text}{fmt.blank}"
        return Shown(whole, is_paged=True, disp_content=text, disp_blank=False)

    def inline(self, fmt: DisplayFormat) -> str:
        return self.elements.lines().strip()

    def lines(self, name: str, fmt: DisplayFormat) -> str:
        return self.elements.lines()


def function_of(name: str, args: Sequence[Any]) -> Callable[..., Any] | None:
    """Return what `name` is of the first array of elements among `args` whose class has it."""
    for value in args:
        rule = value.elements.functions.get(name) if isinstance(value, ElementArray) else None
        if rule is not None:
            return partial(_called, rule)
    # zeros(2, 3, "name")
    word = text(args[-1]) if args and is_text(args[-1]) else ""
    for kind in Elements.__subclasses__() if word else ():
        if kind.named == word and name in kind.functions:
            return partial(_called, kind.functions[name])
    return None


def _called(rule: Callable[..., Any], nargout: int, *args: Any) -> Any:
    try:
        result = rule(nargout, *map(to_plain, args))
    except TypeError:
        try:
            signature(rule).bind(nargout, *args)
        except TypeError as problem:
            missing = "missing" in str(problem)
            raise (errors.not_enough_inputs if missing else errors.too_many_inputs)() from None
        raise
    outputs = result if isinstance(result, tuple) else (result,)
    if nargout > len(outputs):
        raise errors.too_many_outputs()
    return tuple(map(from_plain, outputs)) if isinstance(result, tuple) else from_plain(result)


# -- plain arrays and texts, as rules of arrays take and return them ------------------------------

_NUMBERS = frozenset((*NUMERIC_CLASSES, "logical", "char"))


def to_plain(value: Any) -> Any:
    """Return what a rule of arrays gets for `value`: text, a read-only array, or itself."""
    if is_text(value):
        return text(value)
    if class_of(value) in _NUMBERS:
        view = to_numpy(value).view()
        view.flags.writeable = False  # a variable may hold its memory
        return view
    if isinstance(value, ArrayObject):
        return value.elements if isinstance(value, ElementArray) else value
    return value


def from_plain(result: Any) -> Any:
    """Return the MATLAB value of what a rule of arrays returned.

    Raises:
        TypeError: there is none.
    """
    if isinstance(result, str):
        return char(result)
    if isinstance(result, list):
        return cell([from_plain(item) for item in result], (1 if result else 0, len(result)))
    if isinstance(result, dict):
        return struct({name: from_plain(item) for name, item in result.items()})
    if isinstance(result, Value):
        return result
    if isinstance(result, Elements):
        return ElementArray(result)
    if isinstance(result, Handle) or (
        isinstance(result, np.ndarray)
        and result.dtype == object
        and (result.dtype.metadata or all(isinstance(item, Handle) for item in result.flat))
    ):
        from runmat_core.values.handle_array import handle_array

        return handle_array(result)
    if isinstance(result, np.ndarray) and result.dtype == object:
        items = [from_plain(item) for item in result.ravel(order="F").tolist()]
        return cell(items, result.shape if result.ndim > 1 else (1, result.size))
    if not isinstance(result, int | float | complex | np.generic | np.ndarray):
        raise TypeError(f"the host rule returned a {type(result).__name__}")
    array = np.asarray(result)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"the host rule returned an array of {array.dtype}")
    return from_numpy(array, "double" if isinstance(result, int) and array.dtype != bool else None)
