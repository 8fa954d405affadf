"""The tests below folders, run together: what ``runmat test`` does."""

from __future__ import annotations

from collections.abc import Sequence

from runmat_core.api.interp import Interp
from runmat_core.builtins.testing.choosing import chosen
from runmat_core.builtins.testing.finding import find_tests
from runmat_core.builtins.testing.runner import run_tests
from runmat_core.builtins.testing.values import Result, totals
from runmat_core.values import cell, char


def run_below(
    interp: Interp, paths: Sequence[str], names: Sequence[str], tags: Sequence[str]
) -> list[Result]:
    """Run the tests of files and folders and print what they come to."""
    tests = [test for path in paths for test in find_tests(interp, path, True, True)]
    wanted = {"Name": names, "Tag": tags}
    given = {option: cell(map(char, words)) for option, words in wanted.items() if words}
    results = run_tests(interp, chosen(tests, given)).items()
    if results:
        interp.write(totals(results))
    return results
