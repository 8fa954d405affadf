"""The tests below folders, run together: what ``runmat test`` does."""

from __future__ import annotations

import os
from collections.abc import Sequence

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.testing.finding import find_tests
from runmat_core.builtins.testing.qualify import LINE
from runmat_core.builtins.testing.runner import run_tests
from runmat_core.builtins.testing.values import Record, Result, chosen, totals
from runmat_core.values import cell, char


def run_below(
    interp: Interp, paths: Sequence[str], names: Sequence[str], tags: Sequence[str]
) -> list[Result]:
    """Run the tests of files and folders and print what they come to.

    A file whose tests cannot be found counts as a test that failed.
    """
    unread: list[Result] = []

    def excluded(file: str, error: MatlabError) -> None:
        name = os.path.basename(file).removesuffix(".m")
        result = Result(f"{name}/(file)", failed=True, incomplete=True)
        result.reason("Cannot be read.")
        report = f"The tests of '{file}' cannot be found.\n{error.message}"
        result.records.append(Record("ExceptionThrown", report))
        interp.write(f"\n{LINE}\n{report}\n{LINE}\n\n")
        unread.append(result)

    tests = [test for path in paths for test in find_tests(interp, path, True, True, excluded)]
    wanted = {"Name": names, "Tag": tags}
    given = {option: cell(map(char, words)) for option, words in wanted.items() if words}
    results = [*unread, *run_tests(interp, chosen(tests, given)).items()]
    if results:
        interp.write(totals(results))
    return results
