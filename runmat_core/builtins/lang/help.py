"""Builtins that explain: help, doc, lookfor, methods."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin


@builtin("help", "doc", family="lang/help", nargin=(0, 1), needs=("nargout", "interp"))
def help(name: Any = None, *, nargout: int, interp: Any) -> Any:
    """Help text of a function.

    help NAME prints the text of a builtin, or the first comment of a function or script file.
    T = help(NAME) returns it.

    Examples:
        >> t = help('pi');
        >> ischar(t) && ~isempty(t)
        ans =
          logical
           1

    See also: lookfor, which.
    """
    if name is None:
        text = "Type 'help NAME' for help on a function, and 'lookfor WORD' to find functions.\n"
    else:
        text = _help_text(v.text(name), interp)
        if not text and not nargout:
            text = f"{v.text(name)} not found.\n"
    if nargout:
        return v.char(text)
    interp.write(text)
    return None


def _help_text(name: str, interp: Any) -> str:
    """The text with a blank margin of one column, as MATLAB prints it; empty when there is none."""
    function = interp.function(name)
    info = getattr(function, "__matlab__", None)
    if info is not None:
        text = info.help
    else:
        from runmat_core.builtins import registry

        spec = registry.find(name)
        if spec is None:
            return ""
        text = f"{name}  {inspect.getdoc(spec.host) or ''}"
    return textwrap.indent(textwrap.dedent(text).strip("\n"), " ") + "\n" if text else ""


@builtin("lookfor", family="lang/help", nargin=(1, 2), nargout=0, needs=("interp",))
def lookfor(word: Any, option: Any = None, *, interp: Any) -> None:
    """Find functions by a word in the first line of their help.

    lookfor WORD lists names and first lines; lookfor WORD -all searches whole texts.

    Examples:
        >> lookfor stopwatch
        tic - Start a stopwatch.
        toc - Read a stopwatch.

    See also: help, which.
    """
    from runmat_core.builtins import registry

    wanted = v.text(word).lower()
    everything = option is not None and v.text(option) == "-all"
    for name in registry.names():
        spec = registry.find(name)
        if spec is None or spec.name != name:
            continue
        doc = inspect.getdoc(spec.host) or ""
        summary = doc.partition("\n")[0]
        if wanted in f"{name} {doc if everything else summary}".lower():
            interp.write(f"{name} - {summary}\n")


@builtin("ishandle", "isgraphics", "ishghandle", family="lang/help", nargin=(1, 2))
def ishandle(value: Any, kind: Any = None) -> Any:
    """Whether the elements of an array are handles of graphics objects; there are none here.

    Examples:
        >> ishandle(5)
        ans =
          logical
           0

    See also: isobject, isa.
    """
    import numpy as np

    return v.from_numpy(np.zeros(v.size_of(value), dtype=bool, order="F"))


@builtin("methods", family="lang/help", nargin=(1, 2), needs=("nargout", "interp"))
def methods(value: Any, option: Any = None, *, nargout: int, interp: Any) -> Any:
    """The methods of an object.

    methods(OBJ) prints their names; C = methods(OBJ) returns them as a column cell array.

    Examples:
        >> any(strcmp(methods(containers.Map), 'isKey'))
        ans =
          logical
           1

    See also: isobject, ismethod, properties.
    """
    if not _is_object(value):
        raise MatlabError("MATLAB:methods:noMethods", f"No methods for class {v.class_of(value)}.")
    return _listing("Methods", value, list(value.method_names()), nargout, interp)


@builtin("properties", family="lang/help", nargin=(1, 1), needs=("nargout", "interp"))
def properties(value: Any, *, nargout: int, interp: Any) -> Any:
    """The properties of an object.

    properties(OBJ) prints their names; C = properties(OBJ) returns them as a column cell array.

    Examples:
        >> c = properties(containers.Map); c{1}
        ans =
            'Count'

    See also: methods, fieldnames.
    """
    if not _is_object(value):
        raise MatlabError(
            "MATLAB:properties:noProperties", f"No properties for class {v.class_of(value)}."
        )
    return _listing("Properties", value, list(value.field_names()), nargout, interp)


@builtin("ismethod", family="lang/help")
def ismethod(value: Any, name: Any) -> bool:
    """Whether an object has a method.

    Examples:
        >> ismethod(containers.Map, 'keys')
        ans =
          logical
           1

    See also: methods, isprop.
    """
    return _is_object(value) and v.text(name) in value.method_names()


@builtin("isprop", family="lang/help")
def isprop(value: Any, name: Any) -> bool:
    """Whether an object has a property.

    Examples:
        >> isprop(containers.Map, 'Count')
        ans =
          logical
           1

    See also: ismethod, isfield.
    """
    return _is_object(value) and v.text(name) in value.field_names()


def _is_object(value: Any) -> bool:
    from runmat_core.values.object import ObjectValue

    return isinstance(value, ObjectValue)


def _listing(what: str, value: Any, names: list[str], nargout: int, interp: Any) -> Any:
    if nargout:
        return v.cell([v.char(name) for name in names], (len(names), 1))
    listing = "".join(f"    {name}\n" for name in names)
    interp.write(f"\n{what} for class {v.class_of(value)}:\n\n{listing}\n")
    return None
