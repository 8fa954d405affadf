"""The evaluator: what compiled code and builtins see of a session.

`Evaluator` implements `compiler.host.Host`, and with it the `Interp` protocol of `api`. It holds
the state of one session and joins the parts: look-up, output, workspaces, warnings, errors.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

from runmat_core.accel import caches
from runmat_core.accel.capture.starting import seat_for
from runmat_core.api import errors
from runmat_core.api.errors import MatlabError, StackFrame
from runmat_core.api.interp import Constructors, MatlabFunction, Running, Value, Workspace
from runmat_core.compiler import frames
from runmat_core.compiler.host import FileScope, FunctionCell
from runmat_core.session import faults, recursion, showing
from runmat_core.session.lookup import Lookup, place_of, refusal
from runmat_core.session.output import Capture, Output
from runmat_core.session.workspace import DictWorkspace
from runmat_core.values import ExceptionValue, FunctionHandle, class_of, is_text, text

if TYPE_CHECKING:
    from runmat_core.compiler.compiled import CompiledModule
    from runmat_core.compiler.link import LinkedModule
    from runmat_core.session.config import Config

T = TypeVar("T")

#: Compiled pieces of evaluated text that are kept.
_COMPILED_TEXTS = 256
#: Where code typed at a prompt or given as text stands.
TYPED = FileScope()


class Evaluator:
    """One session's state, as compiled code and builtins reach it."""

    def __init__(self, config: Config, output: Output, cwd: str, path: Sequence[str]) -> None:
        self.config = config
        self.output = output
        self.dialect: str = config["language.dialect"]
        self.variables: dict[str, Value] = {}
        self._globals: dict[str, Value] = {}
        self._base = DictWorkspace(self.variables, self._globals)
        self._compiled: dict[tuple[Any, ...], CompiledModule] = {}
        self._linked: dict[int, LinkedModule] = {}  # by identity of what is in `_compiled`
        self._states: dict[str, Any] = {}
        self._last_error: MatlabError | None = None
        #: how many warnings were issued
        self.warned = 0
        self.lookup = Lookup(self, cwd, path, self.dialect)
        self.seat = seat_for(config, caches.base() or "")

    # -- output -----------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        self.output.write(text)

    def write_error(self, text: str) -> None:
        self.output.write_error(text)

    def flush(self) -> None:
        self.output.flush()

    def capture(self) -> Capture:
        return self.output.capture()

    def display(self, name: str, value: Value) -> None:
        showing.display(self, name, value)

    def clear_screen(self) -> None:
        if sys.stdout is not None and sys.stdout.isatty():
            self.write("\x1b[H\x1b[2J")

    def read_line(self, prompt: str) -> str:
        self.write(prompt)
        self.flush()
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            raise MatlabError("MATLAB:input:EndOfFile", "There is no more input to read.")
        return line.rstrip("\n")

    # -- calls ------------------------------------------------------------------------------------

    def call(self, function: Value, args: Sequence[Value], nargout: int = 1) -> Any:
        fn = getattr(function, "fn", None)
        if fn is None:
            fn = self._named(function)
        with recursion.Callback():
            return fn(nargout, *args)

    def to_matlab(self, value: object) -> Value:
        from runmat_core.session.convert import to_matlab

        return to_matlab(value)

    def to_python(self, value: Value) -> Any:
        from runmat_core.session.convert import to_python

        return to_python(value)

    refusal = staticmethod(refusal)

    def callbacks(self) -> recursion.Callback:
        return recursion.Callback()

    def constructors(self) -> Constructors:
        return self.lookup.classes.structured

    def find_class(self, name: str) -> Any:
        return self.lookup.classes.find_class(name)

    def _named(self, function: Value) -> MatlabFunction:
        if not is_text(function):
            raise MatlabError(
                "MATLAB:feval:argMustBeStringOrHandle",
                "Argument must contain a valid function name or function handle, not a value of "
                f"type '{class_of(function)}'.",
            )
        name = text(function).removeprefix("@")
        found = self.function(name)
        if found is None:
            raise errors.undefined(name)
        return found

    def function(self, name: str) -> MatlabFunction | None:
        return self.lookup.find(name, self._scope())

    def builtin(self, name: str) -> MatlabFunction | None:
        return self.lookup.builtin(name)

    def cell(self, name: str, scope: FileScope) -> FunctionCell:
        return self.lookup.cell(name, scope)

    def handle(self, name: str) -> Value:
        return self.handle_in(name, self._scope())

    def handle_in(self, name: str, scope: FileScope) -> Value:
        fn = self.lookup.of_handle(name, scope)
        if fn is None:
            cell = self.cell(name, scope)

            def fn(nargout: int, *args: Value) -> Any:
                return cell.fn(nargout, *args)

        info = getattr(fn, "__matlab__", None)
        return FunctionHandle(fn, name, file=info.file if info is not None else "")

    def evaluate(self, code: str, workspace: Workspace, nargout: int = 0) -> Any:
        with recursion.Callback():
            return self._evaluate(code, workspace, nargout, self._scope())

    def _evaluate(
        self, code: str, workspace: Workspace, nargout: int, scope: FileScope, keep: bool = False
    ) -> Any:
        from runmat_core.compiler.link import link

        compiled = self._compile(code, bool(nargout), workspace, keep)
        linked = self._linked.get(id(compiled)) if scope is TYPED else None
        if linked is None:
            linked = link(compiled, self, scope)
            linked.namespace["_source"] = code
            # text that is given again and again is linked once, as files are; not where it has
            # functions, whose persistent variables begin anew
            if scope is TYPED and not compiled.functions:
                self._linked[id(compiled)] = linked
        with workspace.namespace() as variables:
            if nargout:
                return linked.evaluate(nargout, variables)
            return linked.run(variables)

    def _compile(
        self, code: str, expression: bool, workspace: Workspace, keep: bool
    ) -> CompiledModule:
        """Compile text; what was compiled lately stays in memory, for ``eval`` in loops.

        The disk cache is for the first text of a session (`keep`): it is likely a whole program,
        as of ``runmat -e``, and the next ones are lines typed at a prompt.
        """
        variables, shared = frozenset(workspace.names()), workspace.global_names
        key = (code, expression, variables, shared)
        compiled = self._compiled.get(key)
        if compiled is None:
            from runmat_core.compiler import compile_source

            compiled = compile_source(
                code,
                dialect=self.dialect,
                kind="expression" if expression else "script",
                variables=variables,
                global_names=shared,
                keep=keep,
            )
            if len(self._compiled) >= _COMPILED_TEXTS:
                self._compiled.clear()
                self._linked.clear()
            self._compiled[key] = compiled
        return compiled

    def run_text(self, code: str) -> None:
        """Run statements in the base workspace."""
        self.lookup.refresh()
        self._evaluate(code, self._base, 0, TYPED, keep=not self.variables)

    def evaluate_text(self, expression: str, nargout: int) -> Any:
        """Return the value of an expression in the base workspace."""
        self.lookup.refresh()
        return self._evaluate(expression, self._base, max(nargout, 1), TYPED)

    def run_program(self, path: str, args: Sequence[Value]) -> None:
        """Run a script in the base workspace, or call a function; ``argv`` gives the arguments."""
        self.lookup.refresh()
        file, folder = place_of(self.lookup.cwd, path)
        linked = self.lookup.loader.linked(file, self._base.global_names)
        if folder != self.lookup.cwd and folder not in self.lookup.path:
            self.lookup.path = [folder, *self.lookup.path]
        self.state("argv", list)[:] = args
        if linked.main is not None:
            linked.main(0, *args)
            return
        linked.run(self.variables)

    def run_script(self, file: str, workspace: Workspace) -> None:
        linked = self.lookup.loader.linked(file, workspace.global_names)
        before = self.lookup.cwd
        self.lookup.cwd = os.path.dirname(file)
        try:
            if linked.main is not None:
                linked.main(0)
                return
            with workspace.namespace() as variables:
                linked.run(variables)
        finally:
            self.lookup.cwd = before

    def run_in_caller(self, file: str) -> None:
        """Run a script in the workspace of the code that calls it."""
        workspace = self.workspace()
        linked = self.lookup.loader.linked(file, workspace.global_names)
        with workspace.namespace() as variables:
            linked.run(variables)

    # -- workspaces -------------------------------------------------------------------------------

    def workspace(self) -> Workspace:
        return self._workspace_of(self._frame())

    def caller(self) -> Workspace:
        frame = self._function_frame()
        return self._workspace_of(None if frame is None else self._frame(frame.f_back))

    def base(self) -> Workspace:
        return self._base

    def empty_workspace(self) -> Workspace:
        return DictWorkspace({}, self._globals)

    def globals(self) -> dict[str, Value]:
        return self._globals

    def declare_global(self, name: str) -> bool:
        if name in self._globals:
            return False
        from runmat_core.values.cell import empty_double

        self._globals[name] = empty_double()
        return True

    def frame_variable(self, name: str) -> Value | None:
        """Return the variable `name` of the running code, though its text does not declare it."""
        return self.workspace().get(name)

    def _workspace_of(self, frame: FrameType | None) -> Workspace:
        return self._base if frame is None else frames.frame_workspace(frame)

    def _frame(self, frame: FrameType | None = None) -> FrameType | None:
        """Return the innermost frame of .m code of this session, from `frame` outwards."""
        frame = frame or sys._getframe(1)
        while frame is not None:
            names = frame.f_globals
            if names.get("_s") is self and frame.f_code.co_name in names["_infos"]:
                return frame
            frame = frame.f_back
        return None

    def _scope(self) -> FileScope:
        """Return the scope of the running code."""
        frame = self._frame()
        if frame is None:
            return TYPED
        scope: FileScope = frame.f_globals["_scope"]
        return scope

    # -- the running function ---------------------------------------------------------------------

    def running(self) -> Running | None:
        frame = self._function_frame()
        info = None if frame is None else frames.frame_info(frame)
        if frame is None or info is None:
            return None
        return Running(
            name=info.name,
            file=info.file,
            kind=info.kind,
            nargin=int(frames.frame_nargin(frame)),
            nargout=int(frames.frame_nargout(frame)),
        )

    def _function_frame(self) -> FrameType | None:
        """Return the frame of the innermost function; scripts and evaluated code run inside it."""
        frame = self._frame()
        while frame is not None:
            info = frames.frame_info(frame)
            if info is not None and info.kind not in ("script", "expression"):
                return frame
            frame = self._frame(frame.f_back)
        return None

    def running_file(self) -> str:
        frame = self._frame()
        while frame is not None:
            info = frames.frame_info(frame)
            if info is not None and info.file:
                return info.file
            frame = self._frame(frame.f_back)
        return ""

    def local_functions(self) -> dict[str, MatlabFunction]:
        return self.lookup.loader.local_functions(self.running_file())

    def argument_text(self, level: int = 0) -> tuple[str | None, ...]:
        from runmat_core.session.callsite import argument_names

        frame = self._function_frame() if level else self._frame()
        if level and (shown := showing.name_shown_by(frame)):
            return shown
        if level and frame is not None:
            frame = self._frame(frame.f_back)
        return argument_names(frame) if frame is not None else ()

    def stack(self) -> tuple[StackFrame, ...]:
        return faults.current_stack(sys._getframe(1))

    # -- errors and warnings ----------------------------------------------------------------------

    def caught(self, exception: Exception) -> Value:
        error = self._last_error = self.error_of(exception)
        return ExceptionValue(error)

    def error_of(self, exception: Exception) -> MatlabError:
        # NumPy's own subclass refuses one array that is too large; the process has memory left
        if type(exception) is MemoryError:
            raise exception
        return faults.matlab_error(exception)

    def note_error(self, exception: BaseException) -> MatlabError:
        """Return the MATLAB error for an exception that nothing caught, as the last one."""
        error = self._last_error = faults.matlab_error(exception)
        faults.add_suggestion(error, self._base.names())
        return error

    def last_error(self) -> MatlabError | None:
        return self._last_error

    def set_last_error(self, error: MatlabError | None) -> None:
        self._last_error = error

    def warn(self, identifier: str, message: str) -> None:
        self.warned += 1
        from runmat_core.builtins.lang.warnings import issue

        issue(self, identifier, message)

    # -- folders, state ---------------------------------------------------------------------------

    def current_directory(self) -> str:
        return self.lookup.cwd

    def change_directory(self, path: str) -> None:
        folder = os.path.normpath(os.path.join(self.lookup.cwd, path))
        if not os.path.isdir(folder):
            raise MatlabError(
                "MATLAB:cd:NonExistentFolder",
                f"Unable to change current folder to '{path}' (Name is nonexistent or not a "
                "folder).",
            )
        self.lookup.cwd = folder

    def search_path(self) -> list[str]:
        return self.lookup.path

    def set_search_path(self, folders: Sequence[str]) -> None:
        self.lookup.path = list(folders)

    def find_file(self, name: str) -> str | None:
        return self.lookup.file(name, self._scope())

    def find_files(self, name: str) -> list[str]:
        return self.lookup.files(name)

    def rehash(self) -> None:
        self.lookup.rehash()

    def forget_functions(self, names: Sequence[str] | None = None) -> None:
        self.lookup.forget_functions(names)

    def state(self, key: str, factory: Callable[[], T]) -> T:
        if key not in self._states:
            self._states[key] = factory()
        value: T = self._states[key]
        return value

    def setting(self, key: str) -> Any:
        return self.config[key]
