"""Preferences: values by group and name that outlive a session."""

from __future__ import annotations

import os
from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.builtins.files.mat import read_mat, write_mat
from runmat_core.builtins.files.mat5_writing import check
from runmat_core.builtins.files.mat_values import Unsupported, UnsupportedError
from runmat_core.builtins.lang.installation import preference_folder
from runmat_core.builtins.lang.names import is_variable_name

Groups = dict[str, dict[str, Any]]


def _file() -> str:
    return os.path.join(preference_folder(), "preferences.mat")


def _load() -> Groups:
    if not os.path.isfile(_file()):
        return {}
    found: Groups = {}
    for name, value in read_mat(_file(), "preferences.mat").items():
        if isinstance(value, v.StructArray) and value.shape == (1, 1):
            found[name] = dict(value.records()[0])
        elif isinstance(value, Unsupported):
            found[name] = {}
    return found


def _save(groups: Groups, function: str) -> None:
    try:
        contents = {name: v.struct(group) for name, group in groups.items()}
        for group in contents.values():
            check(group)
    except UnsupportedError as problem:
        raise MatlabError(
            f"MATLAB:{function}:UnsupportedClass",
            f"A preference cannot be of class '{problem}': files cannot hold it.",
        ) from None
    try:
        os.makedirs(preference_folder(), exist_ok=True)
        write_mat(_file(), contents, "-v7")
    except OSError as problem:
        raise MatlabError(
            f"MATLAB:{function}:UnableToSave",
            f"Unable to write '{_file()}': {problem.strerror}.",
        ) from None


def _group(value: Any, function: str) -> str:
    if not v.is_text(value) or not is_variable_name(v.text(value)):
        raise MatlabError(
            f"MATLAB:{function}:InvalidGroup", "A group must be the name of a variable."
        )
    return v.text(value)


def _names(value: Any, function: str) -> list[str]:
    try:
        names = v.texts(value)
    except MatlabError:
        names = [""]
    if not all(is_variable_name(name) for name in names):
        raise MatlabError(
            f"MATLAB:{function}:InvalidPref", "A preference must be the name of a variable."
        )
    return names


def _values(names: list[str], pref: Any, value: Any, function: str) -> list[Any]:
    """Return a value for each name: a cell of them where the names are in a cell."""
    if not isinstance(pref, v.CellArray):
        return [value]
    if not isinstance(value, v.CellArray) or v.numel_of(value) != len(names):
        raise MatlabError(
            f"MATLAB:{function}:SizeMismatch", "There must be a value for each preference."
        )
    return value.items()


def _missing(function: str, group: str, name: str = "") -> MatlabError:
    what = f"preference '{name}' in the group '{group}'" if name else f"group '{group}'"
    return MatlabError(f"MATLAB:{function}:PrefNotFound", f"There is no {what}.")


@builtin("getpref", family="lang/preferences", nargin=(0, 3))
def getpref(group: Any = None, pref: Any = None, default: Any = None) -> Any:
    """Value of a preference.

    X = getpref(GROUP, NAME), an error where there is none
    X = getpref(GROUP, NAME, DEFAULT) stores the default where there is none
    S = getpref(GROUP), a struct of a group; S = getpref, of all groups
    NAME and DEFAULT may be cells

    Examples:
        >> setpref('demo', 'x', 5); getpref('demo', 'x')
        ans =
             5
        >> rmpref('demo')

    See also: setpref, addpref, rmpref, ispref, prefdir.
    """
    groups = _load()
    if group is None:
        return v.struct({name: v.struct(values) for name, values in groups.items()})
    home = _group(group, "getpref")
    if pref is None:
        return v.struct(groups[home]) if home in groups else v.horzcat()
    names = _names(pref, "getpref")
    found = groups.get(home, {})
    if default is not None:
        fresh = dict(zip(names, _values(names, pref, default, "getpref"), strict=True))
        if any(name not in found for name in names):
            found = {**fresh, **found}
            _save({**groups, home: found}, "getpref")
    for name in names:
        if name not in found:
            raise _missing("getpref", home, name)
    values = [found[name] for name in names]
    return v.cell(values, pref.shape) if isinstance(pref, v.CellArray) else values[0]


def _store(group: Any, pref: Any, value: Any, function: str) -> None:
    groups = _load()
    home = _group(group, function)
    names = _names(pref, function)
    found = dict(groups.get(home, {}))
    for name, item in zip(names, _values(names, pref, value, function), strict=True):
        if function == "addpref" and name in found:
            raise MatlabError(
                "MATLAB:addpref:PrefAlreadyExists",
                f"There is a preference '{name}' in the group '{home}' already.",
            )
        found[name] = item
    _save({**groups, home: found}, function)


@builtin("setpref", family="lang/preferences", nargin=(3, 3), nargout=0)
def setpref(group: Any, pref: Any, value: Any) -> None:
    """Store a preference, which later sessions see too.

    setpref(GROUP, NAME, VALUE); with cells several of them

    Examples:
        >> setpref('demo', {'x' 'y'}, {1 'two'}); getpref('demo', 'y')
        ans =
            'two'
        >> rmpref('demo')

    See also: getpref, addpref, rmpref, ispref.
    """
    _store(group, pref, value, "setpref")


@builtin("addpref", family="lang/preferences", nargin=(3, 3), nargout=0)
def addpref(group: Any, pref: Any, value: Any) -> None:
    """Store a preference that is not there yet.

    addpref(GROUP, NAME, VALUE) is an error where it is there

    Examples:
        >> addpref('demo', 'x', 1); ispref('demo', 'x')
        ans =
          logical
           1
        >> rmpref('demo')

    See also: setpref, getpref, rmpref.
    """
    _store(group, pref, value, "addpref")


@builtin("rmpref", family="lang/preferences", nargin=(1, 2), nargout=0)
def rmpref(group: Any, pref: Any = None) -> None:
    """Remove preferences.

    rmpref(GROUP, NAME), rmpref(GROUP) with all that is in the group

    Examples:
        >> setpref('demo', 'x', 1); rmpref('demo', 'x'); ispref('demo', 'x')
        ans =
          logical
           0
        >> rmpref('demo')

    See also: setpref, getpref, ispref.
    """
    groups = _load()
    home = _group(group, "rmpref")
    if home not in groups:
        raise _missing("rmpref", home)
    if pref is None:
        del groups[home]
    else:
        for name in _names(pref, "rmpref"):
            if name not in groups[home]:
                raise _missing("rmpref", home, name)
            del groups[home][name]
    _save(groups, "rmpref")


@builtin("ispref", family="lang/preferences", nargin=(1, 2))
def ispref(group: Any, pref: Any = None) -> Any:
    """Whether there is a preference.

    TF = ispref(GROUP, NAME), TF = ispref(GROUP)

    Examples:
        >> ispref('no_such_group')
        ans =
          logical
           0

    See also: getpref, setpref, rmpref.
    """
    groups = _load()
    home = v.text(group) if v.is_text(group) else ""
    if pref is None:
        return home in groups
    there = [name in groups.get(home, {}) for name in v.texts(pref)]
    if not isinstance(pref, v.CellArray):
        return there[0]
    import numpy as np

    return v.from_numpy(np.array(there, bool).reshape(pref.shape, order="F"))
