"""pattern: arrays of rules for what text looks like, made of other patterns and texts.

A rule is kept as a regular expression of Python with the text that displays it. Expressions are
put together without groups that count, so none of them disturbs another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple
from runmat_core.values.arithmetic import broadcast
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import class_of
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown, array_header, empty_header, padded_table
from runmat_core.values.string import MISSING, StringArray, texts_of

_TEXT = (CharArray, StringArray, CellArray)

#: How tightly the parts of a rule hold together.
Binding = Literal["term", "sum", "choice"]


class Rule(NamedTuple):
    """One element of a pattern array.

    Attributes:
        regex: a regular expression, without groups that count.
        shown: MATLAB's expression for it.
        binding: a sum is a ``+`` of others, a choice an ``|`` of them.
        is_boundary: whether it matches a place between characters, not characters.
    """

    regex: str
    shown: str
    binding: Binding = "term"
    is_boundary: bool = False

    @classmethod
    def literal(cls, text: str) -> Rule:
        """Return the rule that matches `text` itself."""
        quoted = text.replace('"', '""').replace("\n", "↵")
        return cls(re.escape(text), f'"{quoted}"')

    def followed_by(self, other: Rule) -> Rule:
        parts = (self, other)
        regex = "".join(f"(?:{p.regex})" if p.binding == "choice" else p.regex for p in parts)
        shown = " + ".join(f"({p.shown})" if p.binding == "choice" else p.shown for p in parts)
        return Rule(regex, shown, "sum", all(p.is_boundary for p in parts))

    def or_else(self, other: Rule) -> Rule:
        is_boundary = self.is_boundary and other.is_boundary
        regex, shown = f"{self.regex}|{other.regex}", f"{self.shown} | {other.shown}"
        return Rule(regex, shown, "choice", is_boundary)

    def negated(self) -> Rule:
        """Return the places where a boundary is not.

        Raises:
            MatlabError: the rule matches characters.
        """
        if not self.is_boundary:
            raise MatlabError("MATLAB:pattern:InvalidNot", "Only boundary patterns can be negated.")
        shown = self.shown if self.binding == "term" else f"({self.shown})"
        return Rule(f"(?!{self.regex})", f"~{shown}", is_boundary=True)


@lru_cache(maxsize=256)
def compiled(regex: str, ignore_case: bool = False) -> re.Pattern[str]:
    """Return the expression of a rule, ready to match.

    Raises:
        MatlabError: Python's engine cannot match it (lookbehind of varying width).
    """
    try:
        return re.compile(regex, re.IGNORECASE if ignore_case else 0)
    except re.error as failure:
        raise MatlabError(
            "MATLAB:pattern:Unsupported", f"This pattern cannot be matched: {failure.msg}."
        ) from None


def spans(rule: Rule, text: str, ignore_case: bool = False) -> list[tuple[int, int]]:
    """Where `rule` matches, from left to right; matches of nothing count for boundaries alone."""
    found = compiled(rule.regex, ignore_case).finditer(text)
    return [m.span() for m in found if rule.is_boundary or m.end() > m.start()]


class Pattern(ArrayObject):
    """An array of rules; the codes are the rules themselves."""

    __slots__ = ()
    class_name = "pattern"
    blank_code = Rule.literal("")
    # the display in cells and fields is the size
    inline = None  # type: ignore[assignment]

    def __init__(self, rules: NDArray[np.object_]) -> None:
        self.data = (np.asfortranarray(rules), None)

    @classmethod
    def of(cls, rule: Rule) -> Pattern:
        return cls(object_array([rule], (1, 1)))

    def rules(self) -> list[Rule]:
        """Return the elements in column-major order."""
        return list(self.codes.ravel(order="F").tolist())

    def mapped(self, change: Callable[[Rule], Rule]) -> Pattern:
        """Return the array of what `change` makes of each rule."""
        return Pattern(object_array(list(map(change, self.rules())), self.shape))

    def adopt(self, value: Any) -> Pattern:
        """Text as rules that match it.

        Raises:
            MatlabError: it is no text.
        """
        return as_pattern(value)

    def is_missing(self) -> NDArray[np.bool_]:
        return np.zeros(self.shape, np.bool_)

    def element_texts(self) -> NDArray[np.object_]:
        return object_array([rule.shown for rule in self.rules()], self.shape)

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        if name == "not_":
            return self.mapped(Rule.negated)
        if name not in ("plus", "or_"):
            return super().operator(name, operands) if len(operands) == 1 else NotImplemented
        join = Rule.followed_by if name == "plus" else Rule.or_else
        left, right = (as_pattern(value).codes for value in operands)
        made = broadcast(lambda a, b, **_: np.frompyfunc(join, 2, 1)(a, b), left, right)
        return Pattern(made)

    def shown(self, name: str, fmt: DisplayFormat) -> Shown:
        if 0 in self.shape:
            return Shown("", empty_header(self.shape, "pattern", "array"), is_object=True)
        return Shown(
            f"  Matching:\n{fmt.blank}{self.lines(name, fmt)}",
            array_header(self.shape, "pattern", "array"),
            is_object=True,
        )

    def lines(self, name: str, fmt: DisplayFormat) -> str:
        rows = self.element_texts().reshape(self.shape[0], -1, order="F").tolist()
        return padded_table([[f"    {text}" for text in row] for row in rows], fmt)


def as_pattern(value: Any) -> Pattern:
    """Return a pattern, or text as one.

    Raises:
        MatlabError: `value` is neither, or has a missing string.
    """
    if isinstance(value, Pattern):
        return value
    if not isinstance(value, _TEXT):
        raise MatlabError(
            "MATLAB:pattern:InvalidInput",
            f"Unable to convert a value of class '{class_of(value)}' to a pattern: it must be a "
            "pattern, a string array, a character vector, or a cell array of character vectors.",
        )
    words = texts_of(value)
    flat = words.ravel(order="F").tolist()
    if any(word is MISSING for word in flat):
        raise MatlabError("MATLAB:pattern:MissingText", "A missing string is no pattern.")
    return Pattern(object_array(list(map(Rule.literal, flat)), words.shape))


def any_of(rules: Iterable[Rule]) -> Rule:
    """Return the choice of all `rules`."""
    first, *rest = rules
    for rule in rest:
        first = first.or_else(rule)
    return first
