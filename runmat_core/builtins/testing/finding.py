"""From names of files, functions, classes and folders to the tests in them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from runmat_core.api.errors import MatlabError
from runmat_core.api.folders import expand_home
from runmat_core.api.interp import Interp
from runmat_core.builtins.testing.class_suites import tests_of_class
from runmat_core.builtins.testing.values import Fixtures, Test, TestArray
from runmat_core.values import char

_SECTION = re.compile(r"^\s*%%(.*)$", re.MULTILINE)
_FUNCTION = re.compile(r"^\s*function\b", re.MULTILINE)
#: Errors of files that have the name or the form of tests and are none.
_NO_TESTS = ("MATLAB:unittest:TestSuite:NonTestClass", "MATLAB:unittest:TestSuite:NotATest")
_TEST_CASE = "matlab.unittest.TestCase"


def is_test_name(name: str) -> bool:
    low = name.lower()
    return low.startswith("test") or low.endswith("test")


def _sections(source: str, parent: str, file: str) -> list[Test]:
    """Return the tests of a script: its sections, after what stands before the first one."""
    functions = _FUNCTION.search(source)
    code = source[: functions.start()] if functions else source
    marks = list(_SECTION.finditer(code))
    if not marks:
        return [Test(parent, parent, source, Fixtures(file=file))]
    tests: list[Test] = []
    tail = source[functions.start() :] if functions else ""
    before = code[: marks[0].start()]
    for number, mark in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(code)
        body = code[mark.end() : end]
        if not re.sub(r"%.*", "", body).strip():
            continue
        name = _section_name(mark[1], len(tests) + 1, {test.name for test in tests})
        tests.append(Test(parent, name, f"{before}\n{body}\n{tail}", Fixtures(file=file)))
    return tests


def _section_name(title: str, number: int, taken: set[str]) -> str:
    """Return a name made of a title: words joined, each with a capital."""
    words = re.findall(r"[A-Za-z0-9]+", title)
    name = words[0] + "".join(w[0].upper() + w[1:] for w in words[1:]) if words else ""
    if not name:
        name = f"TestSection{number}"
    elif not name[0].isalpha():
        name = f"x{name}"
    base, count = name, 0
    while name in taken:
        count += 1
        name = f"{base}_{count}"
    return name


def find_in_file(interp: Interp, file: str) -> list[Test]:
    """Return the tests of a .m file: of its class, its function, or its sections.

    Raises:
        MatlabError: there are none.
    """
    name = os.path.basename(file).removesuffix(".m")
    source = _source(file)
    kind = _kind(source)
    if kind == "script":
        return _sections(source, name, file)
    folder, package = _folder_of(file)
    path = interp.search_path()
    if folder != interp.current_directory() and folder not in path:
        interp.set_search_path([folder, *path])
    try:
        full = f"{package}.{name}" if package else name
        if kind == "class":
            return _tests_of_class(interp, full)
        made = interp.call(char(full), (), 1)
    finally:
        interp.set_search_path(path)
    if not isinstance(made, TestArray):
        raise MatlabError(
            "MATLAB:unittest:TestSuite:NotATest", f"'{name}' returns no tests (functiontests)."
        )
    return made.items()


def _tests_of_class(interp: Interp, name: str) -> list[Test]:
    info = interp.find_class(name)
    if info is None or not info.is_a(_TEST_CASE):
        raise MatlabError(
            "MATLAB:unittest:TestSuite:NonTestClass",
            f"The class '{name}' does not inherit from {_TEST_CASE}.",
        )
    return tests_of_class(info)


def _source(file: str) -> str:
    with open(file, encoding="utf-8", errors="replace") as stream:
        return stream.read()


def _kind(source: str) -> str:
    """Return what a file holds: a class, functions or a script."""
    code = re.sub(r"(?m)^\s*(%.*)?\n", "", source).lstrip()
    word = re.match(r"[A-Za-z]*", code)
    first = word[0] if word else ""
    return {"classdef": "class", "function": "functions"}.get(first, "script")


def _folder_of(file: str) -> tuple[str, str]:
    """Return the folder that has to be on the path for a file to be found, and its package."""
    folder = os.path.dirname(file)
    packages: list[str] = []
    if os.path.basename(folder).startswith("@"):
        folder = os.path.dirname(folder)
    while os.path.basename(folder).startswith("+"):
        packages.insert(0, os.path.basename(folder)[1:])
        folder = os.path.dirname(folder)
    return folder, ".".join(packages)


#: Called for each file of a folder whose tests cannot be found, with the reason.
Excluded = Callable[[str, MatlabError], None]


def find_in_folder(
    interp: Interp,
    folder: str,
    below: bool = False,
    packages: bool = False,
    excluded: Excluded | None = None,
) -> list[Test]:
    """Return the tests in the files of a folder, and of those below it.

    Files that cannot be read are left out with a warning, or handed to `excluded`.
    """
    found = []
    for file in _test_files(folder, below, packages):
        try:
            found += find_in_file(interp, file)
        except Exception as problem:
            error = interp.error_of(problem)
            if error.identifier in _NO_TESTS:
                continue
            if excluded is not None:
                excluded(file, error)
                continue
            interp.warn(
                "MATLAB:unittest:TestSuite:FileExcluded",
                f"The tests of '{file}' were left out:\n{error.message}",
            )
    return found


def _test_files(folder: str, below: bool, packages: bool) -> Iterator[str]:
    """Yield the files that may hold tests: all classes, and what has the name of a test."""
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if _is_entered(f, below, packages))
        for name in sorted(files):
            file = os.path.join(here, name)
            if not name.endswith(".m") or name.startswith("."):
                continue
            if is_test_name(name[:-2]) or _kind(_source(file)) == "class":
                yield file


def _is_entered(name: str, below: bool, packages: bool) -> bool:
    if name.startswith("+"):
        return packages
    if name.startswith("@"):
        return True
    return below and name != "private" and not name.startswith(".")


def find_tests(
    interp: Interp,
    name: str,
    below: bool = False,
    packages: bool = False,
    excluded: Excluded | None = None,
) -> list[Test]:
    """Return the tests that a name stands for.

    It is a folder, a file, a function, a class, a package, or a single test.

    Raises:
        MatlabError: it stands for none.
    """
    place = os.path.normpath(os.path.join(interp.current_directory(), expand_home(name)))
    if os.path.isdir(place):
        return find_in_folder(interp, place, below, packages, excluded)
    file = _file(interp, name, place)
    if file is not None:
        return find_in_file(interp, file)
    package = package_folder(interp, name)
    if package is not None:
        return find_in_folder(interp, package, packages=packages)
    parent, _, procedure = name.partition("/")
    if procedure:
        return named_test(interp, parent, name)
    raise MatlabError(
        "MATLAB:unittest:TestSuite:UnrecognizedSuite",
        f"There is no file, function or folder of tests '{name}'.",
    )


def _file(interp: Interp, name: str, place: str) -> str | None:
    for candidate in (place, f"{place}.m"):
        if os.path.isfile(candidate):
            return candidate
    if "/" in name or os.sep in name:
        return None
    return interp.find_file(name)


def package_folder(interp: Interp, name: str) -> str | None:
    """Return the folder of a package on the path."""
    if not re.fullmatch(r"\w+(\.\w+)*", name):
        return None
    below = os.path.join(*(f"+{part}" for part in name.split(".")))
    for folder in (interp.current_directory(), *interp.search_path()):
        if os.path.isdir(os.path.join(folder, below)):
            return os.path.join(folder, below)
    return None


def named_test(interp: Interp, parent: str, name: str) -> list[Test]:
    """Return the tests of a file or class whose full name or procedure is `name`.

    Raises:
        MatlabError: there is none.
    """
    plain = parent.partition("[")[0]
    tests = find_tests(interp, plain)
    wanted = name.rpartition("/")[2]
    found = [t for t in tests if t.full_name == name] or [t for t in tests if t.name == wanted]
    if not found:
        raise MatlabError(
            "MATLAB:unittest:TestSuite:InvalidTestName",
            f"There is no test '{wanted}' in '{plain}'.",
        )
    return found
