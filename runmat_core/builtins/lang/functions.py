"""Builtins about functions: handles, argument counts, the call stack."""

from __future__ import annotations

import os
from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.builtins.arguments import integer, scalar
from runmat_core.builtins.named import choice
from runmat_core.values.cell import empty_double
from runmat_core.values.struct import struct_array
from runmat_core.values.symbols import SYMBOL


@builtin("func2str", family="lang/functions")
def func2str(handle: Any) -> Any:
    """A function handle as text.

    Examples:
        >> func2str(@(x) x + 1)
        ans =
            '@(x)x+1'
        >> func2str(@sin)
        ans =
            'sin'

    See also: str2func, functions.
    """
    _need_handle(handle, "func2str")
    return v.char(handle.source)


@builtin("str2func", family="lang/functions", nargin=(1, 2), needs=("interp",))
def str2func(text: Any, option: Any = None, *, interp: Any) -> Any:
    """Make a function handle from a name or from the text of an anonymous function.

    Examples:
        >> f = str2func('@(x) x.^2');
        >> f(3)
        ans =
             9

    See also: func2str, feval.
    """
    if v.class_of(text) == "function_handle":
        return v.share(text)
    if not v.is_text(text):
        raise MatlabError(
            "MATLAB:str2func:FunctionNameMustBeString",
            "Input must be a string scalar or character vector.",
        )
    name = v.text(text).strip()
    if name.startswith("@("):
        return interp.evaluate(name, interp.empty_workspace(), 1)
    return interp.handle(name.removeprefix("@"))


@builtin("functions", family="lang/functions", nargin=(1, 1))
def functions(handle: Any) -> Any:
    """What is known of a function handle, as a structure.

    S = functions(H) has the fields function (its text), type and file.

    Examples:
        >> s = functions(@sin); s.function
        ans =
            'sin'

    See also: func2str, str2func.
    """
    _need_handle(handle, "functions")
    info = _info(handle.fn)
    kind = "anonymous" if handle.is_anonymous else "simple"
    if info is not None and info.kind == "nested":
        kind = "nested"
    fields: dict[str, Any] = {
        "function": v.char(handle.source),
        "type": v.char(kind),
        "file": v.char(handle.file),
    }
    if handle.is_anonymous:
        captured = {name: v.share(value) for name, value in handle.captures.items()}
        fields["workspace"] = v.cell([v.struct(captured)], (1, 1))
    return v.struct(fields)


@builtin("is_function_handle", family="lang/functions", pending="keep")
def is_function_handle(value: Any) -> bool:
    """Whether a value is a function handle.

    Examples:
        >> is_function_handle(@sin)
        ans =
          logical
           1

    See also: isa, func2str.
    """
    return bool(v.class_of(value) == "function_handle")


def _need_handle(value: Any, function: str) -> None:
    if v.class_of(value) != "function_handle" or not v.numel_of(value):
        raise MatlabError(
            f"MATLAB:{function}:InputMustBeHandle",
            f"Input to {function} must be a function handle, not a value of type "
            f"'{v.class_of(value)}'.",
        )


@builtin("nargin", family="lang/functions", nargin=(0, 1), needs=("interp",))
def nargin(function: Any = None, *, interp: Any) -> float:
    """Number of inputs of the running function, or of a named one.

    N = nargin is how many inputs the running function was given. nargin(F) is how many F declares:
    -K-1 when the last of them, after K others, is varargin.

    Examples:
        >> nargin(@(a, b) a + b)
        ans =
             2

    See also: nargout, narginchk, varargin.
    """
    if function is None:
        return float(_running(interp, "nargin").nargin)
    return _declared(function, interp, "nargin")


@builtin("nargout", family="lang/functions", nargin=(0, 1), needs=("interp",))
def nargout(function: Any = None, *, interp: Any) -> float:
    """Number of outputs asked of the running function, or that a named one declares.

    nargout(F) is -K-1 when the last output, after K others, is varargout, and -1 for an anonymous
    function.

    Examples:
        >> nargout('size')
        ans =
            -1

    See also: nargin, nargoutchk, varargout.
    """
    if function is None:
        return float(_running(interp, "nargout").nargout)
    return _declared(function, interp, "nargout")


