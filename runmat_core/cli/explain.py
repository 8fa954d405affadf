"""``runmat explain``: run a program and tell what was fused, where it ran, and why."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from runmat_core.accel.capture.starting import captures_late
from runmat_core.api.errors import MatlabError
from runmat_core.cli import interrupted
from runmat_core.cli.run import meant, new_session, not_there, print_report
from runmat_core.session.config import load

if TYPE_CHECKING:
    from runmat_core.accel.report.telemetry import Telemetry
    from runmat_core.compiler.uncaptured import Uncaptured

_LATE = (
    "\nCaptured from the first operation on. `runmat run` captures once host rules have worked on "
    "large arrays\nfor a while (accel.start_after).\n"
)


def explain(options: argparse.Namespace) -> int:
    try:
        settings = load(os.getcwd())
    except (MatlabError, OSError):
        settings = None  # the session says what is wrong with it
    # what a run captures after a while is shown from the first operation on
    late = settings is not None and captures_late(settings)
    if settings is not None and late:
        settings = settings.replace(accel__start_after=0)
    session = new_session(options, settings)
    if session is None:
        return 1
    telemetry = session.telemetry
    file = Path(options.file).absolute()
    failed = 0
    try:
        printed = session.capture_file(file, options.args)
    except MatlabError as error:
        nothing = not_there(error, options.file)
        if nothing:
            error.hint = meant(options.file)
        print_report(session, error)
        if nothing:
            return 1
        # what ran until then is worth telling all the same
        printed, failed = "", 1
    except KeyboardInterrupt:
        printed, failed = "", interrupted()
    if options.output:
        sys.stdout.write(printed)
    if telemetry is None:
        sys.stderr.write("runmat: acceleration is off (accel.provider is none).\n")
        return 1
    if options.json:
        sys.stdout.write(json.dumps(telemetry.as_dict(), indent=1) + "\n")
        return failed
    from runmat_core.accel.report.explain import explain as report
    from runmat_core.accel.report.explain import kernel_texts
    from runmat_core.accel.report.flowchart import mermaid

    if options.html:
        return _written(options.html, telemetry, file) or failed
    if options.mermaid:
        sys.stdout.write(mermaid(telemetry))
    elif options.kernels:
        sys.stdout.write(kernel_texts(telemetry))
    else:
        try:
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            lines = []
        sys.stdout.write(report(telemetry, str(file), lines, _uncaptured))
        if late and telemetry.runs:
            sys.stdout.write(_LATE)
    return failed


def _written(target: str, telemetry: Telemetry, file: Path) -> int:
    """Write the page of a program; whether that failed."""
    from runmat_core.accel.report.page import page

    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        Path(target).write_text(page(telemetry, str(file), lines), encoding="utf-8")
    except OSError as problem:
        sys.stderr.write(f"runmat: the page cannot be written: {problem}\n")
        return 1
    return 0


def _uncaptured(text: str) -> list[Uncaptured]:
    """Return the loops of a file that are never captured; none where it is no program by itself."""
    from runmat_core.compiler.uncaptured import uncaptured

    try:
        return uncaptured(text)
    except MatlabError:
        return []
