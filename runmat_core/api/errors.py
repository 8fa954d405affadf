"""MATLAB errors as Python exceptions.

`MatlabError` is the one exception that reaches users. The functions below it build the errors
that more than one module raises, so that each identifier and text is written once. Texts follow
current MATLAB (R2021 and later).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from runmat_core.api.tuples import NamedTuple


class StackFrame(NamedTuple):
    """One line of a MATLAB call stack: the file, the function or script, and the line."""

    file: str
    name: str
    line: int

    @property
    def label(self) -> str:
        """The function as reports name it: ``file>local``, or the name alone."""
        stem = os.path.basename(self.file).removesuffix(".m")
        parts = self.name.split("/")
        if not stem or stem in (parts[0], parts[-1]):
            return self.name
        return f"{stem}>{self.name}"


Stack = tuple[StackFrame, ...]


class MatlabError(Exception):
    """An error with MATLAB's identifier.

    Attributes:
        identifier: such as ``MATLAB:badsubscript``; empty where MATLAB gives none.
        message: the text without the report around it.
        stack: innermost frame first; filled when the error leaves the frame that raised it.
        causes: errors added with ``addCause``.
        hint: how to mend it, printed by the report, never part of ``message``.
        raised_by: the builtin that raised it; empty for an error of the language itself.
    """

    def __init__(
        self,
        identifier: str,
        message: str,
        *,
        stack: Stack | Callable[[], Stack] = (),
        causes: tuple[MatlabError, ...] = (),
        hint: str = "",
        raised_by: str = "",
    ) -> None:
        super().__init__(message)
        self.identifier = identifier
        self.message = message
        self._stack = stack
        self.causes = causes
        self.hint = hint
        self.raised_by = raised_by

    def __str__(self) -> str:
        return self.message

    @property
    def stack(self) -> Stack:
        found = self._stack
        if not isinstance(found, tuple):
            found = self._stack = found()
        return found

    @stack.setter
    def stack(self, stack: Stack | Callable[[], Stack]) -> None:
        """Take a stack, or what gives it to whoever asks first: most errors are never asked."""
        self._stack = stack

    @property
    def has_stack(self) -> bool:
        """Whether a stack was noted, without making it."""
        return bool(self._stack)

    def copy(self, **changes: Any) -> MatlabError:
        """Return the error with some attributes changed, without a traceback.

        A stack that nobody has asked for yet is not made: finding lines takes long in large files.
        """
        kept = {name: getattr(self, name) for name in ("causes", "hint", "raised_by")}
        attributes = {"stack": self._stack, **kept, **changes}
        return MatlabError(self.identifier, self.message, **attributes)


def undefined(name: str, hint: str = "") -> MatlabError:
    return MatlabError(
        "MATLAB:UndefinedFunction", f"Unrecognized function or variable '{name}'.", hint=hint
    )


def undefined_operator(symbol: str, class_name: str) -> MatlabError:
    return MatlabError(
        "MATLAB:UndefinedFunction",
        f"Operator '{symbol}' is not supported for operands of type '{class_name}'.",
    )


def undefined_for(function: str, class_name: str) -> MatlabError:
    return MatlabError(
        "MATLAB:UndefinedFunction",
        f"Undefined function '{function}' for input arguments of type '{class_name}'.",
    )


def too_many_inputs() -> MatlabError:
    return MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")


def too_many_outputs() -> MatlabError:
    return MatlabError("MATLAB:TooManyOutputs", "Too many output arguments.")


def too_many_builtin_inputs() -> MatlabError:
    return MatlabError("MATLAB:maxrhs", "Too many input arguments.")


def too_many_builtin_outputs() -> MatlabError:
    return MatlabError("MATLAB:maxlhs", "Too many output arguments.")


def not_enough_inputs() -> MatlabError:
    return MatlabError("MATLAB:minrhs", "Not enough input arguments.")


def incompatible_sizes() -> MatlabError:
    return MatlabError(
        "MATLAB:sizeDimensionsMustMatch", "Arrays have incompatible sizes for this operation."
    )


def inner_dimensions() -> MatlabError:
    return MatlabError(
        "MATLAB:innerdim",
        "Incorrect dimensions for matrix multiplication. Check that the number of columns in the "
        "first matrix matches the number of rows in the second matrix. To operate on each element "
        "of the matrix individually, use TIMES (.*) for elementwise multiplication.",
    )


def catenate_mismatch() -> MatlabError:
    return MatlabError(
        "MATLAB:catenate:dimensionMismatch",
        "Dimensions of arrays being concatenated are not consistent.",
    )


def index_exceeds(count: int) -> MatlabError:
    return MatlabError(
        "MATLAB:badsubscript",
        f"Index exceeds the number of array elements. Index must not exceed {count}.",
    )


def index_exceeds_position(position: int, bound: int) -> MatlabError:
    """`position` is one-based."""
    return MatlabError(
        "MATLAB:badsubscript",
        f"Index in position {position} exceeds array bounds. Index must not exceed {bound}.",
    )


def bad_index() -> MatlabError:
    return MatlabError(
        "MATLAB:badsubscript",
        "Array indices must be positive integers or logical values.",
    )


def assignment_size(left: tuple[int, ...], right: tuple[int, ...]) -> MatlabError:
    lhs, rhs = "-by-".join(map(str, left)), "-by-".join(map(str, right))
    return MatlabError(
        "MATLAB:subsassigndimmismatch",
        f"Unable to perform assignment because the size of the left side is {lhs} "
        f"and the size of the right side is {rhs}.",
    )


def assignment_count() -> MatlabError:
    return MatlabError(
        "MATLAB:matrix:singleSubscriptNumelMismatch",
        "Unable to perform assignment because the left and right sides have a different number "
        "of elements.",
    )


def no_field(name: str) -> MatlabError:
    return MatlabError("MATLAB:nonExistentField", f'Unrecognized field name "{name}".')


def brace_from_noncell() -> MatlabError:
    return MatlabError(
        "MATLAB:cellRefFromNonCell",
        "Brace indexing is not supported for variables of this type.",
    )


def dot_from_nonstruct() -> MatlabError:
    return MatlabError(
        "MATLAB:structRefFromNonStruct",
        "Dot indexing is not supported for variables of this type.",
    )


def assigned_by(kind: str, identifier: str) -> MatlabError:
    """Return the error of an assignment by a kind of indexing that the variable's class has not."""
    return MatlabError(
        identifier,
        f"Unable to perform assignment because {kind} indexing is not supported for variables of "
        "this type.",
    )


