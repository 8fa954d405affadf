"""MException values."""

from __future__ import annotations

from typing import Any, NoReturn

from runmat_core.api.errors import MatlabError, StackFrame
from runmat_core.values.base import class_of
from runmat_core.values.cell import CellArray, empty_double, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.error_report import format_report
from runmat_core.values.object import ObjectValue, method
from runmat_core.values.struct import StructArray, struct_array


class ExceptionValue(ObjectValue):
    """What ``catch ME`` binds: an error as a value.

    Attributes:
        data: the error; it holds names, lines and text, no traceback, so keeping the value keeps
            no frames alive.
    """

    __slots__ = ()
    class_name = "MException"
    properties = ("identifier", "message", "cause", "stack", "Correction")

    def __init__(self, error: MatlabError) -> None:
        self.data = error

    @property
    def error(self) -> MatlabError:
        error: MatlabError = self.data
        return error

    def get_property(self, name: str) -> Any:
        error = self.error
        if name == "identifier":
            return CharArray(error.identifier)
        if name == "message":
            return CharArray(error.message)
        if name == "stack":
            return stack_value(error.stack)
        if name == "cause":
            causes = [ExceptionValue(cause) for cause in error.causes]
            return CellArray(object_array(causes, (len(causes), 1 if causes else 0)))
        return CharArray(error.hint) if error.hint else empty_double()

    @method("throw")
    def throw(self, nargout: int = 0) -> NoReturn:
        """Raise it; its stack begins here."""
        raise self.error.copy(stack=(), raised_by="throw")

    @method("rethrow")
    def rethrow(self, nargout: int = 0) -> NoReturn:
        """Raise it with the stack that it has."""
        raise self.error.copy()

    @method("throwAsCaller")
    def throw_as_caller(self, nargout: int = 0) -> NoReturn:
        """Raise it as if the caller of the running function did."""
        raise self.error.copy(stack=(), raised_by="throwAsCaller")

    @method("getReport")
    def get_report(self, nargout: int = 1, *options: Any) -> CharArray:
        """Return the text that it prints when nothing catches it.

        ``basic`` leaves the calls out.
        """
        words = [option.text().lower() for option in options if isinstance(option, CharArray)]
        return CharArray(format_report(self.error, extended="basic" not in words))

    @method("addCorrection")
    def add_correction(self, nargout: int, correction: Any) -> ExceptionValue:
        """Return a copy with a suggestion of how to mend it."""
        if not isinstance(correction, CharArray):
            raise MatlabError(
                "MATLAB:MException:InvalidCorrection", "A correction must be a character vector."
            )
        return ExceptionValue(self.error.copy(hint=correction.text()))

    @method("addCause")
    def add_cause(self, nargout: int, cause: Any) -> ExceptionValue:
        """Return a copy with one more cause."""
        if not isinstance(cause, ExceptionValue):
            raise MatlabError(
                "MATLAB:MException:InvalidCause",
                f"Cause must be an MException, not a value of class '{class_of(cause)}'.",
            )
        return ExceptionValue(self.error.copy(causes=(*self.error.causes, cause.error)))

    def __repr__(self) -> str:
        return f"ExceptionValue({self.error.identifier!r}, {self.error.message!r})"


def stack_value(stack: tuple[StackFrame, ...]) -> StructArray:
    """Return a call stack as the column struct array with fields file, name and line."""
    records = [
        {
            "file": CharArray(frame.file),
            "name": CharArray(frame.name),
            "line": float(frame.line),
        }
        for frame in stack
    ]
    return struct_array(records, (len(records), 1), ("file", "name", "line"))
