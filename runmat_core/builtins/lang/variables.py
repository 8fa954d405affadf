"""Builtins about variables and names: who, whos, exist, isvarname."""

from __future__ import annotations

import os
from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.api.folders import expand_home
from runmat_core.builtins.lang.names import KEYWORDS, LONGEST_NAME, is_variable_name, matching


@builtin("exist", family="lang/variables", nargin=(1, 2), needs=("interp", "workspace"))
def exist(name: Any, kind: Any = None, *, interp: Any, workspace: Any) -> float:
    """What a name is.

    exist(NAME) is 1 for a variable, 2 for a file, 5 for a builtin, 7 for a folder, 8 for a class
    and 0 for none of them. exist(NAME, KIND) looks for 'var', 'file', 'builtin', 'dir' or 'class'
    alone.

    Examples:
        >> x = 1;
        >> exist('x')
        ans =
             1
        >> exist('x', 'builtin')
        ans =
             0

    See also: which, who, isvarname.
    """
    text = v.text(name) if v.is_text(name) else ""
    which = v.text(kind) if kind is not None else "any"
    if which not in ("any", "var", "file", "builtin", "dir", "class"):
        raise MatlabError(
            "MATLAB:exist:secondArgNotRecognized",
            "The second argument to exist must be 'builtin', 'class', 'dir', 'file' or 'var'.",
        )
    if not text:
        return 0.0
    if which in ("any", "var") and text.isidentifier() and workspace.get(text) is not None:
        return 1.0
    if which in ("any", "file") and (file := _file_kind(text, interp)):
        return file
    if which in ("any", "builtin", "class") and (found := _builtin_kind(text, which, interp)):
        return found
    if which in ("any", "file", "dir"):
        folder = os.path.join(interp.current_directory(), expand_home(text))
        if os.path.isdir(folder):
            return 7.0
    if which == "file" and text.isidentifier() and interp.builtin(text) is not None:
        return 2.0
    return 0.0


def _file_kind(name: str, interp: Any) -> float:
    if name.isidentifier() and interp.find_file(name) is not None:
        return 2.0
    path = os.path.join(interp.current_directory(), expand_home(name))
    if os.path.isfile(path) or os.path.isfile(f"{path}.m"):
        return 2.0
    if os.sep in name or os.path.isabs(name):
        return 0.0
    return 2.0 if any(os.path.isfile(os.path.join(f, name)) for f in interp.search_path()) else 0.0


_CLASSES = frozenset(
    "double single int8 int16 int32 int64 uint8 uint16 uint32 uint64 logical char string cell "
    "struct function_handle containers.Map dictionary MException inputParser onCleanup".split()
)


def _builtin_kind(name: str, which: str, interp: Any) -> float:
    if which == "class" or (which == "any" and "." in name):
        known = name in _CLASSES or (which == "class" and interp.find_class(name) is not None)
        return 8.0 if known else 0.0
    return 5.0 if interp.builtin(name) is not None else 0.0


@builtin("isvarname", family="lang/variables")
def isvarname(name: Any) -> bool:
    """Whether text may be the name of a variable.

    Examples:
        >> isvarname('x1')
        ans =
          logical
           1
        >> isvarname('1x') || isvarname('for')
        ans =
          logical
           0

    See also: iskeyword, genvarname, exist.
    """
    return bool(v.is_text(name)) and is_variable_name(v.text(name))


@builtin("iskeyword", family="lang/variables", nargin=(0, 1))
def iskeyword(name: Any = None) -> Any:
    """Whether text is a keyword; without input the list of keywords.

    Examples:
        >> iskeyword('for')
        ans =
          logical
           1

    See also: isvarname.
    """
    if name is None:
        return v.cell([v.char(word) for word in sorted(KEYWORDS)], (len(KEYWORDS), 1))
    return bool(v.is_text(name)) and v.text(name) in KEYWORDS


@builtin("namelengthmax", family="lang/variables")
def namelengthmax() -> float:
    """The greatest length of a name.

    Examples:
        >> namelengthmax
        ans =
            63

    See also: isvarname.
    """
    return float(LONGEST_NAME)


@builtin("isglobal", family="lang/variables", needs=("workspace",))
def isglobal(name: Any, *, workspace: Any) -> bool:
    """Whether a variable is global in the current workspace.

    Examples:
        >> global G
        >> isglobal('G')
        ans =
          logical
           1

    See also: clear, who.
    """
    return v.text(name) in workspace.global_names


@builtin("who", family="lang/variables", nargin=(0, None), needs=("nargout", "interp", "workspace"))
def who(*patterns: Any, nargout: int, interp: Any, workspace: Any) -> Any:
    """The names of variables.

    who lists them; who A* x names some, who global the global ones. C = who returns them as a
    column cell array. who(m) is of the variables in a matfile, who('-file', name)
    of those in a MAT file.

    Examples:
        >> a = 1; b = 2;
        >> c = who
        c =
          2×1 cell array
            {'a'}
            {'b'}

    See also: whos, clear, exist.
    """
    workspace, patterns = _source(workspace, patterns, interp)
    names = _selected(patterns, workspace)
    if nargout:
        return v.cell([v.char(name) for name in names], (len(names), 1))
    if names:
        blank = _blank(interp)
        interp.write(f"{blank}Your variables are:\n{blank}{_columns(names)}{blank}")
    return None


