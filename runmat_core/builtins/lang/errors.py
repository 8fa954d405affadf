"""Builtins that raise and inspect errors."""

from __future__ import annotations

import re
from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, StackFrame, builtin
from runmat_core.api.errors import not_enough_inputs, undefined_for
from runmat_core.builtins.arguments import scalar
from runmat_core.values.printf import sprintf

#: Two or more words joined by colons, without blanks: ``MATLAB:badsubscript``.
_IDENTIFIER = re.compile(r"[A-Za-z][\w-]*(:[\w-]+)+\Z")


def is_identifier(text: str) -> bool:
    """Whether `text` has the form of an error identifier."""
    return _IDENTIFIER.match(text) is not None


def message_of(args: tuple[Any, ...], function: str) -> tuple[str, str]:
    """Return identifier and text of ``error(MSG)``, ``error(MSG, A...)`` or ``error(ID, …)``.

    A lone message is taken as it is; with further arguments it is a format.
    """
    for arg in args[:1]:
        if not v.is_text(arg):
            raise MatlabError(
                f"MATLAB:{function}:InvalidInput",
                f"The first input of '{function}' must be text or a structure, not a value of type "
                f"'{v.class_of(arg)}'.",
            )
    first = v.text(args[0])
    if len(args) == 1:
        return "", first
    if is_identifier(first):
        return first, sprintf(_format(args[1]), args[2:])
    return "", sprintf(first, args[1:])


def _format(value: Any) -> str:
    if not v.is_text(value):
        raise MatlabError(
            "MATLAB:error:InvalidMessage", "The message that follows an identifier must be text."
        )
    text: str = v.text(value)
    return text


@builtin("error", family="lang/errors", nargin=(1, None), nargout=0, needs=("interp",))
def error(*args: Any, interp: Any) -> None:
    """Raise an error.

    error(MSG) raises MSG as it is. error(MSG, A, ...) formats it as sprintf does, and
    error(ID, MSG, A, ...) gives it an identifier such as 'shop:empty'. error(S) takes the fields
    message, identifier and stack of a structure. An empty message raises nothing.

    Examples:
        >> try, error('shop:empty', 'Only %d left.', 0), catch e, disp(e.message), end
        Only 0 left.
        >> e.identifier
        ans =
            'shop:empty'

    See also: MException, rethrow, warning, try.
    """
    first = args[0]
    kind = v.class_of(first)
    if kind == "struct":
        raise_struct(first)
        return
    if kind == "MException" and v.numel_of(first):
        first.rethrow()
    if kind in ("double", "cell", "MException") and v.numel_of(first) == 0:
        return
    identifier, message = message_of(args, "error")
    if message or identifier:
        raise MatlabError(identifier, message)


def raise_struct(value: Any) -> None:
    """Raise what a structure with the fields of `lasterror` describes; nothing when it is empty."""
    if v.numel_of(value) == 0:
        return
    fields = value.field_names()
    if "message" not in fields:
        raise MatlabError(
            "MATLAB:error:MissingField", "The structure must have a field named 'message'."
        )
    message = v.text(v.field(value, "message"))
    identifier = v.text(v.field(value, "identifier")) if "identifier" in fields else ""
    if message or identifier:
        stack = _stack_of(v.field(value, "stack")) if "stack" in fields else ()
        raise MatlabError(identifier, message, stack=stack)


def _stack_of(value: Any) -> tuple[StackFrame, ...]:
    if v.class_of(value) != "struct" or not {"file", "name", "line"} <= set(value.field_names()):
        return ()
    frames = []
    for k in range(v.numel_of(value)):
        entry = v.index(value, (float(k + 1),))
        file, name = (v.text(v.field(entry, key)) for key in ("file", "name"))
        frames.append(StackFrame(file, name, int(v.field(entry, "line"))))
    return tuple(frames)


