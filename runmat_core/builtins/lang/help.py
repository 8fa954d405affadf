"""Builtins that explain: help, doc, lookfor, methods."""

from __future__ import annotations

import inspect
import os
import textwrap
from typing import Any

from runmat_core import values as v
from runmat_core.api import builtin
from runmat_core.api.folders import expand_home
from runmat_core.values.symbols import SYMBOL


@builtin("help", family="lang/help", nargin=(0, 1), needs=("nargout", "interp"))
def help(name: Any = None, *, nargout: int, interp: Any) -> Any:
    """Help text of a function, or what a family of builtins holds.

    help NAME prints the text of a builtin, or the first comment of a function or script file
    help("+") prints the text of the function behind an operator
    help FAMILY lists a family of builtins, such as math or math/rounding
    help lists the families
    T = help(…) returns the text

    Examples:
        >> t = help('pi');
        >> ischar(t) && ~isempty(t)
        ans =
          logical
           1
        >> help lang/cleanup
        lang/cleanup
          onCleanup  Call a function when a variable goes out of scope.

    See also: doc, lookfor, which.
    """
    text = _families() if name is None else _help_text(v.text(name), interp)
    if nargout:
        return v.char(text)
    interp.write(text or _not_found(v.text(name)))
    return None


@builtin("doc", family="lang/help", nargin=(0, 1), nargout=0, needs=("interp",))
def doc(name: Any = None, *, interp: Any) -> None:
    """Page of a builtin in the documentation, or its help text.

    doc NAME prints where the page is, if help.site in runmat.toml names a folder with the pages
    that were made by ``runmat docs build``; without them it prints what help prints.
    doc prints where the start page is, or the families of builtins.

    Examples:
        >> doc pi
         pi  Ratio of a circle's circumference to its diameter.
        ...

    See also: help, lookfor.
    """
    wanted = "" if name is None else v.text(name)
    page = _page(wanted, interp.setting("help.site"))
    if page:
        interp.write(f"{page}\n")
    else:
        help(name, nargout=0, interp=interp)


def _page(name: str, site: str) -> str:
    """Return the path of the page of a builtin, or of the start page; empty where there is none."""
    if not site:
        return ""
    from runmat_core.builtins import catalog, registry

    found = registry.find(_function_of(name))
    inner = f"builtins/{catalog.page_of(found.name)}" if found is not None else "index.html"
    path = os.path.join(expand_home(site), *inner.split("/"))
    return path if os.path.isfile(path) and (found is not None or not name) else ""


def _function_of(name: str) -> str:
    """Return the function behind an operator; any other name is itself."""
    return {**_OPERATORS, ":": "colon"}.get(name, name)


#: The unary forms of + and - come after the binary ones in the table.
_OPERATORS = {symbol: name.rstrip("_") for name, symbol in reversed(SYMBOL.items())}


def _help_text(name: str, interp: Any) -> str:
    """Return the text with a blank margin of one column, as MATLAB prints it.

    Empty when there is none.
    """
    name = _function_of(name)
    function = interp.function(name)
    info = getattr(function, "__matlab__", None)
    if info is not None:
        # scripts have none of their own, and some function files begin with it
        described = getattr(function, "__matlab_class__", info)
        text = described.help or _first_comment(interp.find_file(name))
    else:
        from runmat_core.builtins import registry

        spec = registry.find(name)
        if spec is None:
            return _family_text(name.strip("/"))
        text = f"{name}  {inspect.getdoc(spec.host) or ''}"
    return _indented(text)


def _indented(text: str) -> str:
    return textwrap.indent(textwrap.dedent(text).strip("\n"), " ") + "\n" if text else ""


def _first_comment(path: str | None) -> str:
    """Return the comment lines that a file begins with; blank lines before them do not count."""
    found: list[str] = []
    if path is None:
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            stripped = line.strip()
            if stripped.startswith("%"):
                found.append(stripped.lstrip("%"))
            elif stripped or found:
                break
    return "\n".join(found)


def _families() -> str:
    """All families, those with parts on one line with their parts."""
    from runmat_core.builtins import catalog

    parts: dict[str, list[str]] = {}
    for family in sorted({entry.family for entry in catalog.everything()}):
        top, _, part = family.partition("/")
        parts.setdefault(top, []).extend([part] if part else [])
    wide = max(map(len, parts))
    lines = [
        "Type 'help NAME' for help on a function, 'help FAMILY' for the functions of a family,",
        "such as 'help math' or 'help math/rounding', and 'lookfor WORD' to find functions.",
        "",
    ]
    for top, found in parts.items():
        margin = " " * (wide + 4)
        listed = textwrap.fill(" ".join(found), 80, initial_indent=margin, subsequent_indent=margin)
        lines.append(f"  {top:{wide}}  {listed.lstrip()}".rstrip())
    return "\n".join(lines) + "\n"


def _family_text(family: str) -> str:
    """Return the names and summaries of a family and its parts.

    Empty where there is no such family.
    """
    from runmat_core.builtins import catalog

    found: dict[str, list[catalog.Entry]] = {}
    for entry in catalog.everything():
        if f"{entry.family}/".startswith(f"{family}/"):
            found.setdefault(entry.family, []).append(entry)
    lines = []
    for part in sorted(found):
        wide = max(len(entry.name) for entry in found[part])
        lines.append(part)
        lines += [f"  {entry.name:{wide}}  {entry.summary}" for entry in found[part]]
    return "".join(f"{line}\n" for line in lines)


