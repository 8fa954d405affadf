"""MATLAB doctests: the ``>>`` examples of a builtin's docstring, collected and run.

An example is a line that starts with ``>>``, further lines that start with ``..`` when the input
goes on, and the output that follows up to the next example or blank line. The examples of one
docstring run in order in one session with ``format compact``; blank lines in the output do not
count. A line ``...`` in the expected output stands for any text, and so does ``...`` inside a line.
"""

from __future__ import annotations

import re
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from runmat_core.api.errors import MatlabError

if TYPE_CHECKING:
    from runmat_core.session.session import Session


@attrs.frozen
class Example:
    """One input and its expected output; `line` counts from the start of the docstring."""

    source: str
    expected: str
    line: int


@attrs.frozen
class Failure:
    example: Example
    actual: str

    def __str__(self) -> str:
        shown = textwrap.indent(self.actual or "(nothing)", "    ")
        wanted = textwrap.indent(self.example.expected or "(nothing)", "    ")
        return f">> {self.example.source}\n  expected\n{wanted}\n  got\n{shown}"


def collect(docstring: str) -> list[Example]:
    """Return the examples of a docstring, in order."""
    return list(_examples(textwrap.dedent(_indent_first_line(docstring)).splitlines()))


def _indent_first_line(docstring: str) -> str:
    # dedent ignores blank lines, so an empty first line keeps the summary out of the margin
    first, _, rest = docstring.partition("\n")
    return f"\n{rest}" if rest else first


def _examples(lines: list[str]) -> Iterator[Example]:
    k = 0
    while k < len(lines):
        stripped = lines[k].lstrip()
        if not stripped.startswith(">>"):
            k += 1
            continue
        margin = len(lines[k]) - len(stripped)
        start = k
        source = [stripped[2:].strip()]
        k += 1
        while k < len(lines) and lines[k].lstrip().startswith(".. "):
            source.append(lines[k].lstrip()[3:])
            k += 1
        output = []
        while k < len(lines) and lines[k].strip() and not lines[k].lstrip().startswith(">>"):
            output.append(lines[k][margin:].rstrip())
            k += 1
        yield Example("\n".join(source), "\n".join(output), start)


@contextmanager
def own_folder() -> Iterator[str]:
    """Yield a folder for what examples write, which `tempname` uses and which goes afterwards."""
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        try:
            yield folder
        finally:
            tempfile.tempdir = before


def run(docstring: str, session: Session) -> list[Failure]:
    """Run the examples of `docstring` in `session`; what did not come out as written.

    An uncaught error's output is ``Error: `` and its message.
    """
    failures = []
    session.run("format compact")
    for example in collect(docstring):
        try:
            actual = session.capture(example.source)
        except MatlabError as error:
            actual = f"Error: {error.message}"
        if not _matches(example.expected, actual):
            failures.append(Failure(example, actual))
    return failures


def _normalised(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def _matches(expected: str, actual: str) -> bool:
    pattern = re.escape(_normalised(expected)).replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, _normalised(actual), re.DOTALL) is not None
