"""Results of tests in an XML file in JUnit's format, which build services read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.testing.values import Result

#: What XML 1.0 cannot hold.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_report(file: str, results: Sequence[Result]) -> None:
    """Write results as test suites, one for each file or class of tests.

    Raises:
        MatlabError: the file cannot be written.
    """
    root = ElementTree.Element("testsuites")
    for parent, group in groupby(results, key=lambda result: result.name.partition("/")[0]):
        members = list(group)
        suite = ElementTree.SubElement(root, "testsuite", _counts(parent, members))
        for result in members:
            _add(suite, parent, result)
    ElementTree.indent(root)
    try:
        ElementTree.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)
    except OSError as problem:
        raise MatlabError(
            "MATLAB:unittest:XMLPlugin:CannotWriteFile",
            f"The file '{file}' cannot be written: {problem.strerror or problem}.",
        ) from None


def _counts(name: str, results: Sequence[Result]) -> dict[str, str]:
    errors = sum(_is_error(one) for one in results)
    failures = sum(one.failed for one in results) - errors
    skipped = sum(one.incomplete and not one.failed for one in results)
    seconds = sum(one.duration for one in results)
    return {
        "name": name,
        "tests": str(len(results)),
        "failures": str(failures),
        "errors": str(errors),
        "skipped": str(skipped),
        "time": f"{seconds:.6f}",
    }


def _is_error(result: Result) -> bool:
    return any(record.event == "ExceptionThrown" for record in result.records)


def _add(suite: ElementTree.Element, parent: str, result: Result) -> None:
    name = result.name.partition("/")[2]
    given = {"classname": parent, "name": name, "time": f"{result.duration:.6f}"}
    case = ElementTree.SubElement(suite, "testcase", given)
    if result.passed:
        return
    tag = "skipped"
    if result.failed:
        tag = "error" if _is_error(result) else "failure"
    shown = "\n\n".join(record.report for record in result.records)
    found = ElementTree.SubElement(case, tag)
    found.set("message", " ".join(result.reasons) or "Not run.")
    if tag != "skipped":
        found.set("type", result.records[0].event if result.records else "Failed")
    found.text = _FORBIDDEN.sub("�", shown)
