"""Protocols through which builtins reach the evaluator.

`builtins` sits below `session` in the layers, so it sees the running session through these alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from runmat_core.api.errors import MatlabError, StackFrame
from runmat_core.api.tuples import NamedTuple

T = TypeVar("T")

#: A MATLAB value: a float, bool, Complex or a class of `runmat_core.values`.
Value = Any

#: Where the dict of a workspace has the set of variables that are declared global in it: no name.
GLOBAL_NAMES = "(global names)"

#: ``fn(nargout, *args)``: up to one output returns the bare value, more a tuple, none None.
MatlabFunction = Callable[..., Any]


class Workspace(Protocol):
    """The variables of one scope."""

    def get(self, name: str) -> Value | None: ...

    def set(self, name: str, value: Value) -> None: ...

    def delete(self, name: str) -> None: ...

    def names(self) -> Sequence[str]: ...

    @property
    def global_names(self) -> frozenset[str]:
        """The variables declared global here."""

    def namespace(self) -> AbstractContextManager[dict[str, Value]]:
        """Return a plain dict for code that runs in this workspace.

        What it changes is written back.
        """

    def __contains__(self, name: object) -> bool: ...

    def __iter__(self) -> Iterator[str]: ...


class Running(NamedTuple):
    """A .m function that is running.

    Attributes:
        name: as in reports (``outer/inner``).
        file: the .m file; empty for code typed or evaluated.
        kind: ``function``, ``nested`` or ``anonymous``.
        nargin: how many inputs it was given.
        nargout: how many outputs it was asked for.
    """

    name: str
    file: str
    kind: str
    nargin: int
    nargout: int


class Output(Protocol):
    """Where the text of a session goes.

    Attributes:
        copy: is given all visible text too, while somebody keeps a record; None otherwise.
    """

    copy: Callable[[str], object] | None


class Constructors(Protocol):
    """What constructors of classes without classdef ask for."""

    def made(self, contents: dict[str, Value], name: str, parents: Sequence[Value]) -> Value:
        """Return the object that ``class(s, name, parents…)`` makes of the fields of `s`."""

    def rank(self, others: Sequence[str], *, above: bool) -> None:
        """Rank the class whose constructor runs above or below `others`, for calls with both."""


class Interp(Protocol):
    """The running session, as builtins see it."""

    @property
    def output(self) -> Output:
        """Where the text of the session goes."""

    def write(self, text: str) -> None:
        """Append `text` to the session's output."""

    def write_error(self, text: str) -> None:
        """Append `text` to the session's error output (warnings, reports)."""

    def warn(self, identifier: str, message: str) -> None:
        """Issue a warning unless its identifier is off; raises where its state is "error"."""

    def call(self, function: Value, args: Sequence[Value], nargout: int = 1) -> Any:
        """Call a function handle, or the function that a char or string names."""

    def to_matlab(self, value: object) -> Value:
        """Return the MATLAB value of a Python object: an array, number, text, dict or list."""

    def to_python(self, value: Value) -> Any:
        """Return the Python object of a MATLAB value: a float, ``str``, array, or dict."""

    def callbacks(self) -> AbstractContextManager[object]:
        """Return a context for a builtin that calls functions itself, without `call`.

        Its own frames do not count towards the recursion limit then.
        """

    def refusal(self, function: MatlabFunction) -> str:
        """Return why `function` must not run ahead of its turn, empty if nobody would notice.

        The reasons are that it shows something, keeps state, changes what others see, or is not
        known well enough.
        """

    def error_of(self, exception: Exception) -> MatlabError:
        """Return the MATLAB error that an exception stands for, which a call raised.

        Without traceback.
        """

    def function(self, name: str) -> MatlabFunction | None:
        """Return what `name` resolves to as a function from the caller's scope, or None."""

    def handle(self, name: str) -> Value:
        """Return the function handle ``@name``."""

    def evaluate(self, code: str, workspace: Workspace, nargout: int = 0) -> Any:
        """Run MATLAB source in `workspace`; with nargout > 0 it is an expression."""

    def workspace(self) -> Workspace:
        """Return the workspace of the running .m function or script.

        A builtin that needs ``workspace`` gets this one.
        """

    def argument_text(self, level: int = 0) -> tuple[str | None, ...]:
        """Return the variable names that the arguments of a running call were written as.

        Expressions have None, and there are no names at all if the source is not known.

        At level 0 that is the call of the builtin (what one that needs ``argument_text`` is given),
        at level 1 the call of the .m function that called the builtin.
        """

    def caller(self) -> Workspace:
        """Return the workspace of the function that called the running .m function (``evalin``)."""

    def base(self) -> Workspace:
        """Return the session's base workspace."""

    def empty_workspace(self) -> Workspace:
        """Return a workspace of its own, without variables."""

    def globals(self) -> dict[str, Value]:
        """Return the variables declared ``global`` anywhere."""

    def stack(self) -> tuple[StackFrame, ...]:
        """Return the MATLAB call stack, innermost frame first."""

    def capture(self) -> AbstractContextManager[Callable[[], str]]:
        """Redirect output; the callable it yields returns what was written (``evalc``)."""

    def display(self, name: str, value: Value) -> None:
        """Print ``name = value`` as an unterminated statement does."""

    def state(self, key: str, factory: Callable[[], T]) -> T:
        """Return the per-session object kept under `key`, made by `factory` on first use."""

    def setting(self, key: str) -> Any:
        """Return the value of a configuration key such as ``language.rng``."""

    def last_error(self) -> MatlabError | None:
        """Return the most recent error caught or reported in this session (``lasterr``)."""

    def set_last_error(self, error: MatlabError | None) -> None:
        """Make `error` the last one; None forgets it."""

    def current_directory(self) -> str: ...

    def change_directory(self, path: str) -> None:
        """Change the session's folder; function look-up follows."""

    def search_path(self) -> list[str]:
        """Return the folders of the MATLAB path, first match wins."""

    def set_search_path(self, folders: Sequence[str]) -> None: ...

    def find_file(self, name: str) -> str | None:
        """Return the .m file that `name` resolves to, or None."""

    def find_files(self, name: str) -> list[str]:
        """Every .m file of that name on the path, first match first."""

    def builtin(self, name: str) -> MatlabFunction | None:
        """Return the builtin called `name`, whatever shadows it."""

    def find_class(self, name: str) -> Any:
        """Return what is known of a class that a program defines, or may inherit from.

        See `values.objects.info`. Return None if there is no such class.

        See `values.objects.info`. Return None if there is no such class.
        """

    def constructors(self) -> Constructors:
        """Return what constructors of classes without classdef ask for."""

    def running(self) -> Running | None:
        """Return the .m function that is running, or None in a script or at the prompt."""

    def running_file(self) -> str:
        """Return the .m file that is running, empty at the prompt."""

    def local_functions(self) -> dict[str, MatlabFunction]:
        """Return the functions of the file that is running, but for its main function."""

    def run_script(self, file: str, workspace: Workspace) -> None:
        """Run a script in `workspace`, with the script's folder as the current one."""

    def clear_screen(self) -> None:
        """Clear the terminal, where output goes to one."""

    def rehash(self) -> None:
        """Look again at the folders of the path and at changed files."""

    def forget_functions(self, names: Sequence[str] | None = None) -> None:
        """``clear functions``: read files again, with persistent variables unset."""

    def flush(self) -> None:
        """Make everything written visible."""

    def read_line(self, prompt: str) -> str:
        """Return a line of the user's input; an error where there is none."""
