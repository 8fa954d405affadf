"""Builtins for the search path and the current folder."""

from __future__ import annotations

import os
from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.api.errors import invalid_file_name
from runmat_core.api.folders import expand_home

_SKIPPED = ("private", "resources")


@builtin("addpath", family="lang/path", nargin=(1, None), needs=("nargout", "interp"))
def addpath(*args: Any, nargout: int, interp: Any) -> Any:
    """Add folders to the search path.

    addpath(FOLDER, ...) puts them in front; addpath(..., '-end') behind. A folder may be a list
    separated by pathsep, such as genpath makes. OLD = addpath(...) returns the path as it was.

    Examples:
        >> old = addpath(pwd);
        >> any(strcmp(strsplit(path, pathsep), pwd))
        ans =
          logical
           1
        >> path(old);

    See also: rmpath, path, genpath, cd.
    """
    behind = False
    folders: list[str] = []
    for arg in args:
        if isinstance(arg, float | bool):
            behind = arg == 1
            continue
        for text in v.texts(arg):
            if text.lower() in ("-begin", "-end"):
                behind = text.lower() == "-end"
            elif text.lower() != "-frozen":
                folders += _split(text)
    before = interp.search_path()
    added: list[str] = []
    for folder in folders:
        full = _absolute(folder, interp)
        if not os.path.isdir(full):
            interp.warn(
                "MATLAB:mpath:nameNonexistentOrNotADirectory",
                f"Name is nonexistent or not a directory: {folder}",
            )
        elif full not in added:
            added.append(full)
    kept = [folder for folder in before if folder not in added]
    interp.set_search_path([*kept, *added] if behind else [*added, *kept])
    return v.char(os.pathsep.join(before)) if nargout else None


class _UserPath:
    """The user's own folder of programs, unless a program says otherwise."""

    def __init__(self) -> None:
        self.folder = _usual_folder()


def _usual_folder() -> str:
    """Return the folder in the user's documents; empty where there is none."""
    home = expand_home("~")
    folder = os.path.join(home, "Documents", "MATLAB")
    return folder if home != "~" and os.path.isdir(folder) else ""


@builtin("userpath", family="lang/path", nargin=(0, 1), needs=("nargout", "interp"))
def userpath(folder: Any = None, *, nargout: int, interp: Any) -> Any:
    """User's own folder of programs.

    P = userpath is Documents/MATLAB in the user's home, empty where there is no such folder
    userpath(FOLDER) is another one from now on, and first on the search path
    userpath('reset') is the usual one, userpath('clear') none

    Examples:
        >> ischar(userpath)
        ans =
          logical
           1

    See also: addpath, path, pwd.
    """
    state = interp.state("userpath", _UserPath)
    if folder is None:
        return v.char(state.folder)
    chosen = v.text(folder)
    rest = [known for known in interp.search_path() if known != state.folder]
    if chosen in ("reset", "clear"):
        state.folder = _usual_folder() if chosen == "reset" else ""
    else:
        full = _absolute(chosen, interp)
        if not os.path.isdir(full):
            raise MatlabError(
                "MATLAB:userpath:invalidInput", f"'{chosen}' is not a folder, 'reset' or 'clear'."
            )
        state.folder = full
    interp.set_search_path([state.folder, *rest] if state.folder else rest)
    return v.char(state.folder) if nargout else None


@builtin("rmpath", family="lang/path", nargin=(1, None), needs=("nargout", "interp"))
def rmpath(*args: Any, nargout: int, interp: Any) -> Any:
    """Remove folders from the search path.

    rmpath(FOLDER, ...); OLD = rmpath(...) returns the path as it was.

    Examples:
        >> addpath(pwd); rmpath(pwd)
        >> any(strcmp(strsplit(path, pathsep), pwd))
        ans =
          logical
           0

    See also: addpath, path, genpath.
    """
    before = interp.search_path()
    kept = list(before)
    for arg in args:
        for folder in _split(v.text(arg)):
            full = _absolute(folder, interp)
            if full in kept:
                kept.remove(full)
            else:
                interp.warn("MATLAB:rmpath:DirNotFound", f'"{folder}" not found in path.')
    interp.set_search_path(kept)
    return v.char(os.pathsep.join(before)) if nargout else None


@builtin("path", family="lang/path", nargin=(0, 2), needs=("nargout", "interp"))
def path(first: Any = None, second: Any = None, *, nargout: int, interp: Any) -> Any:
    """The search path.

    path prints it; P = path returns it, separated by pathsep. path(P) replaces it, and
    path(P, FOLDER) or path(FOLDER, P) joins the two.

    Examples:
        >> p = path;
        >> path(p);
        >> strcmp(p, path)
        ans =
          logical
           1

    See also: addpath, rmpath, genpath.
    """
    if first is not None:
        folders = _split(v.text(first)) + (_split(v.text(second)) if second is not None else [])
        interp.set_search_path(list(dict.fromkeys(_absolute(f, interp) for f in folders)))
    if nargout:
        return v.char(os.pathsep.join(interp.search_path()))
    if first is None:
        listing = "".join(f"\t\t{folder}\n" for folder in interp.search_path())
        interp.write(f"\n\t\tMATLABPATH\n\n{listing}\n")
    return None


