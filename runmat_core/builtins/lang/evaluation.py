"""Builtins that run code given as text, and call functions by name or handle."""

from __future__ import annotations

import os
from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.api.errors import (
    not_enough_inputs,
    too_many_builtin_inputs,
    too_many_builtin_outputs,
    undefined,
)
from runmat_core.api.folders import expand_home
from runmat_core.builtins.lang.names import is_variable_name
from runmat_core.values.object import ObjectValue


@builtin(
    "eval",
    family="lang/evaluation",
    nargin=(1, 2),
    nargout=None,
    needs=("nargout", "interp", "workspace"),
)
def eval(code: Any, handler: Any = None, *, nargout: int, interp: Any, workspace: Any) -> Any:
    """Run code given as text in the current workspace.

    eval(CODE); [A, B] = eval(EXPRESSION) returns what the expression does. eval(CODE, HANDLER) runs
    HANDLER when CODE raises an error; lasterr tells which.

    Examples:
        >> eval('x = 1 + 1;'); x
        x =
             2

    See also: evalc, evalin, feval, try.
    """
    if handler is None:
        return _run(code, workspace, nargout, interp)
    try:
        return _run(code, workspace, nargout, interp)
    except MatlabError as error:
        interp.set_last_error(error)
    return _run(handler, workspace, nargout, interp)


def _run(code: Any, workspace: Any, nargout: int, interp: Any) -> Any:
    if not v.is_text(code):
        raise MatlabError(
            "MATLAB:eval:InvalidInput", "The code to run must be a char vector or string scalar."
        )
    return interp.evaluate(v.text(code), workspace, nargout)


@builtin(
    "evalc",
    family="lang/evaluation",
    nargin=(1, 2),
    nargout=None,
    needs=("nargout", "interp", "workspace"),
)
def evalc(code: Any, handler: Any = None, *, nargout: int, interp: Any, workspace: Any) -> Any:
    """Run code given as text and return what it prints.

    T = evalc(CODE); [T, A, B] = evalc(EXPRESSION) returns the values of the expression too.

    Examples:
        >> t = evalc('disp(7)');
        >> strtrim(t)
        ans =
            '7'

    See also: eval, disp, formattedDisplayText.
    """
    with interp.capture() as text:
        results = eval(
            code, handler, nargout=max(nargout - 1, 0), interp=interp, workspace=workspace
        )
        printed = v.char(text())
    if nargout <= 1:
        return printed
    values = results if isinstance(results, tuple) else () if results is None else (results,)
    return (printed, *values)


@builtin(
    "evalin",
    family="lang/evaluation",
    nargin=(2, 3),
    nargout=None,
    needs=("nargout", "interp"),
)
def evalin(where: Any, code: Any, handler: Any = None, *, nargout: int, interp: Any) -> Any:
    """Run code given as text in another workspace.

    evalin('caller', CODE) runs it where the running function was called, evalin('base', CODE) in
    the base workspace.

    Examples:
        >> y = 3;
        >> evalin('base', 'y + 1')
        ans =
             4

    See also: assignin, eval.
    """
    return eval(
        code, handler, nargout=nargout, interp=interp, workspace=_workspace(where, interp, "evalin")
    )


@builtin("assignin", family="lang/evaluation", nargin=(3, 3), nargout=0, needs=("interp",))
def assignin(where: Any, name: Any, value: Any, *, interp: Any) -> None:
    """Set a variable in another workspace.

    assignin('caller', NAME, V) sets it where the running function was called,
    assignin('base', NAME, V) in the base workspace.

    Examples:
        >> assignin('base', 'z', 5)
        >> z
        z =
             5

    See also: evalin, eval.
    """
    target = v.text(name)
    if not is_variable_name(target):
        raise MatlabError("MATLAB:assigninInvalidVariable", f'Invalid variable name "{target}".')
    _workspace(where, interp, "assignin").set(target, v.share(value))


def _workspace(where: Any, interp: Any, function: str) -> Any:
    word = v.text(where) if v.is_text(where) else ""
    if word == "base":
        return interp.base()
    if word == "caller":
        return interp.caller()
    raise MatlabError(
        f"MATLAB:{function}:InvalidWorkspace", "The workspace must be 'base' or 'caller'."
    )


@builtin(
    "feval", family="lang/evaluation", nargout=None, needs=("nargout", "interp"), pending="keep"
)
def feval(*args: Any, nargout: int, interp: Any) -> Any:
    """Call a function given by its name or a handle.

    [A, B] = feval(F, X, ...) is [A, B] = F(X, ...).

    Examples:
        >> feval('max', [3 9 2])
        ans =
             9
        >> feval(@plus, 1, 2)
        ans =
             3

    See also: eval, func2str, str2func, builtin.
    """
    if not args:
        raise not_enough_inputs()
    return interp.call(args[0], args[1:], nargout)


@builtin("builtin", family="lang/evaluation", nargout=None, needs=("nargout", "interp"))
def builtin_(*args: Any, nargout: int, interp: Any) -> Any:
    """Call a builtin, whatever function of the same name is on the path.

    [A, B] = builtin(NAME, X, ...).

    Examples:
        >> builtin('size', [1 2 3])
        ans =
             1     3

    See also: feval, which.
    """
    if not args:
        raise not_enough_inputs()
    name = v.text(args[0])
    function = interp.builtin(name)
    if function is None:
        raise undefined(name)
    return function(nargout, *args[1:])


@builtin(
    "run", family="lang/evaluation", nargin=(1, None), needs=("nargout", "interp", "workspace")
)
def run(file: Any, *args: Any, nargout: int, interp: Any, workspace: Any) -> Any:
    """Run a script in the current workspace, or tests.

    run(FILE); FILE may have a folder and may lack the ending .m. The script runs with its folder
    as the current one.
    R = run(TESTS) runs the tests that functiontests or testsuite gave, run(RUNNER, TESTS) as a test
    runner does, and run(TESTCASE) those of an object's class.

    Examples:
        >> try, run('no_such_script'), catch e, disp(e.identifier), end
        MATLAB:run:FileNotFound

    See also: eval, cd, addpath, runtests.
    """
    if v.class_of(file) == "matlab.unittest.Test":
        from runmat_core.builtins.testing.runner import run_tests

        return run_tests(interp, file.items())
    method = file.method("run") if isinstance(file, ObjectValue) else None
    if method is not None:
        return method(nargout, *args)
    if args:
        raise too_many_builtin_inputs()
    if nargout:
        raise too_many_builtin_outputs()
    name = v.text(file)
    path = os.path.join(interp.current_directory(), expand_home(name))
    candidates = [path] if path.endswith(".m") else [f"{path}.m", path]
    found = next((c for c in candidates if os.path.isfile(c)), None) or interp.find_file(name)
    if found is None:
        raise MatlabError("MATLAB:run:FileNotFound", f"RUN cannot find the file '{name}'.")
    interp.run_script(os.path.normpath(found), workspace)
    return None
