"""Calls: outputs, varargs, handles, persistent variables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from runmat_core import values
from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import GLOBAL_NAMES
from runmat_core.compiler import frames
from runmat_core.compiler.frames import UNSET
from runmat_core.values import CommaList, FunctionHandle, Value, share
from runmat_core.values.cell import cell_row
from runmat_core.values.deferred import Deferred, stored

# -- outputs --------------------------------------------------------------------------------------


def missing_output(nargout: int, error: BaseException, function: str) -> None:
    """Raise an error if an output that was asked for is not set."""
    if not nargout:
        return
    name = frames.unbound_name(error) or ""
    if name not in frames.innermost_outputs(error):
        raise error
    raise MatlabError(
        "MATLAB:unassignedOutputs",
        f'Output argument "{name}" (and possibly others) not assigned a value in the execution '
        f'with "{function}" function.',
    )


def varargout(nargout: int, rest: Any, *named: Any) -> Any:
    """Return the outputs of a function whose last one is ``varargout`` (None when unbound)."""
    extra = [] if rest is None else rest.items()
    if nargout == 0 and not named and not extra:
        return None
    wanted = max(nargout, 1)
    outputs = (*named, *extra[: wanted - len(named)])
    if len(outputs) < wanted:
        raise MatlabError(
            "MATLAB:unassignedOutputs",
            f'Output argument "varargout{{{len(extra) + 1}}}" (and possibly others) not assigned a '
            "value in the execution of this function.",
        )
    return share(outputs[0]) if nargout < 2 else tuple(map(share, outputs))


def outputs_of(nargout: int, result: Any) -> Any:
    """Return a comma list as the outputs of a call."""
    if result.__class__ is not CommaList:
        return result
    if nargout < 2:
        return share(result[0]) if result else None if not nargout else result.only()
    return spread(result, nargout)


def first(result: Any) -> Any:
    """Return the value of ``x = c{:}``: the first of a comma list."""
    return result.only() if result.__class__ is CommaList else result


def sole(result: Any) -> Any:
    """Return the value of a field or element where exactly one is expected."""
    if result.__class__ is not CommaList:
        return result
    if len(result) != 1:
        raise MatlabError(
            "MATLAB:index:expected_one_output_from_expression",
            "Expected one output from a curly brace or dot indexing expression, but there were "
            f"{len(result)} results.",
        )
    return result[0]


def spread(result: Any, count: int) -> tuple[Any, ...]:
    """`count` values for the targets of a multiple assignment, from a comma list or a call."""
    if count == 0:  # ``[c{1:0}] = f(x)`` calls f with nargout 0
        return ()
    if result.__class__ is CommaList:
        if len(result) < count:
            raise _not_enough_outputs()
        return tuple(map(share, result[:count]))
    if result.__class__ is tuple:
        return result
    if count == 1:
        return (result,)
    raise _not_enough_outputs()


def _not_enough_outputs() -> MatlabError:
    return MatlabError(
        "MATLAB:needMoreRhsOutputs",
        "Insufficient number of outputs from right hand side of equal sign to satisfy assignment.",
    )


# -- inputs ---------------------------------------------------------------------------------------


def varargin(rest: tuple[Any, ...]) -> Any:
    """Return the cell row of the inputs beyond the named ones."""
    return cell_row(owned(rest)) if rest else values.cell([], (0, 0))


def owned(items: Iterable[Any]) -> list[Any]:
    """Each of `items` as a container holds it: a wrapper of its own, no pending scalar."""
    return [item.share() if isinstance(item, Value) else item for item in contents(items)]


def contents(items: Iterable[Any]) -> list[Any]:
    """`items` without pending scalars, which no container holds."""
    kept = list(items)
    return [stored(item) for item in kept] if Deferred in map(type, kept) else kept


def declare_persistent(store: dict[str, Any], key: str) -> bool:
    """Return ``persistent x``: ``[]`` the first time; whether this is it."""
    if key in store:
        return False
    store[key] = values.horzcat()
    return True


def bind(table: dict[str, Any], key: str, value: Any) -> Any:
    """Bind a variable that lives in a dict, inside an expression."""
    table[key] = value
    return value


def local(key: str) -> Any:
    """Return the value of a local of the calling code by its Python name.

    Return None when it is unbound.
    """
    return sys._getframe(1).f_locals.get(key)


def note_global(workspace: dict[str, Any], name: str) -> None:
    """``global x`` in a workspace: code that runs over it later shares the variable too."""
    workspace.setdefault(GLOBAL_NAMES, set()).add(name)
    workspace.pop(name, None)


# -- handles --------------------------------------------------------------------------------------


def local_handle(function: Callable[..., Any], name: str) -> FunctionHandle:
    """``@name`` of a function of the same file."""
    info = getattr(function, "__matlab__", None)
    return FunctionHandle(function, name, file=info.file if info is not None else "")


def make_anonymous(
    factory: Callable[..., Any], source: str, names: tuple[str, ...], captured: tuple[Any, ...]
) -> FunctionHandle:
    """Return an anonymous function over its captured values."""
    captures = {
        name: value for name, value in zip(names, captured, strict=False) if value is not UNSET
    }
    return FunctionHandle(factory(*captured), "", source, captures)


def capture(workspace: dict[str, Any], name: str) -> Any:
    """Return the value of a name to capture from a workspace, UNSET where it is no variable."""
    return share(workspace.get(name, UNSET))


def with_fields(function: Callable[..., Any], *names: str) -> Callable[..., Any]:
    """``f.a.b`` where f is a function: a function that calls f and reads the fields."""

    def read(nargout: int, *args: Any) -> Any:
        value = function(1)
        for name in names:
            value = values.field(value, name)
        if not args:
            return value
        return (
            value.fn(nargout, *args)
            if value.__class__ is FunctionHandle
            else values.index(value, args)
        )

    return read


def checked(value: Any) -> Any:
    """`value`, which must be a MATLAB value: no Python int, no NumPy scalar, no bare array."""
    scalar = value.__class__ in (float, bool, values.Complex)
    assert scalar or isinstance(value, values.Value), f"not a MATLAB value: {value!r}"
    if value.__class__ is values.Array:
        data = value.data
        assert data.ndim >= 2, f"rank {data.ndim}"
        assert data.flags.f_contiguous, "not column-major"
        assert data.shape != (1, 1) or data.dtype.char not in "d?", "a scalar in an array"
    return value


def unsupported(what: str) -> NoReturn:
    raise MatlabError("RunMat:unsupported", f"runmat does not support {what} yet.")


def check_depth() -> None:
    """Do nothing; entering it raises RecursionError when the stack is too deep."""


HELPERS: dict[str, Any] = {
    "missing_output": missing_output,
    "varargout": varargout,
    "outputs_of": outputs_of,
    "sole": sole,
    "first": first,
    "spread": spread,
    "as_outputs": spread,
    "varargin": varargin,
    "owned": owned,
    "declare_persistent": declare_persistent,
    "bind": bind,
    "local": local,
    "note_global": note_global,
    "check_depth": check_depth,
    "local_handle": local_handle,
    "make_anonymous": make_anonymous,
    "capture": capture,
    "with_fields": with_fields,
    "checked": checked,
    "unsupported": unsupported,
    "missing_argument": lambda position: errors.not_enough_inputs(),
}
