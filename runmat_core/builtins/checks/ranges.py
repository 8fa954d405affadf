"""Checks of ranges and sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.checks.support import (
    compare,
    is_text_like,
    not_text,
    numbers,
    one_of,
    real,
    require,
)
from runmat_core.builtins.text.support import maybe_text, text_list
from runmat_core.values.array_object import ArrayObject


@builtin("mustBeGreaterThan", family="checks/ranges", nargout=0)
def mustBeGreaterThan(value: Any, bound: Any) -> None:
    """Fail unless all elements are greater than a bound.

    mustBeGreaterThan(value, c)

    Examples:
        >> try, mustBeGreaterThan(2, 2), catch e, disp(e.message), end
        Value must be greater than 2.

    See also: mustBeLessThan, mustBeInRange.
    """
    compare("mustBeGreaterThan", value, bound, np.greater, "greater than")


@builtin("mustBeGreaterThanOrEqual", family="checks/ranges", nargout=0)
def mustBeGreaterThanOrEqual(value: Any, bound: Any) -> None:
    """Fail unless all elements are at least a bound.

    mustBeGreaterThanOrEqual(value, c)

    Examples:
        >> try, mustBeGreaterThanOrEqual(1, 2), catch e, disp(e.message), end
        Value must be greater than or equal to 2.

    See also: mustBeLessThanOrEqual, mustBeInRange.
    """
    compare("mustBeGreaterThanOrEqual", value, bound, np.greater_equal, "greater than or equal to")


@builtin("mustBeLessThan", family="checks/ranges", nargout=0)
def mustBeLessThan(value: Any, bound: Any) -> None:
    """Fail unless all elements are less than a bound.

    mustBeLessThan(value, c)

    Examples:
        >> try, mustBeLessThan(2, 2), catch e, disp(e.message), end
        Value must be less than 2.

    See also: mustBeGreaterThan, mustBeInRange.
    """
    compare("mustBeLessThan", value, bound, np.less, "less than")


@builtin("mustBeLessThanOrEqual", family="checks/ranges", nargout=0)
def mustBeLessThanOrEqual(value: Any, bound: Any) -> None:
    """Fail unless all elements are at most a bound.

    mustBeLessThanOrEqual(value, c)

    Examples:
        >> try, mustBeLessThanOrEqual(3, 2), catch e, disp(e.message), end
        Value must be less than or equal to 2.

    See also: mustBeGreaterThanOrEqual, mustBeInRange.
    """
    compare("mustBeLessThanOrEqual", value, bound, np.less_equal, "less than or equal to")


@builtin("mustBeInRange", family="checks/ranges", nargout=0)
def mustBeInRange(value: Any, lower: Any, upper: Any, *flags: Any) -> None:
    """Fail unless all elements are in a range.

    mustBeInRange(value, lower, upper) includes the ends; 'exclusive', 'exclude-lower' and
    'exclude-upper' leave them out.

    Examples:
        >> try, mustBeInRange(5, 1, 3), catch e, disp(e.message), end
        Value must be greater than or equal to 1, and less than or equal to 3.

    See also: mustBeGreaterThan, mustBeLessThan.
    """
    words = {maybe_text(flag) for flag in flags}
    data: Any
    low: Any
    high: Any
    if isinstance(value, ArrayObject):
        ends = one_of(value, lower), one_of(value, upper)
        data, low, high = value.codes, *(value.same_codes(end)[1] for end in ends)
        shown = [str(end.element_texts().item(0)) for end in ends]
    else:
        data, low, high = real(value), scalar(lower), scalar(upper)
        shown = [f"{low:g}", f"{high:g}"]
    open_low = bool(words & {"exclusive", "exclude-lower"})
    open_high = bool(words & {"exclusive", "exclude-upper"})
    inside = (data > low if open_low else data >= low) & (
        data < high if open_high else data <= high
    )
    above = "greater than" if open_low else "greater than or equal to"
    below = "less than" if open_high else "less than or equal to"
    require(
        inside.all(),
        "mustBeInRange",
        f"Value must be {above} {shown[0]}, and {below} {shown[1]}.",
    )


@builtin("mustBeMember", family="checks/ranges", nargout=0)
def mustBeMember(value: Any, allowed: Any) -> None:
    """Fail unless the value is in a set.

    mustBeMember(value, S) takes numbers, text with a cell or string array S, times or categories.

    Examples:
        >> try, mustBeMember(3, [1 2]), catch e, disp(e.message), end
        Value must be a member of this set:
            1
            2

    See also: ismember, validatestring.
    """
    if is_text_like(value) and is_text_like(allowed):
        names = text_list(allowed, not_text())
        inside = all(text in names for text in text_list(value, not_text()))
        listing = "".join(f'\n    "{name}"' for name in names)
    elif isinstance(value, ArrayObject):
        known = value.adopt(allowed)
        inside = bool(np.isin(*value.same_codes(known)).all()) and not value.is_missing().any()
        listing = "".join(f"\n    {word}" for word in known.element_texts().ravel(order="F"))
    else:
        members = numbers(allowed).ravel(order="F")
        inside = bool(np.isin(numbers(value), members).all())
        listing = "".join(f"\n    {number:g}" for number in members)
    require(inside, "mustBeMember", "Value must be a member of this set:" + listing)
