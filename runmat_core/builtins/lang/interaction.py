"""Builtins that talk to whoever sits at the terminal: input, more, mlock."""

from __future__ import annotations

from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.values.cell import empty_double
from runmat_core.values.printf import sprintf


@builtin("input", family="lang/interaction", nargin=(0, 2), needs=("interp", "workspace"))
def input(prompt: Any = None, option: Any = None, *, interp: Any, workspace: Any) -> Any:
    """Ask for input.

    X = input(PROMPT) evaluates what is typed as an expression; an empty line gives [].
    T = input(PROMPT, 's') returns the text itself.

    Examples:
        >> nargin('input')
        ans =
             2

    See also: keyboard, pause.
    """
    text = v.text(prompt) if prompt is not None else ""
    line = interp.read_line(sprintf(text.replace("%", "%%"), ()))
    if option is not None:
        if v.text(option) != "s":
            raise MatlabError(
                "MATLAB:input:InvalidSecondArgument",
                "The second argument to input must be 's'.",
            )
        return v.char(line)
    return interp.evaluate(line, workspace, 1) if line.strip() else empty_double()


@builtin("keyboard", family="lang/interaction", nargin=(0, 0), nargout=0)
def keyboard() -> None:
    """Stop for debugging: not available here.

    Programs that reach it end with an error that says so; Python's debugger can stop in .m files.

    Examples:
        >> try, keyboard, catch e, disp(e.identifier), end
        RunMat:notSupported

    See also: input, dbstack.
    """
    raise MatlabError(
        "RunMat:notSupported",
        "'keyboard' is not supported: there is no MATLAB debugger to stop in.",
        hint="Python debuggers can set breakpoints in .m files.",
    )


@builtin("more", family="lang/interaction", nargin=(0, 1), nargout=0)
def more(state: Any = None) -> None:
    """Paging of long output: accepted, and left to the terminal.

    Examples:
        >> more off

    See also: format.
    """


@builtin("mlock", family="lang/interaction", nargin=(0, 0), nargout=0, needs=("interp",))
def mlock(*, interp: Any) -> None:
    """Keep the running function, with its persistent variables, through clear.

    Examples:
        >> try, mlock, catch e, disp(e.identifier), end
        MATLAB:mlock:UsedOutsideFunction

    See also: munlock, mislocked, clear.
    """
    _locked(interp).add(_running_name(interp, "mlock"))


@builtin("munlock", family="lang/interaction", nargin=(0, 1), nargout=0, needs=("interp",))
def munlock(name: Any = None, *, interp: Any) -> None:
    """Undo mlock, for the running function or a named one.

    Examples:
        >> munlock('f')

    See also: mlock, mislocked.
    """
    who = v.text(name) if name is not None else _running_name(interp, "munlock")
    _locked(interp).discard(who)


@builtin("mislocked", family="lang/interaction", nargin=(0, 1), needs=("interp",))
def mislocked(name: Any = None, *, interp: Any) -> bool:
    """Whether a function is locked with mlock.

    Examples:
        >> mislocked('f')
        ans =
          logical
           0

    See also: mlock, munlock.
    """
    who = v.text(name) if name is not None else _running_name(interp, "mislocked")
    return who in _locked(interp)


def _locked(interp: Any) -> set[str]:
    names: set[str] = interp.state("lang.locked", set)
    return names


def _running_name(interp: Any, function: str) -> str:
    running = interp.running()
    if running is None:
        raise MatlabError(
            f"MATLAB:{function}:UsedOutsideFunction",
            f"'{function}' without input can only be used within a function.",
        )
    name: str = running.name
    return name
