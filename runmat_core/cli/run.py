"""``runmat run``: a file, code from the command line, or standard input."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from runmat_core.api.errors import MatlabError
from runmat_core.api.front import front_of
from runmat_core.cli import COMMANDS
from runmat_core.compiler.host import debugging
from runmat_core.session.session import Session

if TYPE_CHECKING:
    import argparse

    from runmat_core.accel.report.telemetry import Telemetry
    from runmat_core.cli import PlainRun
    from runmat_core.session.config import Config


def run(options: argparse.Namespace | PlainRun) -> int:
    if not gc.isenabled():
        # what is loaded stays; the session is collected as ever, or destructors would not run
        gc.freeze()
    session = new_session(options)
    gc.enable()
    if session is None:
        return 1
    front = front_of(session.interp)
    front.attended = True
    saved = True
    wanted = options.telemetry or options.trace
    recorded = session.telemetry if wanted else None
    if wanted and recorded is None:
        sys.stderr.write("runmat: acceleration is off (accel.provider is none): no record.\n")
        saved = False
    try:
        if options.eval is not None:
            session.run(options.eval)
        elif options.file in (None, "-"):
            session.run(decoded(sys.stdin.buffer.read()))
        else:
            session.run_file(options.file, options.args)
        front.end()
    except MatlabError as error:
        if not_there(error, options.file):
            error.hint = meant(options.file or "")
        print_report(session, error)
        return 1
    finally:
        if recorded is not None:
            saved = save(recorded, options)
    return 0 if saved else 1


def not_there(error: MatlabError, name: str | None) -> bool:
    """Whether what failed is that there is no file of this name."""
    return error.identifier == "MATLAB:run:FileNotFound" and not os.path.exists(name or "")


def meant(name: str) -> str:
    """Return a question about the file or command that a name may be a misspelling of."""
    import difflib
    from pathlib import Path

    given = Path(name)
    beside = [path.name for path in given.parent.glob("*.m")]
    commands = [] if "." in name or given.name != name else list(COMMANDS)
    if close := difflib.get_close_matches(given.name, commands, 1, 0.7):
        return f"Did you mean the command 'runmat {close[0]}'?"
    close = difflib.get_close_matches(given.name.removesuffix(".m") + ".m", beside, 1, 0.7)
    return f"Did you mean {given.with_name(close[0])}?" if close else ""


def save(recorded: Telemetry, options: argparse.Namespace | PlainRun) -> bool:
    """Write the record where the options say; whether that worked."""
    try:
        if options.telemetry:
            recorded.write(options.telemetry)
        if options.trace:
            recorded.write_chrome_trace(options.trace)
    except OSError as problem:
        sys.stderr.write(f"runmat: the record cannot be written: {problem}\n")
        return False
    return True


def decoded(data: bytes) -> str:
    """Source text from a stream, by the same rules as a file's."""
    from runmat_core.syntax.source import decode_source

    return decode_source(data, "standard input")


def new_session(
    options: argparse.Namespace | PlainRun, config: Config | None = None
) -> Session | None:
    """Return a session under the command's options; None after an error of the configuration.

    Args:
        config: None: that of the current folder.
    """
    try:
        return Session(dialect=options.dialect, config=config)
    except MatlabError as error:
        print_configuration_error(error)
        return None


def print_configuration_error(error: MatlabError) -> None:
    sys.stderr.write(f"runmat: {error.message}\n")
    if error.hint:
        sys.stderr.write(f"  {error.hint}\n")


def print_report(session: Session, error: MatlabError) -> None:
    sys.stdout.flush()
    if debugging():
        import traceback

        traceback.print_exception(error)
    sys.stderr.write(session.report(error) + "\n")