def _columns(names: list[str], width: int = 80) -> str:
    cell = max(len(name) for name in names) + 2
    across = max(width // cell, 1)
    rows = [names[k : k + across] for k in range(0, len(names), across)]
    return "".join("".join(f"{name:<{cell}}" for name in row) + "\n" for row in rows)


def _source(workspace: Any, patterns: tuple[Any, ...], interp: Any) -> tuple[Any, tuple[Any, ...]]:
    """Where the variables are: in a matfile, or a file that is named, or in the workspace."""
    if patterns and v.class_of(patterns[0]) == "matlab.io.MatFile":
        return patterns[0], patterns[1:]
    if len(patterns) > 1 and v.is_text(patterns[0]) and v.text(patterns[0]).lower() == "-file":
        from runmat_core.builtins.files.matfile import opened_file

        name = v.text(patterns[1])
        file = opened_file(name, interp)
        if not os.path.isfile(file.data):
            raise MatlabError("MATLAB:whos:fileIsNotThere", f"Unable to find the file '{name}'.")
        return file, patterns[2:]
    return workspace, patterns


def _selected(patterns: tuple[Any, ...], workspace: Any) -> list[str]:
    words = [v.text(pattern) for pattern in patterns]
    names = list(workspace.names())
    if words[:1] == ["global"]:
        names = [name for name in names if name in workspace.global_names]
        words = words[1:]
    return matching(names, words) if words else names


@builtin(
    "whos", family="lang/variables", nargin=(0, None), needs=("nargout", "interp", "workspace")
)
def whos(*patterns: Any, nargout: int, interp: Any, workspace: Any) -> Any:
    """Variables with their sizes, bytes and classes.

    whos lists them; whos A* x names some. S = whos returns a structure array with fields name,
    size, bytes, class, global, sparse, complex. whos(m) is of the variables in a matfile,
    whos('-file', name) of those in a MAT file.

    Examples:
        >> a = [1 2 3];
        >> whos
          Name      Size            Bytes  Class     Attributes
          a         1x3                24  double

    See also: who, class, size.
    """
    workspace, patterns = _source(workspace, patterns, interp)
    names = _selected(patterns, workspace)
    facts = [(name, workspace.get(name), name in workspace.global_names) for name in names]
    if nargout:
        records = [_record(*fact) for fact in facts]
        return v.struct_array(records, (len(records), 1), _FIELDS)
    if facts:
        interp.write(_table(facts, _blank(interp)))
    return None


_FIELDS = (
    "name", "size", "bytes", "class", "global", "sparse", "complex", "nesting", "persistent"
)  # fmt: skip


def _record(name: str, value: Any, is_global: bool) -> dict[str, Any]:
    import numpy as np

    kind = v.class_of(value)
    nesting = v.struct({"function": v.char(""), "level": 1.0})
    return {
        "name": v.char(name),
        "size": v.from_numpy(np.array([v.size_of(value)], dtype=float)),
        "bytes": float(byte_count(value)),
        "class": v.char(kind),
        "global": is_global,
        "sparse": isinstance(value, v.SparseArray),
        "complex": _is_complex(value),
        "nesting": nesting,
        "persistent": False,
    }


def _blank(interp: Any) -> str:
    """Return the blank line between outputs, nothing after ``format compact``."""
    from runmat_core.values.display_format import FormatSetting

    setting: FormatSetting = interp.state("format", FormatSetting)
    return setting.current.blank


def _table(facts: list[tuple[str, Any, bool]], blank: str) -> str:
    rows = []
    for name, value, is_global in facts:
        attributes = [
            word
            for word, holds in (
                ("global", is_global),
                ("sparse", isinstance(value, v.SparseArray)),
                ("complex", _is_complex(value)),
            )
            if holds
        ]
        size = "x".join(str(extent) for extent in v.size_of(value))
        rows.append((name, size, str(byte_count(value)), v.class_of(value), ", ".join(attributes)))
    name_width = max(4, *(len(row[0]) for row in rows)) + 6
    first = max(len(row[1].partition("x")[0]) for row in rows)
    sizes = [" " * (first - len(row[1].partition("x")[0])) + row[1] for row in rows]
    size_width = max(12, *(len(size) + 2 for size in sizes))
    bytes_width = max(9, *(len(row[2]) + 2 for row in rows))
    class_width = max(8, *(len(row[3]) for row in rows)) + 2
    indent = " " * (first - 1)
    lines = [
        f"  {'Name':<{name_width}}{indent}{'Size':<{size_width - first + 1}}"
        f"{'Bytes':>{bytes_width}}  {'Class':<{class_width}}Attributes",
    ]
    if blank:
        lines.append("")
    for row, size in zip(rows, sizes, strict=True):
        lines.append(
            f"  {row[0]:<{name_width}}{size:<{size_width}}{row[2]:>{bytes_width}}  "
            f"{row[3]:<{class_width}}{row[4]:<10}"
        )
    return "\n".join(lines) + "\n" + blank


def byte_count(value: Any) -> int:
    """Bytes that MATLAB would count for a value; containers count a header per element."""
    if isinstance(value, bool):
        return 1
    if isinstance(value, float):
        return 8
    if isinstance(value, complex):
        return 16
    kind = v.class_of(value)
    if kind == "cell":
        return sum(104 + byte_count(item) for item in value.items())
    if kind == "struct":
        names = value.field_names()
        contents = sum(104 + byte_count(x) for r in value.records() for x in r.values())
        return contents + 64 * len(names)
    if kind == "function_handle":
        return 32
    if kind == "string":
        return sum(54 + 2 * len(str(text)) for text in value.data.flat)
    if isinstance(value, v.SparseArray):
        matrix = value.data
        return int(matrix.nnz * (8 + matrix.dtype.itemsize) + 8 * (matrix.shape[1] + 1))
    return int(getattr(getattr(value, "data", None), "nbytes", 8))


def _is_complex(value: Any) -> bool:
    if isinstance(value, complex):
        return True
    kind = getattr(getattr(getattr(value, "data", None), "dtype", None), "kind", "")
    return bool(kind == "c")
