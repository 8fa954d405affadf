"""Fixtures: what a test sets up, and what is put back when it is over."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.folders import expand_home
from runmat_core.api.interp import Interp
from runmat_core.builtins.testing.qualify import Case, case_of
from runmat_core.values import char, is_text, text, texts, truth
from runmat_core.values.object import HandleObject
from runmat_core.values.objects.instance import Instance

_PACKAGE = "matlab.unittest.fixtures"


class Fixture(HandleObject):
    """A fixture of the framework; `data` is what it was made of, by name."""

    __slots__ = ()

    def __init__(self, **data: Any) -> None:
        self.data = data

    def is_a(self, name: str) -> bool:
        return super().is_a(name) or name == f"{_PACKAGE}.Fixture"

    def set_up(self, interp: Interp, case: Case) -> None:
        """Set up; what is to be undone is added to the cleanups of the case."""
        raise NotImplementedError


def apply(interp: Interp, case: Case, fixture: Any) -> None:
    """Set a fixture up for a test or a class; it is torn down when that is over.

    Raises:
        MatlabError: it is no fixture.
    """
    if isinstance(fixture, Fixture):
        fixture.set_up(interp, case)
        return
    if not isinstance(fixture, Instance) or not fixture.is_a(f"{_PACKAGE}.Fixture"):
        raise MatlabError(
            "MATLAB:unittest:TestCase:InvalidFixture",
            "The value must be a fixture: of a class of matlab.unittest.fixtures, or of one that "
            "inherits from matlab.unittest.fixtures.Fixture.",
        )
    own = case_of(interp, fixture)
    own.result, own.is_interactive, own.depth = case.result, case.is_interactive, case.depth
    case.cleanups.append(own.clean_up)
    case.cleanups.append(lambda: _method(fixture, "teardown"))
    _method(fixture, "setup")


def _method(fixture: Instance, name: str) -> None:
    function = fixture.info.methods[name].fn
    assert function is not None
    function(0, fixture)


def _folder(interp: Interp, folder: Any) -> str:
    place = os.path.normpath(os.path.join(interp.current_directory(), expand_home(text(folder))))
    if not os.path.isdir(place):
        raise MatlabError(
            "MATLAB:unittest:PathFixture:FolderDoesNotExist",
            f"The folder '{text(folder)}' does not exist.",
        )
    return place


class TemporaryFolder(Fixture):
    """A folder that is deleted with what is in it."""

    __slots__ = ()
    class_name = f"{_PACKAGE}.TemporaryFolderFixture"
    properties = ("Folder",)

    def get_property(self, name: str) -> Any:
        return char(self.data.get(name, ""))

    def set_up(self, interp: Interp, case: Case) -> None:
        folder = tempfile.mkdtemp(prefix="tp")
        self.data["Folder"] = folder
        case.cleanups.append(lambda: shutil.rmtree(folder, ignore_errors=True))


class WorkingFolder(TemporaryFolder):
    """A temporary folder that is the current one."""

    __slots__ = ()
    class_name = f"{_PACKAGE}.WorkingFolderFixture"

    def set_up(self, interp: Interp, case: Case) -> None:
        super().set_up(interp, case)
        _change(interp, case, self.data["Folder"])


class CurrentFolder(Fixture):
    """A folder that is the current one."""

    __slots__ = ()
    class_name = f"{_PACKAGE}.CurrentFolderFixture"
    properties = ("Folder",)

    def set_up(self, interp: Interp, case: Case) -> None:
        _change(interp, case, _folder(interp, self.data["Folder"]))


def _change(interp: Interp, case: Case, folder: str) -> None:
    before = interp.current_directory()
    case.cleanups.append(lambda: interp.change_directory(before))
    interp.change_directory(folder)


class Path(Fixture):
    """Folders that are on the path."""

    __slots__ = ()
    class_name = f"{_PACKAGE}.PathFixture"
    properties = ("Folders", "IncludeSubfolders", "Position")

    def set_up(self, interp: Interp, case: Case) -> None:
        added = [_folder(interp, char(name)) for name in texts(self.data["Folders"])]
        if self.data["IncludeSubfolders"]:
            added = [below for folder in added for below in _below(folder)]
        before = interp.search_path()
        case.cleanups.append(lambda: interp.set_search_path(before))
        rest = [folder for folder in before if folder not in added]
        at_end = text(self.data["Position"]) == "end"
        interp.set_search_path([*rest, *added] if at_end else [*added, *rest])


def _below(folder: str) -> list[str]:
    found = []
    for here, folders, _ in os.walk(folder):
        folders[:] = sorted(f for f in folders if f[0] not in "+@." and f != "private")
        found.append(here)
    return found


class SuppressedWarnings(Fixture):
    """Warnings that are not shown."""

    __slots__ = ()
    class_name = f"{_PACKAGE}.SuppressedWarningsFixture"
    properties = ("Warnings",)

    def set_up(self, interp: Interp, case: Case) -> None:
        from runmat_core.builtins.lang.warnings import states

        warnings = states(interp)
        before = dict(warnings.by_identifier)

        def restore() -> None:
            warnings.by_identifier.clear()
            warnings.by_identifier.update(before)

        case.cleanups.append(restore)
        for identifier in texts(self.data["Warnings"]):
            warnings.set(identifier, "off")


class EnvironmentVariable(Fixture):
    """A variable of the environment with another value, or without one."""

    __slots__ = ()
    class_name = f"{_PACKAGE}.EnvironmentVariableFixture"
    properties = ("Name", "Value")

    def set_up(self, interp: Interp, case: Case) -> None:
        name = text(self.data["Name"])
        before = os.environ.get(name)

        def put(value: str | None) -> None:
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

        case.cleanups.append(lambda: put(before))
        put(text(self.data["Value"]) if is_text(self.data["Value"]) else None)


# -- constructors ----------------------------------------------------------------------------------


@builtin("matlab.unittest.fixtures.TemporaryFolderFixture", family="testing/fixtures")
def temporary_folder_fixture() -> Any:
    """Fixture: a temporary folder, deleted when the test is over.

    F = testCase.applyFixture(matlab.unittest.fixtures.TemporaryFolderFixture); F.Folder is its name

    Examples:
        >> f = matlab.unittest.fixtures.TemporaryFolderFixture;
        >> class(f)
        ans =
            'matlab.unittest.fixtures.TemporaryFolderFixture'

    See also: tempname, mkdir, runtests.
    """
    return TemporaryFolder()


@builtin("matlab.unittest.fixtures.WorkingFolderFixture", family="testing/fixtures")
def working_folder_fixture() -> Any:
    """Fixture: a temporary folder as the current one, deleted when the test is over.

    testCase.applyFixture(matlab.unittest.fixtures.WorkingFolderFixture)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> before = pwd;
        >> f = t.applyFixture(matlab.unittest.fixtures.WorkingFolderFixture);
        >> isequal(pwd, before)
        ans =
          logical
           0
        >> cd(before)

    See also: cd, pwd, runtests.
    """
    return WorkingFolder()


@builtin("matlab.unittest.fixtures.CurrentFolderFixture", family="testing/fixtures")
def current_folder_fixture(folder: Any) -> Any:
    """Fixture: another current folder.

    testCase.applyFixture(matlab.unittest.fixtures.CurrentFolderFixture(FOLDER))

    Examples:
        >> f = matlab.unittest.fixtures.CurrentFolderFixture(tempdir);
        >> isequal(f.Folder, tempdir)
        ans =
          logical
           1

    See also: cd, pwd, runtests.
    """
    return CurrentFolder(Folder=folder)


@builtin("matlab.unittest.fixtures.PathFixture", family="testing/fixtures", nargin=(1, None))
def path_fixture(folders: Any, *args: Any) -> Any:
    """Fixture: folders on the path while a test runs.

    testCase.applyFixture(matlab.unittest.fixtures.PathFixture(FOLDERS))
    PathFixture(FOLDERS, "IncludingSubfolders", true) adds all below, too; "Position", "end" adds
    them behind the others.

    Examples:
        >> f = matlab.unittest.fixtures.PathFixture(tempdir, "IncludingSubfolders", true);
        >> f.IncludeSubfolders
        ans =
          logical
           1

    See also: addpath, rmpath, runtests.
    """
    from runmat_core.builtins.named import pairs

    known = ("IncludingSubfolders", "IncludeSubfolders", "Position")
    options, _ = pairs(args, known, "PathFixture")
    below = any(truth(options[k]) for k in known[:2] if k in options)
    return Path(
        Folders=folders, IncludeSubfolders=below, Position=options.get("Position", char("begin"))
    )


@builtin("matlab.unittest.fixtures.SuppressedWarningsFixture", family="testing/fixtures")
def suppressed_warnings_fixture(warnings: Any) -> Any:
    """Fixture: warnings that are off while a test runs.

    testCase.applyFixture(matlab.unittest.fixtures.SuppressedWarningsFixture(IDENTIFIERS))

    Examples:
        >> f = matlab.unittest.fixtures.SuppressedWarningsFixture('a:b');
        >> f.Warnings
        ans =
            'a:b'

    See also: warning, lastwarn, runtests.
    """
    return SuppressedWarnings(Warnings=warnings)


@builtin("matlab.unittest.fixtures.EnvironmentVariableFixture", family="testing/fixtures")
def environment_variable_fixture(name: Any, value: Any = None) -> Any:
    """Fixture: a variable of the environment with another value.

    testCase.applyFixture(matlab.unittest.fixtures.EnvironmentVariableFixture(NAME, VALUE)); without
    VALUE the variable is not there.

    Examples:
        >> f = matlab.unittest.fixtures.EnvironmentVariableFixture("MODE", "fast");
        >> f.Value
        ans =
            "fast"

    See also: getenv, setenv, runtests.
    """
    return EnvironmentVariable(Name=name, Value=char("") if value is None else value)
