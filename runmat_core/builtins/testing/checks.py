"""What tests check: each says why a value is not as it should be, or nothing.

A check is ``check(interp, actual, *args)``; its text is the framework's part of a diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.testing.comparison import Comparison, Tolerance
from runmat_core.builtins.testing.diagnostics import (
    joined,
    labelled,
    quoted,
    says,
    size_row,
    values,
)
from runmat_core.values import (
    FunctionHandle,
    class_of,
    ge,
    gt,
    index,
    is_text,
    le,
    lt,
    numel_of,
    size_of,
    text,
    texts,
    to_numpy,
    truth,
)
from runmat_core.values.object import HandleObject
from runmat_core.values.objects.instance import Instance

Check = Callable[..., str]


def _unless(holds: bool, *parts: str) -> str:
    return "" if holds else joined(parts)


# -- values ----------------------------------------------------------------------------------------


def equal(interp: Interp, actual: Any, expected: Any, comparison: Comparison | None = None) -> str:
    found = (comparison or Comparison()).mismatch(actual, expected)
    if not found:
        return ""
    return joined([found, values(("Actual Value", actual), ("Expected Value", expected))])


def unequal(interp: Interp, actual: Any, other: Any) -> str:
    same = not Comparison().mismatch(actual, other)
    shown = values(("Actual Value", actual), ("Prohibited Value", other))
    return _unless(not same, says("The values must not be equal."), shown)


def logical(interp: Interp, actual: Any, wanted: bool) -> str:
    word = "true" if wanted else "false"
    first = says(f'The value must evaluate to "{word}".')
    if class_of(actual) != "logical":
        first = joined(
            [first, says(f'The value must be logical. It is of type "{class_of(actual)}".')]
        )
    elif numel_of(actual) != 1:
        size = " ".join(str(k) for k in size_of(actual))
        first = joined([first, says(f"The value must be scalar. It has a size of [{size}].")])
    elif truth(actual) is wanted:
        return ""
    return joined([first, values(("Actual Value", actual))])


def empty(interp: Interp, actual: Any, wanted: bool) -> str:
    size = "  ".join(str(k) for k in size_of(actual))
    return _unless(
        (numel_of(actual) == 0) is wanted,
        says(f"The value must {'' if wanted else 'not '}be empty."),
        says(f"The value has a size of [{size}]."),
        values(("Actual Value", actual)),
    )


def size(interp: Interp, actual: Any, wanted: Any) -> str:
    found = tuple(int(k) for k in to_numpy(wanted).ravel(order="F"))
    sizes = labelled(("Actual Size", size_row(size_of(actual))), ("Expected Size", size_row(found)))
    return _unless(
        size_of(actual) == found,
        says("The value had an incorrect size.", sizes),
        values(("Actual Value", actual)),
    )


def count(measure: Callable[[Any], int], what: str, interp: Interp, actual: Any, n: Any) -> str:
    found, wanted = measure(actual), scalar(n, "Count")
    label = what.title().replace(" Of ", " of ")
    counts = labelled((f"Actual {label}", f"{found:4d}"), (f"Expected {label}", f"{wanted:4g}"))
    return _unless(
        found == wanted,
        says(f"The value had an incorrect {what}.", counts),
        values(("Actual Value", actual)),
    )


def longest(value: Any) -> int:
    return max(size_of(value)) if numel_of(value) else 0


def ordered(
    compare: Any, words: str, bound_name: str, interp: Interp, actual: Any, bound: Any
) -> str:
    holds = bool(np.all(to_numpy(compare(actual, bound))))
    limit = bound_name.partition(" (")[0].lower()
    return _unless(
        holds,
        says(f"The value must be {words} the {limit}."),
        values(("Actual Value", actual), (bound_name, bound)),
    )


# -- classes and handles ---------------------------------------------------------------------------


def name_of_class(wanted: Any) -> str:
    """Return the name of a class given as text or as ``?Name``."""
    if is_text(wanted):
        return text(wanted)
    data = getattr(wanted, "data", None)
    return str(getattr(data, "name", ""))


def of_class(interp: Interp, actual: Any, wanted: Any) -> str:
    names = labelled(("Actual Class", class_of(actual)), ("Expected Class", name_of_class(wanted)))
    return _unless(
        class_of(actual) == name_of_class(wanted),
        says("The value's class is incorrect.", names),
        values(("Actual Value", actual)),
    )


def instance(interp: Interp, actual: Any, wanted: Any) -> str:
    from runmat_core.values import char

    isa = interp.builtin("isa")
    assert isa is not None
    names = labelled(("Actual Class", class_of(actual)), ("Expected Type", name_of_class(wanted)))
    return _unless(
        bool(isa(1, actual, char(name_of_class(wanted)))),
        says("The value must be an instance of the expected type.", names),
        values(("Actual Value", actual)),
    )


def is_same_handle(actual: Any, other: Any) -> bool:
    if isinstance(actual, Instance) and isinstance(other, Instance):
        pairs = zip(actual.records(), other.records(), strict=False)
        return actual.shape == other.shape and all(a is b for a, b in pairs)
    return isinstance(actual, HandleObject) and actual is other


def same_handle(interp: Interp, actual: Any, other: Any, wanted: bool = True) -> str:
    verb = "must" if wanted else "must not"
    label = "Expected Handle Object" if wanted else "Prohibited Handle Object"
    return _unless(
        is_same_handle(actual, other) is wanted,
        says(f"Values {verb} refer to the same handle."),
        values(("Actual Value", actual), (label, other)),
    )


# -- texts -----------------------------------------------------------------------------------------


def found_text(
    holds: Callable[[str, str], bool], words: str, interp: Interp, actual: Any, part: Any
) -> str:
    """Return a check of one text, or of several, with another: does it contain or start with it?"""
    kind = class_of(actual)
    if kind not in ("char", "string", "cell"):
        return joined(
            [says(f"The value must be text, not '{kind}'."), values(("Actual Value", actual))]
        )
    parts = texts(part)
    good = all(any(holds(one, p) for p in parts) for one in texts(actual))
    label = "Regular Expression" if "regular" in words else "Specified Substring"
    return _unless(
        good, says(f"The value {words}."), values(("Actual Value", actual), (label, part))
    )


def matches(interp: Interp, actual: Any, pattern: Any) -> str:
    regexp = interp.builtin("regexp")
    assert regexp is not None
    from runmat_core.values import char

    def holds(word: str, wanted: str) -> bool:
        return numel_of(regexp(1, char(word), char(wanted), char("once"))) > 0

    said = "does not match the regular expression"
    return found_text(holds, said, interp, actual, pattern)


# -- functions -------------------------------------------------------------------------------------


def _handle_problem(function: Any) -> str:
    if isinstance(function, FunctionHandle):
        return ""
    names = labelled(("Actual Class", class_of(function)), ("Expected Class", "function_handle"))
    return joined([says("The value must be a function handle.", names)])


def raises(interp: Interp, function: Any, wanted: Any) -> str:
    """Whether a function raises an error of an identifier, or any where none is given."""
    if problem := _handle_problem(function):
        return problem
    called = values(("Evaluated Function", function))
    expected = _wanted(wanted)
    try:
        with interp.capture():
            interp.call(function, (), 0)
    except Exception as exception:
        if getattr(exception, "ends_test", False):
            raise
        error = interp.error_of(exception)
        if not expected or expected in (error.identifier, "MException"):
            return ""
        names = labelled(
            ("Actual Exception", quoted(error.identifier)),
            ("Expected Exception", quoted(expected)),
        )
        report = labelled(("Actual Error Report", error.message))
        return joined(
            [says("The function threw the wrong exception.", names), f"--> {report}", called]
        )
    names = labelled(("Expected Exception", quoted(expected))) if expected else ""
    return joined([says("The function did not throw any exception.", names), called])


def _wanted(wanted: Any) -> str:
    if wanted is None:
        return ""
    return name_of_class(wanted)


def heard(interp: Interp, function: Any, nargout: int = 0) -> tuple[list[str], Any]:
    """Return the identifiers of the warnings that a function issues, and what it returns."""
    from runmat_core.builtins.lang.warnings import states

    warnings = states(interp)
    before, warnings.heard = warnings.heard, []
    try:
        with interp.capture():
            result = interp.call(function, (), nargout)
        return list(warnings.heard), result
    finally:
        issued, warnings.heard = warnings.heard, before
        if before is not None:
            before += issued


def warns(interp: Interp, function: Any, issued: list[str], wanted: Any) -> str:
    called = values(("Evaluated Function", function))
    expected = list(texts(wanted)) if wanted is not None else []
    if expected and all(name in issued for name in expected):
        return ""
    if not issued:
        said = "The function did not issue any warnings."
    elif expected:
        said = "The function did not issue the expected warning."
    else:
        return ""
    pairs = [("Actual Warning", "\n".join(map(quoted, issued)))] if issued else []
    pairs += [("Expected Warning", "\n".join(map(quoted, expected)))] if expected else []
    return joined([says(said, labelled(*pairs)), called])


def quiet(interp: Interp, function: Any, issued: list[str]) -> str:
    names = labelled(("Warnings Issued by the Function", "\n".join(map(quoted, issued))))
    return _unless(
        not issued,
        says("The function issued warnings.", names),
        values(("Evaluated Function", function)),
    )


def returns_true(interp: Interp, function: Any) -> str:
    if problem := _handle_problem(function):
        return problem
    result = interp.call(function, (), 1)
    holds = class_of(result) == "logical" and numel_of(result) == 1 and truth(result)
    return _unless(
        bool(holds),
        says('The function handle did not evaluate to "true".'),
        values(("Returned Value", result), ("Evaluated Function", function)),
    )


# -- what further constraints check ----------------------------------------------------------------


def numbers(test: Callable[[Any], bool], words: str, interp: Interp, actual: Any) -> str:
    """Return a check of the numbers of an array."""
    return _unless(
        bool(test(np.asarray(to_numpy(actual)))),
        says(f"The value {words}."),
        values(("Actual Value", actual)),
    )


def field(interp: Interp, actual: Any, wanted: Any) -> str:
    names = actual.field_names() if hasattr(actual, "field_names") else ()
    lacking = [name for name in texts(wanted) if name not in names]
    return _unless(
        not lacking,
        says(f"The value does not have the field {', '.join(map(quoted, lacking))}."),
        values(("Actual Value", actual)),
    )


def exists(interp: Interp, actual: Any, kind: str) -> str:
    """Whether a text names a file, or a folder."""
    import os

    place = os.path.join(interp.current_directory(), text(actual))
    there = os.path.isfile(place) if kind == "file" else os.path.isdir(place)
    return _unless(
        there, says(f"The value is not an existing {kind}."), values(("Actual Value", actual))
    )


def members(relation: str, interp: Interp, actual: Any, expected: Any) -> str:
    """Return a check of two sets of values: subset, superset or the same."""
    ismember = interp.builtin("ismember")
    assert ismember is not None
    inside = bool(np.all(to_numpy(ismember(1, actual, expected))))
    around = bool(np.all(to_numpy(ismember(1, expected, actual))))
    holds = {"subset": inside, "superset": around}.get(relation, inside and around)
    words = {"subset": "a subset of", "superset": "a superset of"}.get(relation, "the same set as")
    return _unless(
        holds,
        says(f"The value must be {words} the expected set."),
        values(("Actual Value", actual), ("Expected Set", expected)),
    )


def unique(interp: Interp, actual: Any) -> str:
    distinct = interp.builtin("unique")
    assert distinct is not None
    return _unless(
        numel_of(distinct(1, actual)) == numel_of(actual),
        says("The value must have unique elements."),
        values(("Actual Value", actual)),
    )


def elements(every: bool, interp: Interp, actual: Any, check: Check) -> str:
    """Return a check of every element, or of any."""
    items = [index(actual, (float(k),)) for k in range(1, numel_of(actual) + 1)]
    found = [check(interp, item) for item in items]
    holds = not any(found) if every else any(not problem for problem in found)
    first = next((problem for problem in found if problem), "")
    word = "every" if every else "any"
    return _unless(holds, says(f"The constraint does not hold for {word} element."), first)


def plain_text(ignore_case: bool, ignore_blanks: bool) -> Callable[[str], str] | None:
    """How a text counts where case or white space does not."""
    if not (ignore_case or ignore_blanks):
        return None

    def plain(word: str) -> str:
        word = re.sub(r"\s+", "", word) if ignore_blanks else word
        return word.lower() if ignore_case else word

    return plain


def tolerance(absolute: Any, relative: Any) -> Tolerance | None:
    """Return the tolerance that ``"AbsTol"`` and ``"RelTol"`` give.

    Either is enough where both are.
    """
    kinds = (("absolute", absolute), ("relative", relative))
    given = [Tolerance(kind, (value,)) for kind, value in kinds if value is not None]
    return given[0] if len(given) == 1 else Tolerance("or", (), tuple(given)) if given else None


at_least = partial(ordered, ge, "greater than or equal to", "Minimum Value (Inclusive)")
more_than = partial(ordered, gt, "greater than", "Minimum Value (Exclusive)")
at_most = partial(ordered, le, "less than or equal to", "Maximum Value (Inclusive)")
less_than = partial(ordered, lt, "less than", "Maximum Value (Exclusive)")
contains = partial(
    found_text, lambda one, part: part in one, "does not contain the specified substring"
)
starts = partial(found_text, str.startswith, "does not start with the specified substring")
ends = partial(found_text, str.endswith, "does not end with the specified substring")
