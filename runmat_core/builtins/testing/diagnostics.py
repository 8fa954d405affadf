"""The layout of diagnostics: what a check says, with values below their labels."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import indent
from typing import Any

from runmat_core.values import FunctionHandle, from_numpy, is_text, text, texts
from runmat_core.values.display import display

#: As much of a value as a diagnostic shows.
_MOST_LINES = 60
_STEP = " " * 4


def body(value: Any) -> str:
    """Return a value as its display shows it, without its name."""
    if isinstance(value, FunctionHandle):
        return f"  function_handle with value:\n\n    {_handle_text(value)}"
    lines = display("x", value).strip("\n").split("\n")[1:]
    while lines and not lines[0].strip():
        del lines[0]
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], "    ..."]
    return "\n".join(lines).rstrip("\n ")


def _handle_text(value: FunctionHandle) -> str:
    lines = display("x", value).strip("\n").split("\n")
    return lines[-1].strip()


def labelled(*pairs: tuple[str, str]) -> str:
    """Labels, each with its text below."""
    return "\n".join(f"{label}:\n{indent(shown, _STEP)}" for label, shown in pairs)


def values(*pairs: tuple[str, Any]) -> str:
    """Labels, each with a value below as the display shows it."""
    return "\n" + "\n".join(f"{label}:\n{body(value)}" for label, value in pairs)


def says(sentence: str, details: str = "") -> str:
    """One arrow of a diagnostic, with details indented below."""
    return f"--> {sentence}" + (f"\n    \n{indent(details, _STEP)}" if details else "")


def joined(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part)


def quoted(word: str) -> str:
    return f"'{word}'"


def size_row(size: Iterable[int]) -> str:
    """Return a size as the display of a row of numbers shows it, without its margin."""
    return "".join(f"{extent:6d}" for extent in size).removeprefix(_STEP)


def boxed(heading: str) -> str:
    """Return a heading of a report between lines of dashes."""
    line = "-" * len(heading)
    return f"{line}\n{heading}\n{line}"


def note_text(note: Any) -> str:
    """Return a diagnostic that a test gives as text; several rows or strings below each other."""
    if is_text(note):
        return text(note)
    return "\n".join(texts(note))


def column(data: Any) -> Any:
    """Return a column of numbers as a MATLAB value."""
    return from_numpy(data.reshape(-1, 1))
