"""What generated code and the session agree on.

The session implements `Host`; the compiler calls nothing else of it. In the other direction the
session uses these entry points of the compiler (each in the module named):

- ``compile_source(source, filename, dialect, *, kind, variables, global_names)`` gives a
  `CompiledModule`, through the disk cache (`runmat_core.compiler`).
- ``link(compiled, host, scope)`` gives a `LinkedModule` (`compiler.link`). Its attributes:
  ``functions`` (name to function, the file's own, in order), ``main`` (the first function of a
  function file, else None), ``run(workspace)`` for a script over a plain dict, and
  ``evaluate(nargout, workspace)`` for ``kind="expression"``.
- ``frames.frame_info(frame)`` gives the `FunctionInfo` of a Python frame that runs .m code, or
  None; ``frames.frame_workspace(frame)`` its variables as a `Workspace` (with ``namespace()``, a
  context manager yielding a plain dict that is written back, for scripts and ``evalin``);
  ``frames.frame_nargin(frame)`` and ``frames.frame_nargout(frame)`` the argument counts as
  floats; ``frames.translate(exc)`` the `MatlabError` that a Python exception stands for when its
  innermost frame is .m code (undefined variables, missing inputs, recursion), else None;
  ``frames.matlab_frames(frame)`` iterates the frames of .m code outwards from `frame`.

Every MATLAB function object carries its `FunctionInfo` as ``fn.__matlab__``; builtins have none.
In a workspace dict, `GLOBAL_NAMES` belongs to the runtime: hide it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal, Protocol

from runmat_core.api.interp import Interp, MatlabFunction, Value
from runmat_core.api.tuples import NamedTuple

#: What the Python name of a MATLAB name begins with where Python or generated code has the other.
RENAMED = "_v_"

FunctionKind = Literal["function", "nested", "anonymous", "script", "expression"]

#: Builtins without arguments whose value never changes: a cell keeps it in `constant`.
CONSTANTS = frozenset({"true", "false", "pi", "Inf", "inf", "NaN", "nan", "eps", "i", "j"})


def mangle(name: str) -> str:
    """Return the Python name of a MATLAB variable or function.

    Python keeps three names for itself, and generated code those that start with an underscore.
    """
    return RENAMED + name if name[0] == "_" or name in ("None", "True", "False") else name


def debugging() -> bool:
    """Whether ``RUNMAT_DEBUG`` asks for checks in generated code and for Python's tracebacks."""
    return os.environ.get("RUNMAT_DEBUG", "") not in ("", "0")


class FunctionInfo(NamedTuple):
    """What is known of a piece of .m code without running it.

    Attributes:
        name: the name in reports: ``fib``, ``outer/inner``, ``@(x)x+1``; empty for a script.
        file: the .m file, empty for code typed or evaluated.
        kind: what it is.
        line: the line of its ``function`` keyword (one-based).
        inputs: parameter names in order without ``varargin``; None for ``~``.
        outputs: output names in order without ``varargout``.
        varargin: whether the last input is ``varargin`` (or a Repeating arguments block).
        varargout: whether the last output is ``varargout``.
        variables: every variable name that the text declares.
        global_names: the variables that a ``global`` statement declares.
        persistent_names: the variables that a ``persistent`` statement declares.
        inherited: variables of enclosing functions, each with the name of the dict that holds it.
        mangled: MATLAB name and Python name where they differ (``None``, ``True``).
        dynamic: whether its variables are the plain dict ``_w`` (scripts, users of ``eval``).
        key: unique in its file; the ``co_name`` of its code object.
        help: its leading comment.
    """

    name: str
    file: str
    kind: FunctionKind
    line: int
    inputs: tuple[str | None, ...] = ()
    outputs: tuple[str, ...] = ()
    varargin: bool = False
    varargout: bool = False
    variables: tuple[str, ...] = ()
    global_names: tuple[str, ...] = ()
    persistent_names: tuple[str, ...] = ()
    inherited: tuple[tuple[str, str], ...] = ()
    mangled: tuple[tuple[str, str], ...] = ()
    dynamic: bool = False
    key: str = ""
    help: str = ""

    @property
    def nargin(self) -> float:
        """What ``nargin('f')`` gives: negative with varargin."""
        count = len(self.inputs)
        return float(-count - 1 if self.varargin else count)

    @property
    def nargout(self) -> float:
        """What ``nargout('f')`` gives: negative with varargout."""
        count = len(self.outputs)
        return float(-count - 1 if self.varargout else count)


