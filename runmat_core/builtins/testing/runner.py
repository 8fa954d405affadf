"""Runs tests and prints what came of them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.testing.qualify import LINE, TestCase, TestEndedError
from runmat_core.builtins.testing.values import Fixtures, Result, ResultArray, Test
from runmat_core.values.error_report import format_report

_DONE = "_" * 10


class _AllOverError(Exception):
    """A fatal assertion did not hold: no further test runs."""


def run_tests(interp: Interp, tests: Iterable[Test]) -> ResultArray:
    """Run tests file by file; prints dots, failures and a summary."""
    pending = list(tests)
    results = [Result(test.full_name, incomplete=True) for test in pending]
    at = 0
    try:
        for parent, group in groupby(pending, key=lambda test: test.parent):
            members = list(group)
            interp.write(f"Running {parent}\n")
            _run_file(interp, members, results[at : at + len(members)])
            at += len(members)
            interp.write(f"\nDone {parent}\n{_DONE}\n\n")
    except _AllOverError:
        interp.write("\nA fatal assertion failed: the remaining tests were not run.\n\n")
    _summarise(interp, results)
    return ResultArray(results)


def _run_file(interp: Interp, tests: list[Test], results: list[Result]) -> None:
    """The tests of one file between its fixtures; where these fail, no test runs."""
    fixtures = tests[0].fixtures
    shared = TestCase(interp, Result(tests[0].parent))
    where = interp.current_directory()
    path = interp.search_path()
    folder = os.path.dirname(fixtures.file)
    if folder and folder != where and folder not in path:
        interp.set_search_path([folder, *path])
    try:
        if fixtures.setup_once is not None and not _called(
            interp, fixtures.setup_once, shared, shared.data.result
        ):
            for result in results:
                result.failed = shared.data.result.failed
                result.reasons = list(shared.data.result.reasons)
            return
        for test, result in zip(tests, results, strict=True):
            _run_one(interp, test, result, shared.get_property("TestData"))
            interp.write("F" if result.failed else "." if result.passed else "I")
    finally:
        if fixtures.teardown_once is not None:
            _called(interp, fixtures.teardown_once, shared, shared.data.result)
        shared.clean_up()
        if interp.current_directory() != where:
            interp.change_directory(where)
        interp.set_search_path(path)


def _run_one(interp: Interp, test: Test, result: Result, data: Any) -> None:
    case = TestCase(interp, result, data)
    result.incomplete = False
    fixtures: Fixtures = test.fixtures
    started = time.perf_counter()
    try:
        if fixtures.setup is None or _called(interp, fixtures.setup, case, result):
            _called(interp, test.body, case, result)
    finally:
        if fixtures.teardown is not None:
            _called(interp, fixtures.teardown, case, result)
        case.clean_up()
        result.duration = time.perf_counter() - started


def _called(interp: Interp, body: Any, case: TestCase, result: Result) -> bool:
    """Call a function of a test file, or run a section; False where it did not end as it should."""
    try:
        if isinstance(body, str):
            interp.evaluate(body, interp.empty_workspace())
        else:
            interp.call(body, (case,), 0)
    except TestEndedError as ended:
        if ended.form == "fatalAssert":
            raise _AllOverError from None
        return False
    except (MatlabError, Exception) as problem:
        error = interp.error_of(problem)
        if isinstance(error, TestEndedError):
            return False
        report = f"\n{LINE}\nError occurred in {result.name}.\n\n{format_report(error)}\n{LINE}\n"
        interp.write(report)
        result.report += report
        result.failed = result.incomplete = True
        result.reason("Errored.")
        return False
    return True


def _summarise(interp: Interp, results: list[Result]) -> None:
    bad = [result for result in results if not result.passed]
    if not bad:
        return
    width = max(len(result.name) for result in bad)
    lines = ["Failure Summary:", ""]
    lines.append(f"     {'Name'.ljust(width)}  Failed  Incomplete  Reason(s)")
    lines.append("    " + "=" * (width + 32))
    for result in bad:
        failed, left = ("X" if flag else " " for flag in (result.failed, result.incomplete))
        reasons = " ".join(result.reasons) or "Not run."
        lines.append(f"     {result.name.ljust(width)}    {failed}         {left}       {reasons}")
    interp.write("\n".join(lines) + "\n\n")