def _running(interp: Any, what: str) -> Any:
    running = interp.running()
    if running is None:
        raise MatlabError(
            f"MATLAB:{what}:UsedOutsideFunction",
            f"You can only call {what} without arguments from within a function.",
        )
    return running


def _declared(function: Any, interp: Any, what: str) -> float:
    if v.class_of(function) == "function_handle":
        _need_handle(function, what)
        fn, name = function.fn, function.name
    else:
        name = v.text(function)
        fn = interp.function(name)
    if fn is None:
        raise MatlabError("MATLAB:narginout:notValidMfile", f"Function '{name}' does not exist.")
    info = _info(fn)
    if info is None:
        return _declared_by_builtin(name, what)
    if info.kind == "script":
        raise MatlabError("MATLAB:nargin:isScript", f"'{name}' is a script.")
    if info.kind == "anonymous" and what == "nargout":
        return -1.0
    count: float = info.nargin if what == "nargin" else info.nargout
    return count


def _info(function: Any) -> Any:
    """Return what the compiler knows of a function; None for a builtin.

    Anonymous functions are made anew from one code object, which their file describes.
    """
    info = getattr(function, "__matlab__", None)
    if info is None and hasattr(function, "__globals__"):
        infos = function.__globals__.get("_infos", {})
        info = infos.get(function.__code__.co_name)
    return info


def _declared_by_builtin(name: str, what: str) -> float:
    from runmat_core.builtins import registry

    spec = registry.find(name)
    if spec is None:
        return -1.0
    if what == "nargout":
        return -1.0 if spec.nargout is None else float(spec.nargout)
    least, most = registry.arity(spec)
    if name in SYMBOL or f"{name}_" in SYMBOL:
        return float(least)  # an operator declares its operands, even where it takes more
    return float(-least - 1 if most is None else most)


@builtin("narginchk", family="lang/functions", nargin=(2, 2), nargout=0, needs=("interp",))
def narginchk(least: Any, most: Any, *, interp: Any) -> None:
    """Raise an error unless the running function was given a number of inputs in a range.

    narginchk(LEAST, MOST).

    Examples:
        >> try, feval(@() narginchk(1, 2)), catch e, disp(e.identifier), end
        MATLAB:narginchk:notEnoughInputs

    See also: nargoutchk, nargin.
    """
    count = _running(interp, "narginchk").nargin
    if count < least:
        raise MatlabError("MATLAB:narginchk:notEnoughInputs", "Not enough input arguments.")
    if count > most:
        raise MatlabError("MATLAB:narginchk:tooManyInputs", "Too many input arguments.")


@builtin("nargoutchk", family="lang/functions", nargin=(2, 4), needs=("nargout", "interp"))
def nargoutchk(*args: Any, nargout: int, interp: Any) -> Any:
    """Raise an error unless the running function was asked for a number of outputs in a range.

    nargoutchk(LEAST, MOST). MSG = nargoutchk(LEAST, MOST, N) returns a message instead.

    Examples:
        >> isempty(nargoutchk(0, 1, 1))
        ans =
          logical
           1

    See also: narginchk, nargout.
    """
    if len(args) > 2:
        return _count_message(args, "output")
    count = _running(interp, "nargoutchk").nargout
    if count < args[0]:
        raise MatlabError("MATLAB:nargoutchk:notEnoughOutputs", "Not enough output arguments.")
    if count > args[1]:
        raise MatlabError("MATLAB:nargoutchk:tooManyOutputs", "Too many output arguments.")
    return None


@builtin("nargchk", family="lang/functions", nargin=(3, 4), pending="keep")
def nargchk(*args: Any) -> Any:
    """Message about a number of inputs, empty when it is in a range. Use narginchk in new code.

    MSG = nargchk(LEAST, MOST, N); nargchk(LEAST, MOST, N, 'struct') returns a structure for error.

    Examples:
        >> nargchk(1, 2, 3)
        ans =
            'Too many input arguments.'

    See also: narginchk, nargin.
    """
    return _count_message(args, "input")


