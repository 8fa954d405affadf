"""Builtins that clear: variables, functions, the screen."""

from __future__ import annotations

from typing import Any

from runmat_core import values as v
from runmat_core.accel.context import release
from runmat_core.api import builtin
from runmat_core.builtins.lang.names import matching


@builtin(
    "clear", family="lang/variables", nargin=(0, None), nargout=0, needs=("interp", "workspace")
)
def clear(*args: Any, interp: Any, workspace: Any) -> None:
    """Remove variables, functions or both.

    clear removes all variables; clear A x* those named; clear -regexp PATTERN those that match;
    clear -except A all others. clear global removes the global ones everywhere, clear functions
    forgets loaded functions with their persistent variables, clear all does everything.

    Examples:
        >> a = 1; b = 2;
        >> clear a
        >> exist('a') + exist('b')
        ans =
             1

    See also: clearvars, who, exist.
    """
    words = [v.text(arg) for arg in args]
    flag = words[0].removeprefix("-") if words else ""
    names = list(workspace.names())
    if not words or words == ["variables"] or words == ["-variables"]:
        _delete(names, workspace)
    elif flag in ("all", "classes", "java", "import", "mex", "functions") and (
        words[0].startswith("-") or len(words) == 1
    ):
        if flag in ("all", "classes"):
            _delete(names, workspace)
            interp.globals().clear()
        if flag in ("all", "classes", "functions"):
            interp.forget_functions()
    elif flag == "global":
        gone = matching(interp.globals(), words[1:]) if words[1:] else list(interp.globals())
        _delete([name for name in gone if name in workspace.global_names], workspace)
        for name in gone:
            interp.globals().pop(name, None)
    elif words[0] == "-regexp":
        _delete(matching(names, words), workspace)
    elif words[0] in ("-except", "-x"):
        kept = matching(names, words[1:])
        _delete([name for name in names if name not in kept], workspace)
    else:
        _delete(matching(names, words), workspace)
        interp.forget_functions([word for word in words if word not in names])
    release()


@builtin(
    "clearvars", family="lang/variables", nargin=(0, None), nargout=0, needs=("interp", "workspace")
)
def clearvars(*args: Any, interp: Any, workspace: Any) -> None:
    """Remove variables.

    clearvars removes all, clearvars A x* those named, clearvars -except A x* all others.
    -regexp takes patterns instead of names.

    Examples:
        >> a = 1; b = 2; c = 3;
        >> clearvars -except b
        >> who
        Your variables are:
        b

    See also: clear, who.
    """
    words = [v.text(arg) for arg in args]
    if "-global" in words:
        words.remove("-global")
    names = list(workspace.names())
    split = words.index("-except") if "-except" in words else len(words)
    chosen, kept = words[:split], words[split + 1 :]
    gone = matching(names, chosen) if chosen else names
    spared = set(matching(names, kept))
    _delete([name for name in gone if name not in spared], workspace)
    release()


@builtin("clc", family="lang/variables", nargin=(0, 0), nargout=0, needs=("interp",))
def clc(*, interp: Any) -> None:
    """Clear the screen of a terminal.

    Examples:
        >> clc

    See also: clear.
    """
    interp.clear_screen()


def _delete(names: list[str], workspace: Any) -> None:
    for name in names:
        workspace.delete(name)