@builtin("rethrow", family="lang/errors", nargout=0)
def rethrow(exception: Any) -> None:
    """Raise a caught error again, with the stack it had.

    rethrow(ME) takes an MException, rethrow(S) a structure with the fields message, identifier and,
    if wanted, stack.

    Examples:
        >> try, try, error('a:b', 'inner'), catch e, rethrow(e), end, catch f, disp(f.message), end
        inner

    See also: MException, error, throw.
    """
    if v.class_of(exception) == "MException" and v.numel_of(exception):
        exception.rethrow()
    if v.class_of(exception) != "struct":
        raise MatlabError(
            "MATLAB:rethrow:InvalidInput", "Input must be an MException or a structure."
        )
    raise_struct(exception)


@builtin("MException", family="lang/errors", nargin=(0, None))
def MException(*args: Any) -> Any:
    """Make an exception without raising it.

    ME = MException(ID, MSG, A, ...) formats MSG as sprintf does. throw(ME) raises it.

    Examples:
        >> ME = MException('shop:empty', 'Only %d left.', 0);
        >> ME.message
        ans =
            'Only 0 left.'

    See also: throw, rethrow, addCause, getReport, error.
    """
    if len(args) < 2:
        raise not_enough_inputs()
    identifier = v.text(args[0])
    if identifier and not is_identifier(identifier):
        raise MatlabError(
            "MATLAB:MException:InvalidErrorID",
            f"First argument must be a message identifier, not '{identifier}'.",
        )
    message = v.text(args[1]) if len(args) == 2 else ""
    if len(args) > 2 or "%" in message or "\\" in message:
        message = sprintf(_format(args[1]), args[2:])
    return v.ExceptionValue(MatlabError(identifier, message))


@builtin("throw", family="lang/errors", nargout=0)
def throw(exception: Any) -> None:
    """Raise an exception; its stack starts here.

    Examples:
        >> try, throw(MException('a:b', 'text')), catch e, disp(e.identifier), end
        a:b

    See also: MException, rethrow, throwAsCaller.
    """
    _need_exception(exception, "throw").throw()


@builtin("throwAsCaller", family="lang/errors", nargout=0)
def throwAsCaller(exception: Any) -> None:
    """Raise an exception as if the caller of the running function had raised it.

    Examples:
        >> try, throwAsCaller(MException('a:b', 'text')), catch e, disp(e.message), end
        text

    See also: throw, rethrow, MException.
    """
    _need_exception(exception, "throwAsCaller").throw_as_caller()


@builtin("addCause", family="lang/errors")
def addCause(exception: Any, cause: Any) -> Any:
    """Add an exception to the causes of another.

    ME = addCause(ME, CAUSE). The causes are in the cell array ME.cause and in the report.

    Examples:
        >> ME = addCause(MException('a:b', 'whole'), MException('a:c', 'part'));
        >> ME.cause{1}.message
        ans =
            'part'

    See also: MException, getReport.
    """
    return _need_exception(exception, "addCause").add_cause(1, cause)


@builtin("addCorrection", family="lang/errors")
def addCorrection(exception: Any, correction: Any) -> Any:
    """Add a suggestion of how to mend an error; the report shows it.

    ME = addCorrection(ME, TEXT).

    Examples:
        >> ME = addCorrection(MException('a:b', 'No such option.'), 'Use -v instead.');
        >> disp(getReport(ME))
        No such option.
        Use -v instead.

    See also: MException, getReport.
    """
    return _need_exception(exception, "addCorrection").add_correction(1, correction)


@builtin("getReport", family="lang/errors", nargin=(1, 4))
def getReport(exception: Any, *options: Any) -> Any:
    """The text that an uncaught error prints.

    R = getReport(ME) has the message, the function and line that raised it, and the calls that led
    there. getReport(ME, 'basic') leaves the calls out. 'hyperlinks' and its value are accepted.

    Examples:
        >> ME = MException('a:b', 'Something is wrong.');
        >> getReport(ME)
        ans =
            'Something is wrong.'

    See also: MException, error.
    """
    return _need_exception(exception, "getReport").get_report(1, *options)


def _need_exception(value: Any, function: str) -> Any:
    if v.class_of(value) != "MException" or not v.numel_of(value):
        raise undefined_for(function, v.class_of(value))
    return value


