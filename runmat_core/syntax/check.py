"""Checking files without running them, for ``runmat check``."""

from __future__ import annotations

import os

import attrs

from runmat_core.api.errors import MatlabError
from runmat_core.syntax.errors import MatlabSyntaxError
from runmat_core.syntax.parser import parse
from runmat_core.syntax.source import read_source


@attrs.frozen
class Problem:
    """One thing wrong with a file; line and column count from one and are 0 for the whole file."""

    filename: str
    line: int
    column: int
    message: str
    hint: str = ""

    def __str__(self) -> str:
        """Return the problem on one line, as compilers print them."""
        place = f"{self.filename}:{self.line}:{self.column}" if self.line else self.filename
        return f"{place}: {self.message}" + (f" {self.hint}" if self.hint else "")


def check_file(path: str | os.PathLike[str], dialect: str = "matlab") -> list[Problem]:
    """Return what keeps the file at `path` from running, as far as its text tells."""
    name = os.fspath(path)
    try:
        parse(read_source(path), filename=name, dialect=dialect)
    except MatlabSyntaxError as error:
        return [Problem(name, error.line, error.column, error.summary, error.hint)]
    except MatlabError as error:
        return [Problem(name, 0, 0, error.message, error.hint)]
    return []
