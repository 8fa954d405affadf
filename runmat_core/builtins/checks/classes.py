"""Checks of class, size and text."""

from __future__ import annotations

import os
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.interp import Interp
from runmat_core.builtins.checks.support import is_a, is_text_like, not_text, require
from runmat_core.builtins.files.table import resolve_path
from runmat_core.builtins.text.convert import valid_name
from runmat_core.builtins.text.support import is_text_scalar, text_list
from runmat_core.values import SparseArray, class_of, numel_of, size_of


@builtin("mustBeA", family="checks/classes", nargout=0)
def mustBeA(value: Any, classes: Any) -> None:
    """Fail unless the value is of one of several classes.

    mustBeA(value, classNames) also takes 'numeric', 'float' and 'integer'.

    Examples:
        >> try, mustBeA(1, 'char'), catch e, disp(e.message), end
        Value must be one of the following types: 'char'.

    See also: isa, mustBeNumeric.
    """
    names = text_list(classes, not_text())
    listing = ", ".join(f"'{name}'" for name in names)
    require(
        any(is_a(value, name) for name in names),
        "mustBeA",
        f"Value must be one of the following types: {listing}.",
    )


@builtin("mustBeUnderlyingType", family="checks/classes", nargout=0)
def mustBeUnderlyingType(value: Any, classes: Any) -> None:
    """Fail unless the data is of one of several classes.

    mustBeUnderlyingType(value, classNames)

    Examples:
        >> try, mustBeUnderlyingType(1, 'char'), catch e, disp(e.message), end
        Value underlying type must be one of the following types: 'char'.

    See also: mustBeA, class.
    """
    names = text_list(classes, not_text())
    listing = ", ".join(f"'{name}'" for name in names)
    require(
        class_of(value) in names,
        "mustBeUnderlyingType",
        f"Value underlying type must be one of the following types: {listing}.",
    )


@builtin("mustBeNonempty", family="checks/classes", nargout=0)
def mustBeNonempty(value: Any) -> None:
    """Fail if the value is empty.

    mustBeNonempty(value)

    Examples:
        >> try, mustBeNonempty([]), catch e, disp(e.message), end
        Value must not be empty.

    See also: isempty, mustBeNonzeroLengthText.
    """
    require(numel_of(value) > 0, "mustBeNonempty", "Value must not be empty.")


@builtin("mustBeScalarOrEmpty", family="checks/classes", nargout=0)
def mustBeScalarOrEmpty(value: Any) -> None:
    """Fail if the value has more than one element.

    mustBeScalarOrEmpty(value)

    Examples:
        >> try, mustBeScalarOrEmpty([1 2]), catch e, disp(e.message), end
        Value must be a scalar or empty.

    See also: mustBeVector, isscalar.
    """
    require(numel_of(value) <= 1, "mustBeScalarOrEmpty", "Value must be a scalar or empty.")


@builtin("mustBeVector", family="checks/classes", nargout=0)
def mustBeVector(value: Any, *options: Any) -> None:
    """Fail unless the value is a vector.

    mustBeVector(value); with 'allow-all-empties' any empty array passes too.

    Examples:
        >> try, mustBeVector([1 2; 3 4]), catch e, disp(e.message), end
        Value must be a vector.

    See also: isvector, mustBeScalarOrEmpty.
    """
    shape = size_of(value)
    vector = len(shape) == 2 and 1 in shape
    empty = bool(options) and 0 in shape
    require(vector or empty, "mustBeVector", "Value must be a vector.")


@builtin("mustBeRow", family="checks/classes", nargout=0)
def mustBeRow(value: Any) -> None:
    """Fail unless the value is a row vector.

    mustBeRow(value)

    Examples:
        >> try, mustBeRow([1; 2]), catch e, disp(e.message), end
        Value must be a row vector.

    See also: mustBeColumn, isrow.
    """
    shape = size_of(value)
    require(len(shape) == 2 and shape[0] == 1, "mustBeRow", "Value must be a row vector.")


@builtin("mustBeColumn", family="checks/classes", nargout=0)
def mustBeColumn(value: Any) -> None:
    """Fail unless the value is a column vector.

    mustBeColumn(value)

    Examples:
        >> try, mustBeColumn([1 2]), catch e, disp(e.message), end
        Value must be a column vector.

    See also: mustBeRow, iscolumn.
    """
    shape = size_of(value)
    require(len(shape) == 2 and shape[1] == 1, "mustBeColumn", "Value must be a column vector.")


@builtin("mustBeMatrix", family="checks/classes", nargout=0)
def mustBeMatrix(value: Any) -> None:
    """Fail unless the value has two dimensions.

    mustBeMatrix(value)

    Examples:
        >> try, mustBeMatrix(ones(2, 2, 2)), catch e, disp(e.message), end
        Value must be a matrix.

    See also: mustBeVector, ismatrix.
    """
    require(len(size_of(value)) == 2, "mustBeMatrix", "Value must be a matrix.")