@builtin("genpath", family="lang/path", nargin=(0, 1), needs=("interp",))
def genpath(folder: Any = None, *, interp: Any) -> Any:
    """A folder and all folders below it, as a path.

    P = genpath(FOLDER) separates them by pathsep. Class (@), package (+), private, resources and
    hidden folders are left out, and so is what is below them.

    Examples:
        >> genpath('no such folder')
        ans =
          0×0 empty char array

    See also: addpath, path.
    """
    top = _absolute(v.text(folder) if folder is not None else ".", interp)
    found: list[str] = []
    pending = [top] if os.path.isdir(top) else []
    while pending:
        here = pending.pop()
        found.append(here)
        below = [
            name
            for name in os.listdir(here)
            if name not in _SKIPPED
            and name[0] not in "@+."
            and os.path.isdir(os.path.join(here, name))
        ]
        pending += [os.path.join(here, name) for name in sorted(below, reverse=True)]
    return v.char("".join(f"{name}{os.pathsep}" for name in found))


@builtin("rehash", family="lang/path", nargin=(0, 1), nargout=0, needs=("interp",))
def rehash(option: Any = None, *, interp: Any) -> None:
    """Look again at the folders of the path and at changed files.

    Examples:
        >> rehash

    See also: addpath, clear, which.
    """
    interp.rehash()


@builtin("pwd", family="lang/path", needs=("interp",))
def pwd(*, interp: Any) -> Any:
    """The current folder.

    Examples:
        >> strcmp(pwd, cd)
        ans =
          logical
           1

    See also: cd, dir, ls.
    """
    return v.char(interp.current_directory())


@builtin("cd", "chdir", family="lang/path", needs=("nargout", "interp"))
def cd(folder: Any = None, *, nargout: int, interp: Any) -> Any:
    """Change the current folder.

    cd(FOLDER); OLD = cd(FOLDER) returns the folder left. cd without a folder prints or returns the
    current one.

    Examples:
        >> old = cd('..');
        >> cd(old)

    See also: pwd, dir, addpath.
    """
    before = interp.current_directory()
    if folder is None:
        if nargout:
            return v.char(before)
        interp.write(f"{before}\n")
        return None
    target = v.text(folder)
    full = _absolute(target, interp)
    if not os.path.isdir(full):
        raise MatlabError(
            "MATLAB:cd:NonExistentFolder",
            f"Unable to change current folder to '{target}' (Name is nonexistent or not a folder).",
        )
    interp.change_directory(full)
    return v.char(before) if nargout else None


@builtin("which", family="lang/path", nargin=(1, 3), needs=("nargout", "interp", "workspace"))
def which(*args: Any, nargout: int, interp: Any, workspace: Any) -> Any:
    """Where a name leads: a variable, a file, a builtin.

    which NAME prints it, and the package that a builtin comes from if that is not the core;
    P = which(NAME) returns the file's path, 'variable', or 'built-in (NAME)', and an empty char
    array when there is no such name. which(NAME, '-all') lists every file of the name, first match
    first.

    Examples:
        >> which sin
        built-in (sin)

    See also: exist, path, what.
    """
    words = [v.text(arg) for arg in args]
    everything = "-all" in words
    name = next((word for word in words if not word.startswith("-")), "")
    found = _places(name, interp, workspace, everything)
    if nargout:
        if everything:
            return v.cell([v.char(place) for place in found], (len(found), 1))
        return v.char(found[0] if found else "")
    if found and found[0] == "variable":
        found[0] = f"{name} is a variable."
    for place in found or [_not_found(name)]:
        package = _package(name) if place == f"built-in ({name})" else ""
        interp.write(f"{place}  % {package}\n" if package else f"{place}\n")
    return None


def _not_found(name: str) -> str:
    from runmat_core.builtins import registry

    return f"'{name}' not found. {registry.hint_for(name)}".rstrip()


def _package(name: str) -> str:
    from runmat_core.builtins import registry

    return registry.package_of(name)


def _places(name: str, interp: Any, workspace: Any, everything: bool) -> list[str]:
    found: list[str] = []
    if name in workspace:
        found.append("variable")
    if everything:
        found += interp.find_files(name)
    elif (file := interp.find_file(name)) is not None:
        found.append(file)
    if _is_builtin(name):
        found.append(f"built-in ({name})")
    return found if everything else found[:1]


def _is_builtin(name: str) -> bool:
    from runmat_core.builtins import registry

    return registry.find(name) is not None


def _split(folders: str) -> list[str]:
    return [folder for folder in folders.split(os.pathsep) if folder]


def _absolute(folder: str, interp: Any) -> str:
    if "\0" in folder:
        raise invalid_file_name()
    full = os.path.join(interp.current_directory(), expand_home(folder))
    return os.path.normpath(full)