def mixed_integers() -> MatlabError:
    return MatlabError(
        "MATLAB:mixedClasses",
        "Integers can only be combined with integers of the same class, or scalar doubles.",
    )


def nan_to_logical() -> MatlabError:
    return MatlabError("MATLAB:nologicalnan", "NaN values cannot be converted to logicals.")


def out_of_memory(what: str = "") -> MatlabError:
    return MatlabError("MATLAB:nomem", what or "Out of memory.")


def asks_too_much(problem: BaseException) -> bool:
    """Whether Python or NumPy refused to make something that no memory could ever hold."""
    if isinstance(problem, MemoryError):
        return True
    refusals = ("Maximum allowed", "array is too big", "maximum supported dimension", "cannot fit")
    return isinstance(problem, ValueError | OverflowError) and str(problem).startswith(refusals)


def unusable_file(problem: OSError) -> MatlabError:
    """For a file or folder that the system does not let a program use."""
    why = problem.strerror or type(problem).__name__
    if problem.filename is None:  # an open one: the disk is full, say
        return MatlabError("MATLAB:FileIO:cannotUseFile", f"{why}.")
    return MatlabError("MATLAB:FileIO:cannotUseFile", f"Unable to use '{problem.filename}': {why}.")


def invalid_file_name() -> MatlabError:
    """For a name that no file can have."""
    return MatlabError(
        "MATLAB:FileIO:invalidFileName", "A file name must not contain a null character."
    )


def incompatible_matrices() -> MatlabError:
    r"""Return the error of matrices whose sizes do not fit ``\`` or ``/``."""
    return MatlabError("MATLAB:dimagree", "Matrix dimensions must agree.")


def size_limit() -> MatlabError:
    """For an array that no machine could hold."""
    return MatlabError(
        "MATLAB:array:SizeLimitExceeded",
        "Requested array exceeds the maximum possible variable size.",
    )
