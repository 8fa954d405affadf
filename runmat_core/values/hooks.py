"""What higher layers do with arrays that are large or pending, instead of the rules of this one.

Each hook answers NotImplemented where it leaves the operation to the ordinary rule. Until a session
that captures operations is there, no array is large.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def _leave(*_: Any) -> Any:
    return NotImplemented


class Hooks:
    """The hooks of the process.

    Attributes:
        ahead: whether a session of the process works on a device with memory of its own, or may:
            only then loops whose ends depend on what they compute ask theirs to run them ahead.
        smallest: an array with fewer elements is never asked about, unless it is pending.
        captured: the same of parts that are read and written, which do not count as work before
            capture starts.
        index: ``index(array, subs)``: an array's ``v(subs...)``.
        part: ``part(array, subs)``: the same, with `values.spans.Span`s among the subscripts.
        assign: ``assign(array, subs, rhs)``: what ``v(subs...) = rhs`` leaves in the variable.
        join: ``join(values, axis)``: concatenation of numbers along an axis counted from zero.
        compute: ``compute(values)``: compute those that are pending together; gives nothing.
        place: ``place(value)``: a value as one that the program put on the device.
        settle: ``settle(data)``: compute what is pending where it alone keeps the buffer of a large
            array from being written in place; gives nothing.
        span: ``span(first, step, last)``: the range ``first:step:last`` of floats.
        at_once: ``at_once(size)``: whether the operation of the code that runs is to be done by the
            ordinary rule though one of its arrays has so many elements, which is large.
        loops: whether a loop was ever captured: only then loops are asked about before they begin.
        programs: how many programs run: the context of each is without NumPy's warnings.
        waiting: the class of arrays that may be pending; None until there are some.
    """

    __slots__ = (
        "ahead",
        "assign",
        "at_once",
        "captured",
        "compute",
        "index",
        "join",
        "loops",
        "part",
        "place",
        "programs",
        "settle",
        "smallest",
        "span",
        "waiting",
    )

    smallest: int
    captured: int
    ahead: bool
    loops: bool
    programs: int
    waiting: type | None
    index: Callable[[Any, Sequence[Any]], Any]
    part: Callable[[Any, Sequence[Any]], Any]
    assign: Callable[[Any, Sequence[Any], Any], Any]
    compute: Callable[[Sequence[Any]], Any]
    settle: Callable[[Any], Any]
    place: Callable[[Any], Any]
    join: Callable[[Sequence[Any], int], Any]
    span: Callable[[float, float, float], Any]
    at_once: Callable[[int], bool]

    def __init__(self) -> None:
        self.smallest = self.captured = 1 << 62
        self.waiting = None
        self.ahead = self.loops = False
        self.programs = 0
        self.index = self.part = self.assign = self.join = self.span = self.compute = _leave
        self.settle = _leave
        self.place = lambda value: value
        self.at_once = lambda size: False


HOOKS = Hooks()


def is_captured(size: float) -> bool:
    """Return whether an array of so many elements that is to be made may become pending."""
    return size >= HOOKS.smallest and not HOOKS.at_once(int(size))