@builtin("mustBeText", family="checks/classes", nargout=0)
def mustBeText(value: Any) -> None:
    """Fail unless the value is text.

    mustBeText(value) takes strings, char vectors and cell arrays of them.

    Examples:
        >> try, mustBeText(1), catch e, disp(e.message), end
        Value must be a character vector, string array, or cell array of character vectors.

    See also: mustBeTextScalar, ischar, isstring.
    """
    require(
        is_text_like(value),
        "mustBeText",
        "Value must be a character vector, string array, or cell array of character vectors.",
    )


@builtin("mustBeTextScalar", family="checks/classes", nargout=0)
def mustBeTextScalar(value: Any) -> None:
    """Fail unless the value is one text.

    mustBeTextScalar(value) takes a char vector or a string scalar.

    Examples:
        >> try, mustBeTextScalar({'a', 'b'}), catch e, disp(e.message), end
        Value must be a character vector or string scalar.

    See also: mustBeText, mustBeNonzeroLengthText.
    """
    require(
        is_text_scalar(value),
        "mustBeTextScalar",
        "Value must be a character vector or string scalar.",
    )


@builtin("mustBeNonzeroLengthText", family="checks/classes", nargout=0)
def mustBeNonzeroLengthText(value: Any) -> None:
    """Fail unless all texts have characters.

    mustBeNonzeroLengthText(value)

    Examples:
        >> try, mustBeNonzeroLengthText(''), catch e, disp(e.message), end
        Value must be text with nonzero length.

    See also: mustBeText, mustBeNonempty.
    """
    require(
        is_text_like(value) and all(text_list(value, not_text())),
        "mustBeNonzeroLengthText",
        "Value must be text with nonzero length.",
    )


@builtin("mustBeNonmissing", family="checks/classes", nargout=0)
def mustBeNonmissing(value: Any) -> None:
    """Fail if an element is missing.

    mustBeNonmissing(value)

    Examples:
        >> try, mustBeNonmissing([1 NaN]), catch e, disp(e.message), end
        Value must not contain missing elements.

    See also: ismissing, mustBeNonNan, mustBeNonempty.
    """
    from runmat_core.builtins.tables.missing import missing_elements

    require(
        not missing_elements(value).any(),
        "mustBeNonmissing",
        "Value must not contain missing elements.",
    )


@builtin("mustBeSparse", family="checks/classes", nargout=0)
def mustBeSparse(value: Any) -> None:
    """Fail unless the value is sparse.

    mustBeSparse(value)

    Examples:
        >> try, mustBeSparse(1), catch e, disp(e.message), end
        Value must be sparse.

    See also: mustBeNonsparse, issparse.
    """
    require(isinstance(value, SparseArray), "mustBeSparse", "Value must be sparse.")


@builtin("mustBeFile", family="checks/classes", nargout=0, needs=("interp",))
def mustBeFile(path: Any, *, interp: Interp) -> None:
    """Fail unless the texts are paths of files.

    mustBeFile(path)

    Examples:
        >> try, mustBeFile('no_such_file.txt'), catch e, disp(e.message), end
        The following files do not exist: 'no_such_file.txt'.

    See also: mustBeFolder, isfile.
    """
    _must_exist(path, interp, os.path.isfile, "mustBeFile", "files")


@builtin("mustBeFolder", family="checks/classes", nargout=0, needs=("interp",))
def mustBeFolder(path: Any, *, interp: Interp) -> None:
    """Fail unless the texts are paths of folders.

    mustBeFolder(folder)

    Examples:
        >> try, mustBeFolder('no_such_folder'), catch e, disp(e.message), end
        The following folders do not exist: 'no_such_folder'.

    See also: mustBeFile, isfolder.
    """
    _must_exist(path, interp, os.path.isdir, "mustBeFolder", "folders")


def _must_exist(path: Any, interp: Interp, test: Any, name: str, kind: str) -> None:
    require(
        is_text_like(path) and all(text_list(path, not_text())),
        "mustBeNonzeroLengthText",
        "Value must be text with nonzero length.",
    )
    absent = [p for p in text_list(path, not_text()) if not test(resolve_path(interp, p))]
    listing = ", ".join(f"'{p}'" for p in absent)
    require(not absent, name, f"The following {kind} do not exist: {listing}.")


@builtin("mustBeValidVariableName", family="checks/classes", nargout=0)
def mustBeValidVariableName(value: Any) -> None:
    """Fail unless the texts can be names of variables.

    mustBeValidVariableName(value)

    Examples:
        >> try, mustBeValidVariableName('1a'), catch e, disp(e.message), end
        Value must be a valid variable name.

    See also: isvarname, matlab.lang.makeValidName.
    """
    names = text_list(value, not_text()) if is_text_like(value) else [""]
    require(
        all(valid_name(name, "x", "underscore") == name for name in names),
        "mustBeValidVariableName",
        "Value must be a valid variable name.",
    )
