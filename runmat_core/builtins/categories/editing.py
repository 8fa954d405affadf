"""Adding, removing, renaming, reordering and merging categories."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.categories.making import categorical_of, names_in
from runmat_core.builtins.named import pairs
from runmat_core.values import class_of, is_text, text, to_numpy
from runmat_core.values.categorical import Categorical
from runmat_core.values.classes import DTYPE


def _known(value: Categorical, names: list[str], function: str) -> list[str]:
    """`names`, all of which must be categories."""
    for name in names:
        if name not in value.names:
            raise MatlabError(
                f"MATLAB:categorical:{function}:InvalidNames",
                f"'{name}' is not a category of the array.",
            )
    return names


def _new(value: Categorical, names: list[str], function: str) -> list[str]:
    """`names`, none of which may be a category."""
    for name in names:
        if name in value.names:
            raise MatlabError(
                f"MATLAB:categorical:{function}:NamesExist",
                f"'{name}' is a category of the array already.",
            )
    return names


@builtin("addcats", family="categories/editing", nargin=(2, 4), effects="pure")
def addcats(c: Any, names: Any, *where: Any) -> Any:
    """A categorical array with more categories, after those that it has.

    C2 = addcats(C, names)
    C2 = addcats(C, names, 'Before', category), addcats(C, names, 'After', category)

    Examples:
        >> categories(addcats(categorical({'a', 'c'}), 'b', 'After', 'a'))
        ans =
          3×1 cell array
            {'a'}
            {'b'}
            {'c'}

    See also: removecats, renamecats, setcats, categories.
    """
    value = categorical_of("addcats", c)
    new = _new(value, list(dict.fromkeys(names_in(names, "addcats"))), "addcats")
    options, _ = pairs(where, ("Before", "After"), "addcats")
    at = len(value.names)
    for side, place in options.items():
        (name,) = _known(value, names_in(place, "addcats"), "addcats")
        at = value.names.index(name) + (side == "After")
    if value.meaning.ordinal and not options:
        raise MatlabError(
            "MATLAB:categorical:addcats:OrdinalRequiresPosition",
            "New categories of an ordinal array need a position: use 'Before' or 'After'.",
        )
    return value.recoded([*value.names[:at], *new, *value.names[at:]])


@builtin("removecats", family="categories/editing", nargin=(1, 2), effects="pure")
def removecats(c: Any, names: Any = None) -> Any:
    """A categorical array without some categories; their elements become undefined.

    C2 = removecats(C) removes those that no element has
    C2 = removecats(C, names)

    Examples:
        >> removecats(categorical({'a', 'b'}), 'b')
        ans =
          1×2 categorical array
             a      <undefined>

    See also: addcats, setcats, categories.
    """
    value = categorical_of("removecats", c)
    if names is None:
        used = set(np.unique(value.codes).tolist())
        return value.recoded([name for k, name in enumerate(value.names, 1) if k in used])
    gone = names_in(names, "removecats")
    return value.recoded([name for name in value.names if name not in gone])


@builtin("renamecats", family="categories/editing", nargin=(2, 3), effects="pure")
def renamecats(c: Any, *names: Any) -> Any:
    """A categorical array with other names of its categories.

    C2 = renamecats(C, newnames) renames all of them
    C2 = renamecats(C, oldnames, newnames)

    Examples:
        >> renamecats(categorical({'a', 'b'}), 'a', 'x')
        ans =
          1×2 categorical array
             x      b

    See also: addcats, reordercats, mergecats.
    """
    value = categorical_of("renamecats", c)
    new = names_in(names[-1], "renamecats")
    old = list(value.names)
    if len(names) > 1:
        old = _known(value, names_in(names[0], "renamecats"), "renamecats")
    if len(new) != len(old):
        raise MatlabError(
            "MATLAB:categorical:renamecats:IncorrectNumNames",
            f"There must be as many new names as categories to rename, {len(old)}.",
        )
    change = dict(zip(old, new, strict=True))
    renamed = [change.get(name, name) for name in value.names]
    if len(set(renamed)) < len(renamed):
        raise MatlabError(
            "MATLAB:categorical:renamecats:DuplicateNames", "The new names are not distinct."
        )
    return value.renamed(renamed)


@builtin("reordercats", family="categories/editing", nargin=(1, 2), effects="pure")
def reordercats(c: Any, order: Any = None) -> Any:
    """A categorical array with its categories in another order.

    C2 = reordercats(C) sorts them
    C2 = reordercats(C, names), reordercats(C, positions)

    Examples:
        >> categories(reordercats(categorical({'a', 'b'}), {'b', 'a'}))
        ans =
          2×1 cell array
            {'b'}
            {'a'}

    See also: categories, setcats, sort.
    """
    value = categorical_of("reordercats", c)
    if order is None:
        names = sorted(value.names)
    elif class_of(order) in DTYPE:
        at = to_numpy(order).ravel()
        if sorted(at.tolist()) != list(range(1, len(value.names) + 1)):
            raise _not_all()
        names = [value.names[int(k) - 1] for k in at]
    else:
        names = names_in(order, "reordercats")
    if sorted(names) != sorted(value.names):
        raise _not_all()
    return value.recoded(names)


def _not_all() -> MatlabError:
    return MatlabError(
        "MATLAB:categorical:reordercats:InvalidNeworder",
        "The new order must hold each category once.",
    )


@builtin("setcats", family="categories/editing", effects="pure")
def setcats(c: Any, names: Any) -> Any:
    """A categorical array with these categories; elements of others become undefined.

    C2 = setcats(C, names)

    Examples:
        >> setcats(categorical({'a', 'b'}), {'b', 'c'})
        ans =
          1×2 categorical array
             <undefined>      b

    See also: addcats, removecats, reordercats.
    """
    value = categorical_of("setcats", c)
    return value.recoded(list(dict.fromkeys(names_in(names, "setcats"))))


@builtin("mergecats", family="categories/editing", nargin=(2, 3), effects="pure")
def mergecats(c: Any, old: Any, new: Any = None) -> Any:
    """A categorical array with several categories made one.

    C2 = mergecats(C, oldnames) gives them the name of the first
    C2 = mergecats(C, oldnames, newname)

    Examples:
        >> mergecats(categorical({'a', 'b', 'c'}), {'a', 'b'}, 'x')
        ans =
          1×3 categorical array
             x      x      c

    See also: renamecats, removecats.
    """
    value = categorical_of("mergecats", c)
    names = [name for name in names_in(old, "mergecats") if name in value.names]
    if not names:
        return value
    if new is not None and not is_text(new):
        raise MatlabError(
            "MATLAB:categorical:mergecats:InvalidNewName", "The new name must be one text."
        )
    target = names[0] if new is None else text(new).strip()
    first = min(value.names.index(name) for name in names)
    kept: list[str] = []
    for k, name in enumerate(value.names):
        if k == first:
            kept.append(target)
        elif name not in names and name != target:
            kept.append(name)
    place = {name: k for k, name in enumerate(kept, 1)}
    codes = [0, *(place[target if name in names else name] for name in value.names)]
    merged = np.array(codes, np.int64)[value.codes]
    return Categorical(merged, attrs.evolve(value.meaning, names=tuple(kept)))
