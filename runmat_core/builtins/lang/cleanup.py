"""Cleanup objects: code that runs when the last reference to them goes."""

from __future__ import annotations

from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.values.object import HandleObject, method


class _Task:
    """What is to be done, once."""

    __slots__ = ("action", "interp", "pending")

    def __init__(self, action: Any, interp: Any) -> None:
        self.action = action
        self.interp = interp
        self.pending = True

    def run(self) -> None:
        if not self.pending:
            return
        self.pending = False
        try:
            self.interp.call(self.action, (), 0)
        except MatlabError as error:
            self._warn(error.message)
        except Exception as exception:
            self._warn(self.interp.error_of(exception).message)

    def _warn(self, message: str) -> None:
        self.interp.warn(
            "MATLAB:onCleanup:taskFailed",
            f"The following error was caught while executing 'onCleanup' class destructor:\n"
            f"{message}",
        )

    def __del__(self) -> None:
        self.run()


class OnCleanup(HandleObject):
    """The value of ``onCleanup(f)``; the variables that hold it share one task."""

    __slots__ = ()
    class_name = "onCleanup"
    properties = ("task",)

    def __init__(self, task: _Task) -> None:
        self.data = task

    def get_property(self, name: str) -> Any:
        return self.data.action

    @method("delete")
    def delete(self, nargout: int = 0) -> None:
        """Do the task now."""
        self.data.run()

    @method("cancel")
    def cancel(self, nargout: int = 0) -> None:
        """Do nothing when the object goes."""
        self.data.pending = False


@builtin("onCleanup", family="lang/cleanup", needs=("interp",))
def onCleanup(task: Any, *, interp: Any) -> Any:
    """Call a function when a variable goes out of scope.

    C = onCleanup(F) calls the handle F, without inputs, when C is cleared or overwritten, or when
    the function that holds it is left in whatever way. An error in F becomes a warning.

    Examples:
        >> c = onCleanup(@() disp('bye'));
        >> clear c
        bye

    See also: try, clear.
    """
    if v.class_of(task) != "function_handle" or not v.numel_of(task):
        raise MatlabError(
            "MATLAB:onCleanup:invalidInput", "The input to onCleanup must be a function handle."
        )
    return OnCleanup(_Task(task, interp))
