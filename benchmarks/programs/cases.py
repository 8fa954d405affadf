"""The programs: what each prints at its own size and at a small one.

A program is a script in ``looked_at`` or ``held_out``. Its first line is its size, such as
``n = 200;``. The comment that follows says what it does and what it prints at two sizes, its own
and a small one for tests, as ``At n = 20: 7 0.125``. Functions follow the statements.

Programs of ``held_out`` are measured only: nobody profiles them or tunes for them, so that they
show what holds for programs that nobody has looked at.
"""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path

import attrs

FOLDER = Path(__file__).parent
HALVES = ("looked_at", "held_out")
_PRINTS = re.compile(r"^% At (\w+ = [^:]+): (.*)$", re.MULTILINE)
_REFUSED = re.compile(r"^% Not for Octave: (.*)$", re.MULTILINE)
_FUNCTION = re.compile(r"^function\b", re.MULTILINE)
#: Least relative difference of two numbers that counts as a wrong result.
TOLERANCE = 1e-5


class WrongResultError(Exception):
    """A program printed something else than it should."""


@attrs.frozen
class Program:
    """A program and its results.

    Attributes:
        half: ``looked_at`` or ``held_out``.
        results: what it prints, by the line that sets its size; the first is its own size.
        refused: why Octave 7 cannot run it; empty where it can.
    """

    name: str
    half: str
    text: str
    results: dict[str, str]
    refused: str = ""

    @property
    def size(self) -> str:
        """The size that it is measured at."""
        return next(iter(self.results))

    @property
    def small(self) -> str:
        """The size that tests run it at."""
        return list(self.results)[-1]

    def at(self, size: str) -> str:
        """The text of the program at another size."""
        return f"{size};\n{self.text.partition(chr(10))[2]}"

    def for_octave(self) -> str:
        """The text in the order that Octave needs: it defines functions as it comes to them."""
        start = _FUNCTION.search(self.text)
        if start is None:
            return self.text
        return f"1;\n{self.text[start.start() :]}\n{self.text[: start.start()]}"

    def check(self, printed: str, size: str = "") -> None:
        """Compare what the program printed with what it should.

        Raises:
            WrongResultError: they differ.
        """
        expected = self.results[size or self.size]
        if not agree(printed, expected):
            shown = " ".join(printed.split())[:200]
            raise WrongResultError(f"{self.name} printed {shown!r}, not {expected!r}")


def agree(printed: str, expected: str) -> bool:
    """Return whether two texts have the same words, and numbers within the tolerance."""
    found, wanted = printed.split(), expected.split()
    return len(found) == len(wanted) and all(map(_same, found, wanted))


def _same(found: str, wanted: str) -> bool:
    if found == wanted:
        return True
    try:
        return math.isclose(float(found), float(wanted), rel_tol=TOLERANCE, abs_tol=1e-12)
    except ValueError:
        return False


def program(path: Path) -> Program:
    """Read a program.

    Raises:
        ValueError: its first line or its comment does not hold what it must.
    """
    text = path.read_text()
    results = {size: shown.strip() for size, shown in _PRINTS.findall(text)}
    if len(results) != 2 or not text.startswith(f"{next(iter(results))};\n"):
        raise ValueError(f"{path.name} must start with its size and say what it prints at two")
    refused = _REFUSED.search(text)
    return Program(path.stem, path.parent.name, text, results, refused[1] if refused else "")


def programs() -> list[Program]:
    """All programs, by name."""
    found = [program(path) for half in HALVES for path in (FOLDER / half).glob("*.m")]
    return sorted(found, key=lambda each: each.name)


def write(text: str, name: str, folder: Path) -> Path:
    """Write a program into a folder, with the classes that programs use."""
    shutil.copytree(FOLDER / "classes", folder, dirs_exist_ok=True)
    path = folder / f"{name}.m"
    path.write_text(text)
    return path
