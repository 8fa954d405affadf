"""The loop that turns a tree into text, and the registry of what it writes for each node type.

A node type has a function that gives the parts of its text: strings and further nodes. The loop
expands them from a stack, so depth costs no Python frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

#: A piece of text or a node that is still to be written.
Part = Any
#: One level of indentation more, one less, a new line at the present indentation.
OPEN, CLOSE, LINE = object(), object(), object()

#: The parts of a node's text; `blank` goes around operators and after commas.
Writer = Callable[[Any, str], Sequence[Part]]
_WRITERS: dict[type, Writer] = {}


def writes(*types: type) -> Callable[[Writer], Writer]:
    """Register a function as the writer of `types`."""

    def register(writer: Writer) -> Writer:
        _WRITERS.update(dict.fromkeys(types, writer))
        return writer

    return register


def write(node: Any, blank: str) -> str:
    """Return the text of `node`."""
    out: list[str] = []
    depth = 0
    todo: list[Part] = [node]
    while todo:
        part = todo.pop()
        if part.__class__ is str:
            out.append(part)
        elif part is LINE:
            out.append("\n" + "    " * depth)
        elif part is OPEN:
            depth += 1
        elif part is CLOSE:
            depth -= 1
        else:
            todo.extend(reversed(_WRITERS[type(part)](part, blank)))
    return "".join(out)


def joined(items: Iterable[Part], separator: str) -> list[Part]:
    """Return the items with a separator between them."""
    parts: list[Part] = []
    for item in items:
        if parts:
            parts.append(separator)
        parts.append(item)
    return parts
