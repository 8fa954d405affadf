"""`Session`: MATLAB-syntax code from Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from runmat_core.accel import caches
from runmat_core.accel.capture.starting import seat_for
from runmat_core.accel.context import NEVER, running
from runmat_core.accel.devices.orphans import ORPHANS, close_orphans
from runmat_core.api import errors, threads
from runmat_core.api.errors import MatlabError
from runmat_core.session import config as configuration
from runmat_core.session.evaluator import Evaluator
from runmat_core.session.memory import keep_freed
from runmat_core.session.output import Output, OutputLost, Sink
from runmat_core.session.recursion import Limit
from runmat_core.values.hooks import HOOKS
from runmat_core.values.notices import warnings_to
from runmat_core.values.struct import UNDERSCORES

if TYPE_CHECKING:
    from runmat_core.accel.report.telemetry import Telemetry
    from runmat_core.builtins.testing.values import Result


class Session:
    """A MATLAB session: variables, functions, a path and a current folder of its own.

    Sessions are independent of each other. A session may be used from any thread, by one at a time.

    Examples:
        >>> s = Session()
        >>> s.run("x = magic(4); y = sum(x(:));")
        >>> s["y"]
        136.0

    Args:
        dialect: ``matlab`` or ``octave``; the configuration's by default.
        path: folders to look for functions in, after the current one.
        cwd: the current folder, Python's by default. Changing it does not change Python's.
        stdout: where output goes: a text stream, a function of text, or by default
            ``sys.stdout`` as it is at the time.
        stderr: the same for warnings.
        config: settings to use instead of those that hold in `cwd`.
        provider: the acceleration provider, as for the method of that name.

    Raises:
        MatlabError: from every method that runs code, with ``identifier``, ``message`` and
            ``stack``.
    """

    def __init__(
        self,
        dialect: Literal["matlab", "octave"] | None = None,
        path: Sequence[str | os.PathLike[str]] = (),
        cwd: str | os.PathLike[str] | None = None,
        stdout: Sink = None,
        stderr: Sink = None,
        config: configuration.Config | None = None,
        provider: str | None = None,
    ) -> None:
        keep_freed()
        folder = os.path.abspath(_current_folder() if cwd is None else cwd)
        settings = configuration.load(folder) if config is None else config
        if dialect is not None:
            settings = settings.replace(language__dialect=dialect)
        if provider is not None:
            settings = with_provider(settings, provider, {})
        if settings.given():
            check(settings)
        self.config = settings
        folders = [os.path.normpath(os.path.join(folder, entry)) for entry in path]
        self.interp = Evaluator(settings, Output(stdout, stderr), folder, folders)
        self._telemetry: Telemetry | None = None

    # -- running ----------------------------------------------------------------------------------

    def run(self, code: str) -> None:
        """Run statements in the base workspace."""
        interp = self.interp
        self._guarded(lambda: interp.run_text(code))

    def run_file(self, path: str | os.PathLike[str], args: Sequence[Any] = ()) -> None:
        """Run a script in the base workspace, or call a function file with `args`.

        The builtin ``argv`` gives `args` as a cell; a function gets one input for each. The folder
        of the file is searched for functions while this session lasts.
        """
        from runmat_core.session.convert import to_matlab

        values = [to_matlab(arg) for arg in args]
        self._guarded(lambda: self.interp.run_program(os.fspath(path), values))

    def eval(self, expression: str, nargout: int = 1) -> Any:
        """Return the value of an expression as a Python object.

        A tuple when `nargout` is above one.
        """
        interp = self.interp
        return self._guarded(lambda: _converted(interp.evaluate_text(expression, nargout), nargout))

    def capture(self, code: str) -> str:
        """Run statements and return what they print; warnings go the same way."""
        with self.interp.capture() as text:
            self.run(code)
            return text()

    def capture_file(self, path: str | os.PathLike[str], args: Sequence[Any] = ()) -> str:
        """Run a file as `run_file` does and return what it prints."""
        with self.interp.capture() as text:
            self.run_file(path, args)
            return text()

    def run_tests(
        self,
        paths: Sequence[str | os.PathLike[str]] = (".",),
        names: Sequence[str] = (),
        tags: Sequence[str] = (),
    ) -> list[Result]:
        """Run the tests of files and of folders, those below included, and return the results.

        Progress, failures and a summary are printed.

        Args:
            names: only tests of these names; ``*`` stands for any text.
            tags: only tests with one of these tags.
        """
        from runmat_core.builtins.testing.below import run_below

        places = [os.fspath(path) for path in paths]
        found: list[Result] = self._guarded(lambda: run_below(self.interp, places, names, tags))
        return found

    def function(self, name: str) -> Callable[..., Any]:
        """Return a MATLAB function as a Python callable ``f(*args, nargout=1)``.

        Arguments and results are converted as `convert` documents; keyword arguments are passed as
        name-value pairs.

        Raises:
            MatlabError: there is no function of that name.
        """
        interp = self.interp
        if interp.function(name) is None:
            raise errors.undefined(name)
        return self._python_callable(lambda: interp.function(name), name)

    def callable_for(self, handle: Any) -> Callable[..., Any]:
        """Return a function handle as a Python callable.

        Giving it back yields the handle itself.
        """
        function = self._python_callable(lambda: handle.fn, handle.source)
        function.__matlab_handle__ = handle  # type: ignore[attr-defined]
        return function

    def _python_callable(self, find: Callable[[], Any], name: str) -> Callable[..., Any]:
        from runmat_core.session.convert import to_matlab

        def function(*args: Any, nargout: int = 1, **options: Any) -> Any:
            inputs = [to_matlab(arg) for arg in args]
            for option, value in options.items():
                inputs += [to_matlab(option), to_matlab(value)]
            target = find()
            if target is None:
                raise errors.undefined(name)
            return self._guarded(lambda: _converted(target(nargout, *inputs), nargout))

        function.__name__ = function.__qualname__ = name
        return function

    @property
    def telemetry(self) -> Telemetry | None:
        """What acceleration did since this was first asked for (``docs/telemetry.md``).

        None where acceleration is off (``accel.provider`` is none).
        """
        seat = self.interp.seat
        if self._telemetry is None and seat is not None:
            from runmat_core.accel.graph.written import written_at
            from runmat_core.accel.report.telemetry import Telemetry

            self._telemetry = Telemetry(seat.engine, written_at)
        return self._telemetry

    def provider(self, name: str, **options: Any) -> None:
        """Use another acceleration provider from now on; values stay as they are.

        Args:
            name: of an installed provider, ``auto`` for the best one, or ``none``.
            options: keys of its section ``[accel.NAME]`` of the configuration.

        Raises:
            MatlabError: no package offers it, or it has no such option. One that finds no device
                here gives a warning with the reason when it is first needed.
        """
        interp = self.interp
        settings = with_provider(self.config, name, options)
        check(settings)
        fresh = seat_for(settings, caches.base() or "")
        seat = interp.seat
        if seat is None or not seat.made:
            interp.seat = fresh
        else:
            # what is pending and what is resident belongs to the engine that there is
            self._guarded(lambda: seat.engine.use(settings))
            seat.threshold = NEVER if fresh is None else fresh.threshold
        self.config = interp.config = settings

    def close(self) -> None:
        """Give back what the session holds on devices; what is pending is computed on the host.

        Of a session that is dropped, and whose arrays nobody has, this is done when another one
        runs something or starts a provider.
        """
        seat = self.interp.seat
        if seat is not None and seat.made:
            seat.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _guarded(self, action: Callable[[], Any]) -> Any:
        """Run `action` under the recursion limit; what escapes is a MATLAB error with its stack.

        MATLAB's arithmetic has no exceptions, so NumPy's notices of them are off.
        Nothing keeps the frames that were left, so cleanup objects run before this returns.
        """
        interp = self.interp
        seat = interp.seat
        if seat is not None:
            seat.begun += 1
        error: BaseException
        fields = UNDERSCORES.set(interp.dialect == "octave")
        HOOKS.programs += 1
        try:
            try:
                levels = interp.config["language.recursion_limit"]
                with (
                    Limit(levels),
                    warnings_to(interp.warn),
                    running(interp.seat),
                    np.errstate(all="ignore"),
                    threads.program(),
                ):
                    return action()
            finally:
                UNDERSCORES.reset(fields)
                HOOKS.programs -= 1
                interp.flush()
                if ORPHANS:
                    close_orphans()
        except OutputLost as lost:
            error = lost.problem.with_traceback(None)
        except Exception as exception:
            error = interp.note_error(exception)
        except (KeyboardInterrupt, SystemExit) as stop:
            error = stop.with_traceback(None)
        if seat is not None and seat.made:
            seat.engine.unlearn(seat.begun)
        raise error

    # -- variables --------------------------------------------------------------------------------

    @property
    def figures(self) -> list[Any]:
        """The figures that are open, the current one first; notebooks show them.

        There are none where no installed package draws.
        """
        offered = self.interp.builtin("graphics.figures")
        found = None if offered is None else self.interp.to_python(offered(1))
        if found is None:
            return []
        return list(found.ravel()) if isinstance(found, np.ndarray) else [found]

    @property
    def workspace(self) -> Workspace:
        """The base workspace as a mapping of names to Python objects."""
        return Workspace(self)

    def __getitem__(self, name: str) -> Any:
        """Return the variable `name` as a Python object.

        Arrays come as read-only views, not copies.
        """
        value = self.interp.base().get(name)
        if value is None:
            raise KeyError(name)
        from runmat_core.session.convert import to_python

        # what is pending is computed now, and may warn or fail as any code may
        return self._guarded(lambda: to_python(value, self))

    def __setitem__(self, name: str, value: Any) -> None:
        """Set a variable. A column-major array is not copied: do not write to it afterwards."""
        from runmat_core.session.convert import to_matlab

        if not is_variable_name(name):
            raise MatlabError("MATLAB:assigninInvalidVariable", f'Invalid variable name "{name}".')
        self.interp.base().set(name, to_matlab(value))

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self.interp.base().delete(name)

    def __contains__(self, name: object) -> bool:
        return name in self.interp.base()

    # -- errors -----------------------------------------------------------------------------------

    def report(self, error: MatlabError) -> str:
        """MATLAB's report of an error, with each caller's source line."""
        from runmat_core.values.error_report import format_report

        return format_report(error)


class Workspace:
    """The base workspace of a session, as a mapping."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __getitem__(self, name: str) -> Any:
        return self._session[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._session[name] = value

    def __delitem__(self, name: str) -> None:
        del self._session[name]

    def __contains__(self, name: object) -> bool:
        return name in self._session

    def __iter__(self) -> Iterator[str]:
        return iter(self._session.interp.base().names())

    def __len__(self) -> int:
        return len(self._session.interp.base().names())

    def keys(self) -> list[str]:
        return list(self)

    def clear(self) -> None:
        for name in list(self):
            del self[name]


def check(settings: configuration.Config) -> None:
    """Raise what is wrong with what settings say of providers."""
    from runmat_core.accel.devices.checks import check

    check(settings)


def with_provider(
    settings: configuration.Config, name: str, options: Mapping[str, Any]
) -> configuration.Config:
    """Return the settings with another provider and some of its options.

    Raises:
        MatlabError: no package offers it.
    """
    if name not in ("auto", "none"):
        from runmat_core.accel.devices.providers import find

        find(name)
    own = {f"accel__{name}__{key}": value for key, value in options.items()}
    return settings.replace(accel__provider=name, **own)


def is_variable_name(name: str) -> bool:
    """Whether MATLAB takes `name` for a variable (see ``isvarname``)."""
    from runmat_core.builtins.lang.names import is_variable_name as is_name

    return is_name(name)


def _converted(result: Any, nargout: int) -> Any:
    from runmat_core.session.convert import to_python

    if nargout > 1:
        return tuple(to_python(value) for value in result)
    return None if result is None or nargout == 0 else to_python(result)


def _current_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise MatlabError(
            "MATLAB:cd:NonExistentFolder",
            "The current folder does not exist any more.",
            hint="Go to one that exists, or name it: Session(cwd=...).",
        ) from None