def _not_found(name: str) -> str:
    from runmat_core.builtins import registry

    return f"{name} not found. {registry.hint_for(name)}".rstrip() + "\n"


@builtin("lookfor", family="lang/help", nargin=(1, 2), nargout=0, needs=("interp",))
def lookfor(word: Any, option: Any = None, *, interp: Any) -> None:
    """Find functions by a word in the first line of their help.

    lookfor WORD lists names and first lines, of builtins and of what is in installed packages
    lookfor WORD -all searches whole texts

    Examples:
        >> lookfor stopwatch
        tic - Start a stopwatch.
        toc - Read a stopwatch.

    See also: help, which.
    """
    from runmat_core.builtins import catalog

    wanted = v.text(word).lower()
    everything = option is not None and v.text(option) == "-all"
    for entry in catalog.everything():
        text = f"{' '.join(entry.names)} {entry.summary}"
        if everything:
            text = f"{text} {_doc_of(entry.name)}"
        if wanted in text.lower():
            interp.write(f"{entry.name} - {entry.summary}\n")


def _doc_of(name: str) -> str:
    from runmat_core.builtins import registry

    spec = registry.find(name)
    return "" if spec is None else inspect.getdoc(spec.host) or ""


@builtin(
    "ishandle", "isgraphics", "ishghandle", family="lang/help", nargin=(1, 2), needs=("interp",)
)
def ishandle(value: Any, kind: Any = None, *, interp: Any) -> Any:
    """Whether the elements of an array are handles of graphics objects.

    ishandle(H, TYPE) asks for objects of one type, such as 'figure'.

    Without a package that draws only placeholders are, which graphics functions then give.

    Examples:
        >> ishandle(5)
        ans =
          logical
           0

    See also: isobject, isa.
    """
    import numpy as np

    from runmat_core.builtins.graphics.placeholders import Placeholder, numbers

    offered = interp.builtin("graphics.ishandle")
    if offered is not None:
        return offered(1, value, *(() if kind is None else (kind,)))
    if isinstance(value, Placeholder):
        return v.from_numpy(np.ones(value.shape, dtype=bool, order="F"))
    if v.class_of(value) in v.NUMERIC_CLASSES and kind is None:
        return v.from_numpy(np.isin(v.to_numpy(value), [*numbers(interp)]))
    return v.from_numpy(np.zeros(v.size_of(value), dtype=bool, order="F"))


@builtin("methods", family="lang/help", nargin=(1, 2), needs=("nargout", "interp"))
def methods(value: Any, option: Any = None, *, nargout: int, interp: Any) -> Any:
    """The methods of an object.

    methods(OBJ) prints their names; C = methods(OBJ) returns them as a column cell array.
    The name of a class defined with classdef may stand for an object.

    Examples:
        >> any(strcmp(methods(containers.Map), 'isKey'))
        ans =
          logical
           1

    See also: isobject, ismethod, properties.
    """
    value = _of_class(value, interp)
    names = list(value.method_names()) if _is_object(value) else []
    return _listing("methods", value, names, nargout, interp)


@builtin("properties", family="lang/help", nargin=(1, 1), needs=("nargout", "interp"))
def properties(value: Any, *, nargout: int, interp: Any) -> Any:
    """The properties of an object.

    properties(OBJ) prints their names; C = properties(OBJ) returns them as a column cell array.
    The name of a class defined with classdef may stand for an object.

    Examples:
        >> c = properties(containers.Map); c{1}
        ans =
            'Count'

    See also: methods, fieldnames.
    """
    value = _of_class(value, interp)
    names = list(value.field_names()) if _is_object(value) else []
    return _listing("properties", value, names, nargout, interp)


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


@builtin("isprop", family="lang/help", needs=("interp",))
def isprop(value: Any, name: Any, *, interp: Any) -> Any:
    """Whether an object has a property.

    Examples:
        >> isprop(containers.Map, 'Count')
        ans =
          logical
           1

    See also: ismethod, isfield.
    """
    if not _is_object(value):
        offered = interp.builtin("graphics.isprop")
        return False if offered is None else offered(1, value, name)
    of_elements = value.method("isprop")
    return v.text(name) in value.field_names() if of_elements is None else of_elements(1, name)


def _of_class(value: Any, interp: Any) -> Any:
    """Return an empty array of a class that is given by its name; other values as they are."""
    info = interp.find_class(v.text(value)) if v.is_text(value) else None
    if info is None:
        return value
    from runmat_core.values.objects.making import empty

    return empty(info, ())


def _is_object(value: Any) -> bool:
    from runmat_core.values.object import ObjectValue

    return isinstance(value, ObjectValue)


def _listing(what: str, value: Any, names: list[str], nargout: int, interp: Any) -> Any:
    if nargout:
        return v.cell([v.char(name) for name in names], (len(names), 1))
    listing = "".join(f"    {name}\n" for name in names)
    of_class = f"{what} for class {v.class_of(value)}"
    interp.write(
        f"\n{of_class[0].upper() + of_class[1:]}:\n\n{listing}\n" if names else f"No {of_class}.\n"
    )
    return None