@builtin("assert", family="lang/errors", nargin=(1, None), nargout=0)
def assert_(*args: Any) -> None:
    """Raise an error unless a condition holds.

    assert(COND); assert(COND, MSG, A, ...); assert(COND, ID, MSG, A, ...).

    Examples:
        >> assert(1 < 2)
        >> try, assert(false, 'demo:no', 'x is %d', 3), catch e, disp(e.message), end
        x is 3

    See also: error, validateattributes.
    """
    if len(args) > 1 and not v.is_text(args[1]):
        _assert_equal(*args[:3])
        return
    try:
        holds = v.truth(args[0]) if v.numel_of(args[0]) else False
    except MatlabError:
        raise MatlabError(
            "MATLAB:assertion:argsNotLogical",
            "The condition input argument must be convertible to a scalar logical.",
        ) from None
    if holds:
        return
    if len(args) == 1:
        raise MatlabError("MATLAB:assertion:failed", "Assertion failed.")
    identifier, message = message_of(args[1:], "assert")
    raise MatlabError(identifier or "MATLAB:assertion:failed", message)


def _assert_equal(observed: Any, expected: Any, tolerance: Any = 0.0) -> None:
    """``assert(OBSERVED, EXPECTED, TOL)``, which Octave has: equal within a tolerance."""
    import numpy as np

    if v.isequal(observed, expected, nan_equal=True):
        return
    numeric = not isinstance(observed, v.CellArray) and v.class_of(observed) not in (
        "struct",
        "cell",
        "function_handle",
    )
    tol = scalar(tolerance, "Tolerance")
    if numeric and tol and v.size_of(observed) == v.size_of(expected):
        a, b = v.to_double(observed), v.to_double(expected)
        bound = np.abs(tol) * (np.abs(b) if tol < 0 else 1.0)
        same = (np.abs(a - b) <= bound) | (np.isnan(a) & np.isnan(b)) | (a == b)
        if bool(np.all(same)):
            return
    raise MatlabError("MATLAB:assertion:failed", "Assertion failed: the values are not equal.")


@builtin("lasterr", family="lang/errors", nargin=(0, 2), nargout=2, needs=("nargout", "interp"))
def lasterr(message: Any = None, identifier: Any = None, *, nargout: int, interp: Any) -> Any:
    """The last error's message.

    MSG = lasterr; [MSG, ID] = lasterr; lasterr(MSG, ID) sets them. MException does this better.

    Examples:
        >> try, error('a:b', 'oops'), end
        >> lasterr
        ans =
            'oops'

    See also: MException, lasterror, lastwarn.
    """
    last = interp.last_error() or MatlabError("", "")
    if message is not None:
        text = v.text(message)
        id_ = v.text(identifier) if identifier is not None else ""
        interp.set_last_error(MatlabError(id_, text) if text or id_ else None)
        if nargout == 0:
            return None
    if nargout > 1:
        return v.char(last.message), v.char(last.identifier)
    return v.char(last.message)


@builtin("lasterror", family="lang/errors", nargin=(0, 1), needs=("nargout", "interp"))
def lasterror(new: Any = None, *, nargout: int, interp: Any) -> Any:
    """The last error as a structure with fields message, identifier and stack.

    S = lasterror; lasterror(S) sets it and lasterror('reset') clears it.

    Examples:
        >> try, error('a:b', 'oops'), end
        >> s = lasterror; s.identifier
        ans =
            'a:b'

    See also: lasterr, rethrow, MException.
    """
    last = interp.last_error() or MatlabError("", "")
    if new is not None:
        if v.class_of(new) == "struct":
            error = MatlabError(v.text(v.field(new, "identifier")), v.text(v.field(new, "message")))
            interp.set_last_error(error)
        elif v.text(new) == "reset":
            interp.set_last_error(None)
        if nargout == 0:
            return None
    return v.struct(
        {
            "message": v.char(last.message),
            "identifier": v.char(last.identifier),
            "stack": stack_struct(last.stack),
        }
    )


def stack_struct(stack: tuple[StackFrame, ...]) -> Any:
    """Return a call stack as the column structure array with fields file, name and line."""
    from runmat_core.values.exception import stack_value

    return stack_value(stack)