class FileScope:
    """Where a file stands, for looking up the names it uses.

    Scopes that differ in their functions alone are equal.

    Attributes:
        file: absolute path; empty for code typed or evaluated.
        folder: the file's folder (its ``private`` folder is searched first).
        package: the dotted package that the folder's ``+`` names give, or empty.
        imports: the ``import`` lists in force (``pkg.f``, ``pkg.*``).
        functions: local functions visible besides those of the text itself: for evaluated code,
            those of the file that evaluates it.
    """

    __slots__ = ("file", "folder", "functions", "imports", "package")

    def __init__(
        self,
        file: str = "",
        folder: str = "",
        package: str = "",
        imports: tuple[str, ...] = (),
        functions: dict[str, MatlabFunction] | None = None,
    ) -> None:
        self.file = file
        self.folder = folder
        self.package = package
        self.imports = imports
        self.functions = {} if functions is None else functions

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FileScope):
            return NotImplemented
        return (self.file, self.folder, self.package, self.imports) == (
            other.file,
            other.folder,
            other.package,
            other.imports,
        )

    def __hash__(self) -> int:
        return hash((self.file, self.folder, self.package, self.imports))

    def with_imports(self, imports: tuple[str, ...]) -> FileScope:
        if not imports:
            return self
        return FileScope(
            self.file, self.folder, self.package, self.imports + imports, self.functions
        )


class FunctionCell:
    """One external name as one scope sees it: ``cell.fn(nargout, *args)``.

    `fn` starts as a resolver that replaces itself by what the name resolves to, so a call costs one
    attribute read. The session resets its cells when the path, the current folder or a file
    changes, which makes the next call resolve again.

    A dotted name (``pkg.sub.f``) is one cell. Where only a prefix names a function, the rest are
    field reads on its value: see `runtime.with_fields`.
    """

    __slots__ = ("__weakref__", "constant", "fn", "name", "resolve", "scope")

    def __init__(
        self,
        name: str,
        scope: FileScope,
        resolve: Callable[[str, FileScope], MatlabFunction],
    ) -> None:
        """`resolve` raises ``errors.undefined(name)`` when there is no such function."""
        self.name = name
        self.scope = scope
        self.resolve = resolve
        self.reset()

    def reset(self) -> None:
        """Forget what the name resolved to."""
        self.fn: MatlabFunction = self._first
        self.constant: Value | None = None

    def target(self) -> MatlabFunction:
        """Return what the name resolves to now; raises when undefined."""
        if self.fn == self._first:
            self.fn = self.resolve(self.name, self.scope)
            if self.name in CONSTANTS and not hasattr(self.fn, "__matlab__"):
                self.constant = self.fn(1)
        return self.fn

    def means(self, function: MatlabFunction) -> bool:
        """Whether the name still means `function`."""
        if self.fn is function:
            return True
        try:
            return self.target() is function
        except Exception:
            return False  # it means nothing any more

    def _first(self, nargout: int, *args: Value) -> Any:
        return self.target()(nargout, *args)


class Host(Interp, Protocol):
    """The session as generated code sees it."""

    def cell(self, name: str, scope: FileScope) -> FunctionCell:
        """Return the cell of `name` in `scope`; the same object for the same name and scope.

        Order: imports of the scope, private folder, package, class folder, path, builtin. A name
        that is no function is looked for in the side table of the calling frame
        (``frames.frame_workspace(sys._getframe(...))``) before it is an error: scripts and
        ``assignin`` may have made a variable that the text does not declare.
        """

    def caught(self, exc: Exception) -> Value:
        """Return the MException value for an exception that a ``try`` caught.

        Notes it for ``lasterr``.

        Raises `exc` again when MATLAB's ``try`` does not catch it (MemoryError). The value keeps
        no traceback.
        """

    def handle_in(self, name: str, scope: FileScope) -> Value:
        """Return the handle ``@name`` made in `scope`.

        Calling it raises when the name is undefined.
        """

    def declare_global(self, name: str) -> bool:
        """Give the global variable `name` the value ``[]`` unless it exists; whether it did not."""
