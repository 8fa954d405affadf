"""MATLAB values as Python objects, and back.

| Python to MATLAB | MATLAB to Python |
|---|---|
| ``float``, ``int`` -> double | double scalar -> ``float`` |
| ``bool`` -> logical | logical scalar -> ``bool`` |
| ``complex`` -> double, complex | complex scalar -> ``complex`` |
| ``str`` -> char row | char row -> ``str``; char matrix -> list of ``str`` |
| ``ndarray`` of numbers -> the same class, 1-D as a row | other arrays -> ``ndarray``, >= 2-D |
| ``ndarray`` of ``str`` -> string array | string scalar -> ``str``; string array -> ``ndarray`` |
| ``list``, ``tuple`` -> cell row | cell vector -> ``list``; other cells -> ``ndarray`` of objects |
| ``dict`` with names as keys -> struct | struct -> ``dict``; struct array -> list of ``dict`` |
| ``None`` -> ``[]`` | containers.Map, dictionary -> ``dict`` |
| ``datetime``, ``date`` -> datetime | datetime scalar -> ``datetime``; others -> ``datetime64`` |
| ``timedelta`` -> duration | duration scalar -> ``timedelta``; others -> ``timedelta64`` |
| ``datetime64``, ``timedelta64`` -> the same | categorical -> ``str`` or ``ndarray`` of them |
| | table -> ``dict`` of its variables |
| callable -> function handle | function handle -> callable with ``nargout=`` |
| `api.objects.Handle` -> its handle | handle -> the object; others -> ``ndarray`` of objects |
| scipy.sparse -> sparse | sparse -> ``scipy.sparse.csc_array`` |

Column-major arrays cross without a copy. One that comes out of a session is a read-only view: the
session copies before it writes to the variable, so the view never changes. One that goes in must
not be written to afterwards. A missing string is ``None``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any, Protocol

import numpy as np

from runmat_core import values as v
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.api.objects import Elements, Handle
from runmat_core.values.deferred import settled
from runmat_core.values.element_array import from_plain, to_plain

_CLASSES = frozenset("?bBhHiIlLqQfdFD")


class Calls(Protocol):
    """A session, which runs the function handles that become Python callables."""

    def callable_for(self, handle: Any) -> Callable[..., Any]:
        """Return a function handle as a Python callable."""


def to_matlab(value: Any) -> Any:
    """Return the MATLAB value for a Python object; see the table above.

    Raises:
        MatlabError: ``RunMat:conversion`` when there is none.
    """
    if isinstance(value, v.Value):
        return v.share(value)
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        return _from_array(value)
    if isinstance(value, bool | float):
        return value if type(value) in (bool, float) else type(value).__base__(value)  # type: ignore[misc]
    if isinstance(value, int):
        return float(value)
    if isinstance(value, complex):
        return v.scalar_complex(value)
    if isinstance(value, str):
        return v.char(value)
    if value is None:
        return v.from_numpy(np.zeros((0, 0)))
    if isinstance(value, list | tuple):
        return v.cell([to_matlab(item) for item in value], (1 if value else 0, len(value)))
    if isinstance(value, Mapping):
        return _from_mapping(value)
    if isinstance(value, date | timedelta):
        from runmat_core.session import convert_objects

        if isinstance(value, timedelta):
            return convert_objects.to_span(value)
        return convert_objects.to_times(value)
    if "scipy.sparse" in sys.modules and _is_scipy_sparse(value):
        return v.SparseArray(value)
    if isinstance(value, Handle):
        return _handles(value)
    if isinstance(value, Elements):
        return from_plain(value)
    if callable(value):
        return _from_callable(value)
    raise _no_conversion(type(value).__name__)


def to_python(value: Any, session: Calls | None = None) -> Any:
    """Return the Python object for a MATLAB value; see the table above.

    `session` runs the callables that function handles become.
    """
    value = settled(value)
    if isinstance(value, bool | float):
        return value
    if isinstance(value, complex):
        return complex(value)
    convert = _TO_PYTHON.get(v.class_of(value))
    if isinstance(value, v.SparseArray):
        return value.data.copy()
    if convert is not None:
        return convert(value, session)
    if isinstance(value, v.Array):
        return _view(value.data)
    if isinstance(value, v.HandleObject):
        from runmat_core.values.handle_array import HandleArray

        if isinstance(value, HandleArray):
            return value.data.item() if value.data.size == 1 else value.data.copy(order="F")
    return to_plain(value)


def _from_array(array: np.ndarray[Any, Any]) -> Any:
    if array.dtype.kind in "US":
        array = array.astype(object)
    if array.dtype.kind == "O":
        shape = _matrix_shape(array)
        items = array.reshape(-1, order="F").tolist()
        if array.dtype.metadata or (items and all(isinstance(item, Handle) for item in items)):
            return _handles(array)
        if items and all(isinstance(item, str) for item in items):
            return v.StringArray(array.reshape(shape, order="F"))
        return v.cell([to_matlab(item) for item in items], shape)
    if array.dtype.kind in "mM":
        from runmat_core.session import convert_objects

        return convert_objects.of_array(array.reshape(_matrix_shape(array), order="F"))
    if array.dtype.char not in _CLASSES:
        raise _no_conversion(f"ndarray of {array.dtype}")
    array = array.reshape(_matrix_shape(array), order="F") if array.ndim < 2 else array
    made = np.asfortranarray(array)
    # a view of the caller's own array: values may make their buffers read-only
    return v.from_numpy(made.view() if made is array else made)


def _handles(value: Any) -> Any:
    from runmat_core.values.handle_array import handle_array

    return handle_array(value)


def _matrix_shape(array: np.ndarray[Any, Any]) -> tuple[int, ...]:
    return array.shape if array.ndim >= 2 else (1, array.size)


def _from_mapping(mapping: Mapping[Any, Any]) -> Any:
    from runmat_core.builtins.lang.names import is_variable_name

    for key in mapping:
        if not isinstance(key, str) or not is_variable_name(key):
            raise MatlabError(
                "RunMat:conversion", f"A dict becomes a struct, and {key!r} is no field name."
            )
    return v.struct({key: to_matlab(item) for key, item in mapping.items()})


def _from_callable(function: Callable[..., Any]) -> Any:
    handle = getattr(function, "__matlab_handle__", None)
    if handle is not None:
        return handle
    name = getattr(function, "__name__", type(function).__name__)

    def call(nargout: int, *args: Any) -> Any:
        try:
            result = function(*(to_python(arg) for arg in args))
        except (MatlabError, RecursionError, MemoryError):
            raise
        except Exception as problem:
            text = f"Python error: {type(problem).__name__}: {problem}"
            raise MatlabError("RunMat:python", text) from problem
        if nargout > 1:
            if not isinstance(result, tuple) or len(result) < nargout:
                raise MatlabError("MATLAB:TooManyOutputs", "Too many output arguments.")
            return tuple(to_matlab(item) for item in result[:nargout])
        return None if result is None else to_matlab(result)

    return v.FunctionHandle(call, f"python.{name}")


def _is_scipy_sparse(value: Any) -> bool:
    return bool(package("scipy.sparse").issparse(value))


def _view(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    view = array.view()
    view.flags.writeable = False
    return view


def _from_char(value: Any, session: Calls | None) -> str | list[str]:
    if value.is_row:
        text: str = value.text()
        return text
    rows: list[str] = value.rows()
    return rows


def _from_string(value: Any, session: Calls | None) -> Any:
    texts = value.data.copy()
    texts[texts == v.MISSING] = None
    return texts.item() if texts.size == 1 else texts


def _from_cell(value: Any, session: Calls | None) -> Any:
    shape = value.shape
    items = [to_python(item, session) for item in value.items()]
    if len(shape) == 2 and (1 in shape or 0 in shape):
        return items
    array = np.empty(len(items), object)
    for position, item in enumerate(items):
        array[position] = item
    return array.reshape(shape, order="F")


def _from_struct(value: Any, session: Calls | None) -> Any:
    def fields(element: dict[str, Any]) -> dict[str, Any]:
        return {name: to_python(item, session) for name, item in element.items()}

    if isinstance(value.data, dict):
        return fields(value.data)
    return [fields(element) for element in value.data.reshape(-1, order="F").tolist()]


def _from_handle(value: Any, session: Calls | None) -> Any:
    if session is None:
        return value
    return session.callable_for(value)


def _from_keyed(value: Any, session: Calls | None) -> dict[Any, Any]:
    return {to_python(key, session): to_python(item, session) for key, item in value.pairs()}


def _from_exception(value: Any, session: Calls | None) -> MatlabError:
    error: MatlabError = value.error
    return error


def _from_object(value: Any, session: Calls | None) -> Any:
    from runmat_core.session import convert_objects

    if value.class_name in ("table", "timetable"):
        return convert_objects.from_table(value, lambda column: to_python(column, session))
    return getattr(convert_objects, f"from_{value.class_name}")(value)


_TO_PYTHON: dict[str, Callable[[Any, Calls | None], Any]] = {
    "char": _from_char,
    "string": _from_string,
    "cell": _from_cell,
    "struct": _from_struct,
    "function_handle": _from_handle,
    "containers.Map": _from_keyed,
    "dictionary": _from_keyed,
    "MException": _from_exception,
    **dict.fromkeys(("datetime", "duration", "categorical", "table", "timetable"), _from_object),
}


def _no_conversion(what: str) -> MatlabError:
    return MatlabError("RunMat:conversion", f"There is no MATLAB value for a Python {what}.")
