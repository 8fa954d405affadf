"""fileattrib and what: facts about files and folders."""

from __future__ import annotations

import glob
import os
import stat
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.table import resolve_path
from runmat_core.builtins.text.support import (
    maybe_text,
    row,
    scalar_text,
)
from runmat_core.values import StructArray, char
from runmat_core.values.cell import cell_column
from runmat_core.values.struct import struct_array

_WHO = {"User": "USR", "Group": "GRP", "Other": "OTH"}
_MAY = {"Read": "R", "Write": "W", "Execute": "X"}
_BITS = {f"{who}{may}": getattr(stat, f"S_I{_MAY[may]}{_WHO[who]}") for who in _WHO for may in _MAY}


def _attributes(path: str) -> dict[str, Any]:
    mode = os.stat(path).st_mode
    unknown = float("nan")
    facts: dict[str, Any] = {
        "Name": row(os.path.abspath(path)),
        "archive": unknown,
        "system": unknown,
        "hidden": unknown,
        "directory": float(stat.S_ISDIR(mode)),
    }
    return facts | {name: float(bool(mode & bit)) for name, bit in _BITS.items()}


@builtin(
    "fileattrib", family="files/attributes", nargin=(0, 4), nargout=3, needs=("nargout", "interp")
)
def fileattrib(
    name: Any = None, change: Any = None, who: Any = None, *rest: Any, nargout: int, interp: Interp
) -> Any:
    """The attributes of files and folders.

    [status, values, msgID] = fileattrib(name) returns structs with the fields Name, directory,
    UserRead, UserWrite, UserExecute and so on; name may hold *.
    fileattrib(name, '+w', 'u') changes them: + or - with w or x, for u, g, o or a.

    Examples:
        >> [status, values] = fileattrib(tempdir); values.directory
        ans =
             1

    See also: dir, isfolder, copyfile.
    """
    error = MatlabError("MATLAB:FILEATTRIB:ArgumentType", "Arguments must be text.")
    pattern = "." if name is None else scalar_text(name, error)
    paths = sorted(glob.glob(resolve_path(interp, pattern)))
    if not paths:
        missing = MatlabError(
            "MATLAB:FILEATTRIB:CannotFindFile", "The system cannot find the path specified."
        )
        if nargout < 2:
            raise missing
        return (False, row(missing.message), row(missing.identifier))[:nargout]
    if change is not None:
        _change(paths, scalar_text(change, error), "u" if who is None else scalar_text(who, error))
    values = struct_array([_attributes(path) for path in paths], (1, len(paths)))
    return (True, values, char(""))[: max(nargout, 1)] if nargout > 1 else True


def _change(paths: list[str], change: str, who: str) -> None:
    names = {"u": ("User",), "g": ("Group",), "o": ("Other",), "a": tuple(_WHO), "": ("User",)}
    may = {"w": "Write", "x": "Execute", "r": "Read"}.get(change[1:])
    if change[:1] not in ("+", "-") or may is None or who not in names:
        raise MatlabError("MATLAB:FILEATTRIB:InvalidMode", f"Invalid attribute '{change}'.")
    bits = sum(_BITS[f"{name}{may}"] for name in names[who])
    for path in paths:
        mode = stat.S_IMODE(os.stat(path).st_mode)
        os.chmod(path, mode | bits if change[0] == "+" else mode & ~bits)


@builtin("what", family="files/attributes", nargin=(0, 1), needs=("nargout", "interp"))
def what(folder: Any = None, *, nargout: int, interp: Interp) -> Any:
    """The MATLAB files of a folder.

    what prints them; s = what(folder) returns a struct with the fields path, m, mat, classes and
    packages.

    Examples:
        >> folder = tempname; mkdir(folder); fclose(fopen(fullfile(folder, 'f.m'), 'w'));
        >> s = what(folder); s.m
        ans =
          1×1 cell array
            {'f.m'}

    See also: dir, which, exist.
    """
    path = resolve_path(interp, "." if folder is None else maybe_text(folder) or ".")
    if not os.path.isdir(path):
        return struct_array([], (0, 1), ["path", "m", "mat", "classes", "packages"])
    names = sorted(os.listdir(path))
    folders = [n for n in names if os.path.isdir(os.path.join(path, n))]
    groups = {
        "m": [n for n in names if n.endswith(".m")],
        "mat": [n for n in names if n.endswith(".mat")],
        "classes": [n[1:] for n in folders if n.startswith("@")],
        "packages": [n[1:] for n in folders if n.startswith("+")],
    }
    if nargout == 0:
        titles = {"m": "MATLAB Code files", "mat": "MAT-files", "classes": "Classes"}
        for key, title in titles.items():
            if groups[key]:
                listing = "".join(f"{name}  " for name in groups[key])
                interp.write(f"\n{title} in folder {path}\n\n{listing}\n\n")
        return None
    return StructArray(
        {"path": row(os.path.abspath(path))}
        | {key: cell_column(map(row, found)) for key, found in groups.items()}
    )
