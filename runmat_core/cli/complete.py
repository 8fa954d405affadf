"""Tab completion: which names can stand where the cursor is. Knows nothing of terminals."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import attrs

KEYWORDS = (
    "break case catch continue else elseif end for function global if otherwise parfor persistent "
    "return spmd switch try while"
).split()

#: the word before the cursor: an identifier with dots, as in ``s.inner.na``
DOTTED = re.compile(r"([A-Za-z]\w*(?:\.\w*)*)$")

#: functions whose char argument, or command-syntax argument, names a file
FILE_COMMANDS = frozenset({"cd", "delete", "edit", "load", "ls", "mkdir", "rmdir", "run", "type"})


class Names(Protocol):
    """What a session knows."""

    def variables(self) -> Iterable[str]: ...

    def functions(self) -> Iterable[str]: ...

    def fields(self, path: list[str]) -> Iterable[str]:
        """Return the fields, or methods, of the value at ``path[0].path[1]…``."""

    def folder(self) -> Path: ...


@attrs.frozen
class Completion:
    """Text that replaces what stands before the cursor from `start` (counted back) on."""

    text: str
    start: int
    kind: str


def complete(line: str, names: Names) -> list[Completion]:
    """Completions at the end of `line`, best first, without duplicates."""
    fragment = _open_quote(line)
    if fragment is None:
        command = re.match(r"\s*([A-Za-z]\w*)\s+(\S*)$", line)
        if command and command[1] in FILE_COMMANDS:
            fragment = command[2]
    if fragment is not None:
        return _files(fragment, names.folder())
    word = DOTTED.search(line)
    if word is None:
        return []
    *path, prefix = word[1].split(".")
    if path:
        return _matching(prefix, names.fields(path), "field")
    found = _matching(prefix, names.variables(), "variable")
    found += _matching(prefix, names.functions(), "function")
    found += _matching(prefix, KEYWORDS, "keyword")
    first: dict[str, Completion] = {}
    for completion in found:
        first.setdefault(completion.text, completion)
    return list(first.values())


def _matching(prefix: str, candidates: Iterable[str], kind: str) -> list[Completion]:
    return [Completion(c, -len(prefix), kind) for c in sorted(candidates) if c.startswith(prefix)]


def _open_quote(line: str) -> str | None:
    """Return the text after a quote that is still open at the end of `line`, or None."""
    start: int | None = None
    quote = ""
    for k, ch in enumerate(line):
        if start is not None:
            if ch == quote:
                start = None
        elif ch == '"' or (ch == "'" and not _ends_operand(line[:k])):
            start, quote = k + 1, ch
    return None if start is None else line[start:]


def _ends_operand(text: str) -> bool:
    # a quote right after an operand is a transpose
    return bool(text) and (text[-1].isalnum() or text[-1] in "_)]}'.")


def _files(fragment: str, folder: Path) -> list[Completion]:
    parent, _, prefix = fragment.rpartition("/")
    where = folder / (f"{parent}/" if fragment.startswith("/") else parent)
    try:
        entries = sorted(where.iterdir())
    except OSError:
        return []
    return [
        Completion(entry.name + ("/" if entry.is_dir() else ""), -len(prefix), "file")
        for entry in entries
        if entry.name.startswith(prefix) and (prefix or not entry.name.startswith("."))
    ]