def _count_message(args: tuple[Any, ...], what: str) -> Any:
    checker = "nargchk" if what == "input" else "nargoutchk"
    least, most, count = (scalar(arg, "Argument count") for arg in args[:3])
    if any(v.is_text(arg) for arg in args[:3]):
        raise MatlabError(
            f"MATLAB:{checker}:nonNumericInput", "The first three inputs must be numeric."
        )
    if least > most:
        raise MatlabError(
            f"MATLAB:{checker}:minGreaterThanMax",
            "The least number of arguments must not exceed the greatest one.",
        )
    message = identifier = ""
    if count < least:
        message = f"Not enough {what} arguments."
        identifier = f"MATLAB:{checker}:notEnough{what.title()}s"
    elif count > most:
        message = f"Too many {what} arguments."
        identifier = f"MATLAB:{checker}:tooMany{what.title()}s"
    form = choice(args[3], ("string", "struct"), checker) if len(args) > 3 else "string"
    if form == "struct":
        if not message:
            return struct_array([], (0, 1), ("message", "identifier"))
        return v.struct({"message": v.char(message), "identifier": v.char(identifier)})
    return v.char(message) if message else empty_double()


@builtin("inputname", family="lang/functions", nargin=(1, 2), needs=("interp",))
def inputname(position: Any, validate: Any = True, *, interp: Any) -> Any:
    """Name of the variable that an input of the running function was given as.

    N = inputname(K) is empty when the K-th input was an expression.

    Examples:
        >> f = @(x) inputname(1);
        >> speed = 3; f(speed)
        ans =
            'speed'

    See also: nargin, mfilename.
    """
    running = _running(interp, "inputname")
    if not (isinstance(position, float) and position.is_integer() and position >= 1):
        raise MatlabError(
            "MATLAB:inputname:argNumberNotValid", "Argument number must be a positive integer."
        )
    if position > running.nargin:
        raise MatlabError(
            "MATLAB:inputname:argNumberNotValid",
            "Argument number must not exceed the number of inputs.",
        )
    names = interp.argument_text(1)
    name = names[int(position) - 1] if position <= len(names) else None
    return v.char(name or "")


@builtin("mfilename", family="lang/functions", nargin=(0, 1), needs=("interp",))
def mfilename(option: Any = None, *, interp: Any) -> Any:
    """Name of the file that is running.

    mfilename is without folder and ending; mfilename('fullpath') has the folder and no ending;
    mfilename('class') is empty outside class files. At the prompt it is empty.

    Examples:
        >> mfilename
        ans =
          0×0 empty char array

    See also: dbstack, which.
    """
    file = interp.running_file()
    path = os.path.splitext(file)[0]
    if option is None:
        return v.char(os.path.basename(path))
    word = v.text(option).lower()
    if word == "fullpath":
        return v.char(path)
    if word == "fullpathext":
        return v.char(file)
    if word == "class":
        return v.char("")
    # any other word asks for nothing more
    return v.char(os.path.basename(path))


@builtin("dbstack", family="lang/functions", nargin=(0, 2), nargout=2, needs=("nargout", "interp"))
def dbstack(*options: Any, nargout: int, interp: Any) -> Any:
    """The functions that are running, innermost first.

    dbstack prints them; [S, I] = dbstack returns a structure with fields file, name and line, and
    the number of the current one. dbstack(N) leaves out the innermost N.

    Examples:
        >> isempty(dbstack)
        ans =
          logical
           1

    See also: mfilename, MException.
    """
    from runmat_core.builtins.lang.errors import stack_struct

    skip = next((integer(option) for option in options if not v.is_text(option)), 0)
    stack = interp.stack()[skip:]
    if nargout == 0 and stack:
        for depth, frame in enumerate(stack):
            interp.write(f"{'  ' if depth else '> '}In {frame.label} (line {frame.line})\n")
        return None
    return (stack_struct(stack), 1.0) if nargout > 1 else stack_struct(stack)


@builtin("localfunctions", family="lang/functions", needs=("interp",))
def localfunctions(*, interp: Any) -> Any:
    """Handles of the local functions of the running file, as a column cell array.

    Examples:
        >> localfunctions
        ans =
          0×1 empty cell array

    See also: functions, functiontests.
    """
    functions = interp.local_functions()
    handles = [
        v.FunctionHandle(fn, name, file=interp.running_file()) for name, fn in functions.items()
    ]
    return v.cell(handles, (len(handles), 1))
