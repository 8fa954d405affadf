"""``runmat test``: the tests of files and folders, a summary, and a report for build services."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from runmat_core.api.errors import MatlabError
from runmat_core.cli.run import new_session, print_report

if TYPE_CHECKING:
    import argparse

    from runmat_core.builtins.testing.values import Result


def test(options: argparse.Namespace) -> int:
    session = new_session(options)
    if session is None:
        return 1
    with session:
        try:
            for folder in options.path or ():
                session.function("addpath")(folder, nargout=0)
            results = session.run_tests(options.paths, options.name or (), options.tag or ())
            if options.junit:
                from runmat_core.builtins.testing.junit import write_report

                write_report(options.junit, results)
        except MatlabError as error:
            print_report(session, error)
            return 1
    if not results:
        sys.stderr.write("runmat: there are no such tests.\n")
        return 1
    return 1 if any(one.failed or _was_not_run(one) for one in results) else 0


def _was_not_run(result: Result) -> bool:
    """Whether a fatal assertion kept a test from running."""
    return result.incomplete and not result.reasons
