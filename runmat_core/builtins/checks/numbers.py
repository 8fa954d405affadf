"""Checks of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.builtins.checks.support import is_complex, numbers, real, require
from runmat_core.values import FLOAT_CLASSES, NUMERIC_CLASSES, SparseArray, class_of
from runmat_core.values.array_object import ArrayObject


@builtin("mustBePositive", family="checks/numbers", nargout=0)
def mustBePositive(value: Any) -> None:
    """Fail unless all elements are positive.

    mustBePositive(value) takes numeric and logical arrays.

    Examples:
        >> try, mustBePositive(0), catch e, disp(e.message), end
        Value must be positive.

    See also: mustBeNonnegative, mustBeNegative, mustBeNumeric.
    """
    require((real(value) > 0).all(), "mustBePositive", "Value must be positive.")


@builtin("mustBeNonpositive", family="checks/numbers", nargout=0)
def mustBeNonpositive(value: Any) -> None:
    """Fail unless no element is positive.

    mustBeNonpositive(value) takes numeric and logical arrays.

    Examples:
        >> try, mustBeNonpositive(1), catch e, disp(e.message), end
        Value must be nonpositive.

    See also: mustBePositive, mustBeNegative.
    """
    require((real(value) <= 0).all(), "mustBeNonpositive", "Value must be nonpositive.")


@builtin("mustBeNegative", family="checks/numbers", nargout=0)
def mustBeNegative(value: Any) -> None:
    """Fail unless all elements are negative.

    mustBeNegative(value) takes numeric and logical arrays.

    Examples:
        >> try, mustBeNegative(0), catch e, disp(e.message), end
        Value must be negative.

    See also: mustBePositive, mustBeNonpositive.
    """
    require((real(value) < 0).all(), "mustBeNegative", "Value must be negative.")


@builtin("mustBeNonnegative", family="checks/numbers", nargout=0)
def mustBeNonnegative(value: Any) -> None:
    """Fail unless no element is negative.

    mustBeNonnegative(value) takes numeric and logical arrays.

    Examples:
        >> try, mustBeNonnegative(-1), catch e, disp(e.message), end
        Value must be nonnegative.

    See also: mustBePositive, mustBeNegative.
    """
    require((real(value) >= 0).all(), "mustBeNonnegative", "Value must be nonnegative.")


@builtin("mustBeNonzero", family="checks/numbers", nargout=0)
def mustBeNonzero(value: Any) -> None:
    """Fail unless no element is zero.

    mustBeNonzero(value) takes numeric and logical arrays.

    Examples:
        >> try, mustBeNonzero(0), catch e, disp(e.message), end
        Value must not be zero.

    See also: mustBePositive, mustBeNonempty.
    """
    require((numbers(value) != 0).all(), "mustBeNonzero", "Value must not be zero.")


def _has_infinity(value: Any) -> bool:
    """Whether a value is one of times, some of which may be without end."""
    return isinstance(value, ArrayObject) and value.class_name in ("datetime", "duration")


@builtin("mustBeFinite", family="checks/numbers", nargout=0)
def mustBeFinite(value: Any) -> None:
    """Fail unless all elements are finite.

    mustBeFinite(value) refuses Inf and NaN.

    Examples:
        >> try, mustBeFinite(Inf), catch e, disp(e.message), end
        Value must be finite.

    See also: mustBeNonNan, mustBeReal.
    """
    data = value.codes if _has_infinity(value) else numbers(value)
    require(np.isfinite(data).all(), "mustBeFinite", "Value must be finite.")


@builtin("mustBeNonNan", family="checks/numbers", nargout=0)
def mustBeNonNan(value: Any) -> None:
    """Fail unless no element is NaN.

    mustBeNonNan(value)

    Examples:
        >> try, mustBeNonNan(NaN), catch e, disp(e.message), end
        Value must not be NaN.

    See also: mustBeFinite.
    """
    require(not np.isnan(numbers(value)).any(), "mustBeNonNan", "Value must not be NaN.")


@builtin("mustBeReal", family="checks/numbers", nargout=0)
def mustBeReal(value: Any) -> None:
    """Fail unless the value is real.

    mustBeReal(value) refuses complex numbers.

    Examples:
        >> try, mustBeReal(1i), catch e, disp(e.message), end
        Value must be real.

    See also: mustBeNumeric, isreal.
    """
    require(not is_complex(value), "mustBeReal", "Value must be real.")


@builtin("mustBeInteger", family="checks/numbers", nargout=0)
def mustBeInteger(value: Any) -> None:
    """Fail unless all elements are integers.

    mustBeInteger(value) takes any numeric class; the values count.

    Examples:
        >> try, mustBeInteger(1.5), catch e, disp(e.message), end
        Value must be integer.

    See also: mustBeFinite, mustBeReal.
    """
    data = real(value)
    whole = np.isfinite(data).all() and (data == np.floor(data)).all()
    require(whole, "mustBeInteger", "Value must be integer.")


@builtin("mustBeNumeric", family="checks/numbers", nargout=0)
def mustBeNumeric(value: Any) -> None:
    """Fail unless the value is numeric.

    mustBeNumeric(value) refuses logical and text too.

    Examples:
        >> try, mustBeNumeric('a'), catch e, disp(e.message), end
        Value must be numeric.

    See also: mustBeNumericOrLogical, isnumeric.
    """
    require(class_of(value) in NUMERIC_CLASSES, "mustBeNumeric", "Value must be numeric.")


@builtin("mustBeNumericOrLogical", family="checks/numbers", nargout=0)
def mustBeNumericOrLogical(value: Any) -> None:
    """Fail unless the value is numeric or logical.

    mustBeNumericOrLogical(value)

    Examples:
        >> try, mustBeNumericOrLogical('a'), catch e, disp(e.message), end
        Value must be numeric or logical.

    See also: mustBeNumeric, islogical.
    """
    numbers(value)


@builtin("mustBeFloat", family="checks/numbers", nargout=0)
def mustBeFloat(value: Any) -> None:
    """Fail unless the value is double or single.

    mustBeFloat(value)

    Examples:
        >> try, mustBeFloat(int8(1)), catch e, disp(e.message), end
        Value must be a floating-point number.

    See also: mustBeNumeric, isfloat.
    """
    require(
        class_of(value) in FLOAT_CLASSES, "mustBeFloat", "Value must be a floating-point number."
    )


@builtin("mustBeNonsparse", family="checks/numbers", nargout=0)
def mustBeNonsparse(value: Any) -> None:
    """Fail if the value is sparse.

    mustBeNonsparse(value)

    Examples:
        >> try, mustBeNonsparse(sparse(1)), catch e, disp(e.message), end
        Value must not be sparse.

    See also: mustBeNumeric, issparse.
    """
    require(not isinstance(value, SparseArray), "mustBeNonsparse", "Value must not be sparse.")
