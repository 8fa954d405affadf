"""The `runmat` command: what all subcommands share.

Their names, the options of a plain run, and what Ctrl-C says.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Literal

from runmat_core.api.tuples import NamedTuple

EXIT_INTERRUPTED = 130

COMMANDS = tuple(
    "run repl test check explain info calibrate config builtins bench docs new test-plugin "
    "check-plugin".split()
)


class PlainRun(NamedTuple):
    """The options of a run without any, as the parser gives them."""

    file: str | None = None
    args: tuple[str, ...] = ()
    eval: str | None = None
    dialect: Literal["matlab", "octave"] | None = None
    telemetry: str | None = None
    trace: str | None = None
    command: str = "run"


def interrupted() -> int:
    """Say that Ctrl-C ended the program; return the exit status."""
    with suppress(OSError):
        sys.stderr.write("\nOperation terminated by user.\n")
    return EXIT_INTERRUPTED
