"""Runs tests and prints what comes of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from textwrap import indent
from typing import Any

import attrs

from runmat_core.api.interp import Interp
from runmat_core.api.progress import Progress
from runmat_core.builtins.testing.class_suites import from_above, inputs_of
from runmat_core.builtins.testing.diagnostics import boxed
from runmat_core.builtins.testing.qualify import LINE, Case, TestEndedError, cases
from runmat_core.builtins.testing.values import Parameter, Record, Result, ResultArray, Test
from runmat_core.values.error_report import format_report
from runmat_core.values.objects import making
from runmat_core.values.objects.info import ClassInfo, MethodInfo

_DONE = "_" * 10
#: Dots in a group, and in a line.
_GROUP, _ROW = 10, 50


class AllOverError(Exception):
    """A fatal assertion did not hold: no further test runs."""


@attrs.define(eq=False)
class Run:
    """How tests are run.

    Attributes:
        is_quiet: whether progress, reports and the summary are left out.
        stops: whether the first failure ends the run.
        level: log messages up to this verbosity are printed.
        is_strict: whether a warning fails the test that issues it.
        depth: how many frames of the stack are not the tests'.
        dots: how many tests of the file are over.
        progress: shows in a terminal which test runs.
    """

    interp: Interp
    progress: Progress
    is_quiet: bool = False
    stops: bool = False
    level: float = 1.0
    is_strict: bool = False
    depth: int = 0
    dots: int = 0

    def write(self, text: str) -> None:
        if not self.is_quiet:
            self.interp.write(text)

    def begin(self, test: Test) -> None:
        """Show in a terminal which test runs now, behind the dots."""
        if not self.is_quiet:
            dots = (self.dots - 1) % _ROW + 1 if self.dots else 0
            self.progress.column = dots + dots // _GROUP
            self.progress.step(test.full_name)

    def done(self) -> None:
        """Print the dot of a test that is over."""
        if self.dots and self.dots % _ROW == 0:
            self.write("\n")
        elif self.dots and self.dots % _GROUP == 0:
            self.write(" ")
        self.dots += 1
        self.write(".")

    def case(self, obj: Any, result: Result, info: ClassInfo | None) -> Case:
        """Return what the test case `obj` is about while the run uses it."""
        made = Case(self.interp, result, depth=self.depth, level=self.level)
        made.is_class, made.is_quiet = info is not None, self.is_quiet
        cases(self.interp)[obj.data] = made
        return made


def run_tests(interp: Interp, tests: Iterable[Test], **how: Any) -> ResultArray:
    """Run tests file by file; prints dots, failures and a summary."""
    pending = list(tests)
    results = [Result(test.full_name, incomplete=True) for test in pending]
    progress = Progress("", len(pending))
    run = Run(interp, progress, depth=len(interp.stack()), **how)
    at = 0
    try:
        for parent, group in groupby(pending, key=lambda test: test.parent):
            members = list(group)
            run.dots = 0
            run.write(f"Running {parent}\n")
            parts = groupby(members, key=lambda test: test.class_parameters)
            for part in [list(part) for _, part in parts]:
                _run_file(run, part, results[at : at + len(part)])
                at += len(part)
            run.write(f"\nDone {parent}\n{_DONE}\n\n")
    except AllOverError:
        progress.close()
        run.write("\nA fatal assertion failed: the remaining tests were not run.\n\n")
    if not run.is_quiet:
        _summarise(interp, results)
    return ResultArray(results)


@contextmanager
def _surroundings(interp: Interp, folder: str) -> Iterator[None]:
    """Yield the folder of the tests on the path meanwhile.

    Path and current folder as before after.
    """
    where, path = interp.current_directory(), interp.search_path()
    if folder and folder != where and folder not in path:
        interp.set_search_path([folder, *path])
    try:
        yield
    finally:
        if interp.current_directory() != where:
            interp.change_directory(where)
        interp.set_search_path(path)


def _run_file(run: Run, tests: Sequence[Test], results: Sequence[Result]) -> None:
    """Run the tests of one file or class between its fixtures; none where these fail."""
    first = tests[0]
    interp = run.interp
    with _surroundings(interp, first.base_folder):
        named = Result(first.full_name.partition("/")[0])
        around = Case(interp, named, depth=run.depth, is_quiet=run.is_quiet)
        if not _called(run, around, partial(_share_fixtures, interp, around, first.info)):
            _clean_up(run, around)
            _spread(named, results)
            return
        try:
            shared = _new_case(interp, first)
        except Exception as problem:
            _errored(run, named, interp.error_of(problem))
            _clean_up(run, around)
            _spread(named, results)
            return
        case = run.case(shared, named, first.info)
        try:
            if _set_up_once(run, first, shared, case):
                for test, result in zip(tests, results, strict=True):
                    run.begin(test)
                    _run_one(run, test, result, shared)
                    run.done()
                    if run.stops and result.failed:
                        raise AllOverError
            else:
                _spread(named, results)
        finally:
            before = len(named.records)
            _clean_up(run, case)
            _clean_up(run, around)
            if len(named.records) > before:
                _spread(named, results)


def _share_fixtures(interp: Interp, around: Case, info: ClassInfo | None) -> None:
    """Set up the fixtures that a class and those that it inherits from share with their tests."""
    from runmat_core.builtins.testing.fixtures import apply

    for one in reversed(info.ancestors.values()) if info is not None else ():
        made = one.attributes.get("SharedTestFixtures")
        for fixture in made(1).items() if made is not None else ():
            apply(interp, around, fixture)


def _spread(shared: Result, results: Iterable[Result]) -> None:
    """Give the tests of a file what became of its fixtures."""
    for result in results:
        result.failed = result.failed or shared.failed
        result.incomplete = result.incomplete or shared.incomplete
        result.records += shared.records
        for reason in shared.reasons:
            result.reason(reason)


def _new_case(interp: Interp, test: Test) -> Any:
    from runmat_core.builtins.testing.values import FUNCTION_CASE

    info = test.info or interp.find_class(FUNCTION_CASE)
    return making.construct(info, ())


def _set_up_once(run: Run, test: Test, shared: Any, case: Case) -> bool:
    """Run what stands before all tests of a file; False where it did not end as it should."""
    fixtures = test.fixtures
    if test.info is None:
        if fixtures.teardown_once is not None:
            case.cleanups.append(partial(run.interp.call, fixtures.teardown_once, (shared,), 0))
        return fixtures.setup_once is None or _called(
            run, case, partial(run.interp.call, fixtures.setup_once, (shared,), 0)
        )
    return _set_up(run, test.info, shared, case, "TestClass", test.class_parameters)


def _set_up(
    run: Run, info: ClassInfo, obj: Any, case: Case, kind: str, given: Sequence[Parameter]
) -> bool:
    """Run the set-up methods of a class, and note those that tear down."""
    for method in from_above(info, f"{kind}Teardown"):
        case.cleanups.append(_method(method, obj, given))
    return all(
        _called(run, case, _method(method, obj, given))
        for method in from_above(info, f"{kind}Setup")
    )


def _method(method: MethodInfo, obj: Any, given: Sequence[Parameter]) -> Callable[[], Any]:
    """Return a call of a method with the parameters that it takes."""
    assert method.fn is not None
    known = {one.prop: one.value for one in given}
    values = [known[name] for name in inputs_of(method) if name in known]
    return partial(method.fn, 0, obj, *values)


def _run_one(run: Run, test: Test, result: Result, shared: Any) -> None:
    obj = making.copied(shared)
    case = run.case(obj, result, test.info)
    result.incomplete = False
    started = time.perf_counter()
    try:
        with _strict(run, result):
            if _set_up_test(run, test, obj, case):
                _called(run, case, _body(run, test, obj))
    finally:
        _clean_up(run, case)
        result.duration = time.perf_counter() - started


@contextmanager
def _strict(run: Run, result: Result) -> Iterator[None]:
    """Fail the test for each warning meanwhile, where the run is strict."""
    if not run.is_strict:
        yield
        return
    from runmat_core.builtins.lang.warnings import states

    warnings = states(run.interp)
    before, warnings.heard = warnings.heard, []
    try:
        yield
    finally:
        issued, warnings.heard = warnings.heard, before
        for identifier in issued:
            report = f"{result.name} issued the warning '{identifier}'."
            run.write(f"\n{LINE}\n{report}\n{LINE}\n")
            result.records.append(Record("WarningIssued", report))
            result.failed = True
            result.reason("Failed by issuing warnings.")


def _set_up_test(run: Run, test: Test, obj: Any, case: Case) -> bool:
    if test.info is not None:
        given = (*test.class_parameters, *test.setup_parameters)
        return _set_up(run, test.info, obj, case, "TestMethod", given)
    fixtures = test.fixtures
    if fixtures.teardown is not None:
        case.cleanups.append(partial(run.interp.call, fixtures.teardown, (obj,), 0))
    return fixtures.setup is None or _called(
        run, case, partial(run.interp.call, fixtures.setup, (obj,), 0)
    )


def _body(run: Run, test: Test, obj: Any) -> Callable[[], Any]:
    if isinstance(test.body, str):
        return lambda: run.interp.evaluate(test.body, run.interp.empty_workspace())
    if isinstance(test.body, MethodInfo):
        return _method(test.body, obj, test.all_parameters)
    return partial(run.interp.call, test.body, (obj,), 0)


def _clean_up(run: Run, case: Case) -> None:
    """Run what was added for the end, all of it whatever fails."""
    while case.cleanups:
        _called(run, case, case.cleanups.pop())


def _called(run: Run, case: Case, body: Callable[[], Any]) -> bool:
    """Run a part of a test; False where it did not end as it should."""
    try:
        with run.interp.callbacks():
            body()
    except TestEndedError as ended:
        if ended.form == "fatalAssert":
            raise AllOverError from None
        return False
    except AllOverError:
        raise
    except Exception as problem:
        error = run.interp.error_of(problem)
        if isinstance(error, TestEndedError):
            return False
        _errored(run, case.result, error)
        return False
    return True


def _errored(run: Run, result: Result, error: Any) -> None:
    """Note an error that a test raised."""
    report = format_report(error)
    parts = [boxed("Error ID:"), f"'{error.identifier}'", boxed("Error Details:"), report]
    details = "\n".join(parts)
    title = f"Error occurred in {result.name} and it did not run to completion."
    text = f"{title}\n{indent(details, '    ')}"
    run.write(f"\n{LINE}\n{text}\n{LINE}\n")
    result.records.append(Record("ExceptionThrown", text, details, error.stack))
    result.failed = result.incomplete = True
    result.reason("Errored.")


def _summarise(interp: Interp, results: Sequence[Result]) -> None:
    bad = [result for result in results if not result.passed]
    if not bad:
        return
    width = max(len(result.name) for result in bad)
    lines = ["Failure Summary:", ""]
    heading = f"     {'Name'.ljust(width)}  Failed  Incomplete  Reason(s)"
    lines.append(heading)
    rows = []
    for result in bad:
        failed, left = ("X" if flag else " " for flag in (result.failed, result.incomplete))
        reasons = " ".join(result.reasons) or "Not run."
        rows.append(f"     {result.name.ljust(width)}    {failed}         {left}       {reasons}")
    lines.append("    " + "=" * (max(map(len, [heading, *rows])) - 2))
    interp.write("\n".join([*lines, *rows]) + "\n\n")
