"""The argument forms of reductions and scans: what a call asks for, and a call that asks for it.

A form reads the arguments after the first one into axes and options, the keyword arguments of
fusion functions; `arguments_of` goes back. What a form does not know is left to the host rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import (
    dimension,
    first_axis,
    option,
    reduction_axes,
    split_options,
)
from runmat_core.values import char, class_of, from_numpy, size_of

#: Axes (None: the default one) and options of a call, or None where the host rule must see it.
Form = Callable[[Any, tuple[Any, ...]], tuple[tuple[int, ...] | None, dict[str, Any]] | None]

_NAN_WORDS = {
    "omitnan": True,
    "omitmissing": True,
    "includenan": False,
    "includemissing": False,
}


def read_call(form: Any, args: tuple[Any, ...]) -> Any:
    """Return what `form` makes of the arguments.

    What it cannot read is the host rule's to refuse.
    """
    try:
        return form(args[0], args[1:])
    except MatlabError:
        return None


#: Words for the class of a sum that change nothing for an argument of this class.
_SAME_CLASS = {"double": "double", "native": "double"}


def _words(words: Sequence[str], x: Any) -> tuple[dict[str, Any], tuple[int, ...] | None] | None:
    """Options and axes that words ask for; None for a word that is not known here."""
    options: dict[str, Any] = {}
    axes = None
    for word in words:
        if word == "all":
            axes = tuple(range(len(size_of(x))))
        elif word in _NAN_WORDS:
            options["omit_nan"] = _NAN_WORDS[word]
        elif word == "default" or class_of(x) == _SAME_CLASS.get(word):
            options["output_class"] = True
        else:
            return None
    return options, axes


def settle_nan(options: dict[str, Any], by_default: bool) -> None:
    """Keep what a flag says of NaN only where it differs from what is done without one."""
    omit = options.pop("omit_nan", by_default)
    if omit != by_default:
        options["omit_nan" if omit else "include_nan"] = True


def _sum_form(x: Any, args: tuple[Any, ...]) -> Any:
    """``(x)``, ``(x, dim)``, ``(x, vecdim)``, ``(x, "all")``, with flags after it."""
    plain, words = split_options(args)
    known = _words(words, x)
    if known is None or len(plain) > 1:
        return None
    options, axes = known
    if plain and axes is None:
        axes = reduction_axes(x, plain[0])
    return axes, options


def _extremum_form(x: Any, args: tuple[Any, ...]) -> Any:
    """``(x)``, ``(x, [], dim)``, ``(x, [], vecdim)``, ``(x, [], "all")``, with flags after it."""
    plain, words = split_options(args)
    known = _words([word for word in words if not word.startswith(("include", "linear"))], x)
    if known is None or len(plain) > 2 or (plain and size_of(plain[0]) != (0, 0)):
        return None
    if plain and not words and len(plain) == 1:
        return None
    options, axes = known
    options.pop("omit_nan", None)
    if any(word.startswith("include") for word in words):
        options["include_nan"] = True
    if len(plain) == 2 and axes is None:
        axes = reduction_axes(x, plain[1])
    if "linear" in words:
        # where all is reduced, places in the slice are places in the array
        reduced = (first_axis(size_of(x)),) if axes is None else axes
        if any(n != 1 and k not in reduced for k, n in enumerate(size_of(x))):
            return None
    return axes, options


def _moment_form(x: Any, args: tuple[Any, ...]) -> Any:
    """``(x, weight, dims)`` with flags; a weight of 1 divides by the number of elements."""
    plain, words = split_options(args)
    known = _words(words, x)
    if known is None or len(plain) > 2 or class_of(x) not in ("single", "double", "logical"):
        return None
    options, axes = known
    if plain and size_of(plain[0]) != (0, 0):
        if plain[0].__class__ is not float or plain[0] not in (0.0, 1.0):
            return None
        if plain[0] == 1.0:
            options["biased"] = True
    if len(plain) == 2 and axes is None:
        axes = reduction_axes(x, plain[1])
    return axes, options


def _norm_form(x: Any, args: tuple[Any, ...]) -> Any:
    """``(v)``, ``(v, p)`` with p 1, 2, Inf, -Inf or "fro"; of a matrix "fro" alone."""
    shape = size_of(x)
    if len(args) > 1 or len(shape) > 2 or class_of(x) not in ("single", "double", "logical"):
        return None
    p = _norm_word(args)
    kind = {"2": "2", "2.0": "2", "1.0": "1", "inf": "inf", "-inf": "-inf", "fro": "2"}.get(p)
    if kind is None or (1 not in shape and p != "fro"):
        return None
    return (0, 1), {} if kind == "2" else {"p": kind}


def matrix_norm_form(x: Any, args: tuple[Any, ...]) -> float | None:
    """Along which dimension ``norm(A, 1)`` and ``norm(A, Inf)`` of a matrix sum magnitudes."""
    shape = size_of(x)
    if len(args) != 1 or len(shape) > 2 or class_of(x) not in ("single", "double"):
        return None
    return {"1.0": 1.0, "inf": 2.0}.get(_norm_word(args))


def _norm_word(args: tuple[Any, ...]) -> str:
    if not args:
        return "2"
    word = option(args[0])
    return str(args[0]) if word is None and args[0].__class__ is float else word or "?"


def _all_form(x: Any, args: tuple[Any, ...]) -> Any:
    """``(x)``: all elements."""
    return None if args else (tuple(range(len(size_of(x)))), {})


FORMS: dict[str, Form] = {
    "sum": _sum_form,
    "extremum": _extremum_form,
    "moment": _moment_form,
    "norm": _norm_form,
    "all": _all_form,
}


def arguments_of(form: str, axes: tuple[int, ...], options: dict[str, Any]) -> list[Any]:
    """Return the arguments after the first one, as MATLAB values."""
    if form == "all":
        return []
    if form == "norm":
        p = options.get("p")
        return [char("fro")] if p is None else [float(p)]
    dims = from_numpy(np.array([[axis + 1.0 for axis in axes]]))
    nothing = from_numpy(np.zeros((0, 0)))
    weight = 1.0 if options.get("biased") else nothing
    before = {"sum": [], "extremum": [nothing], "moment": [weight]}[form]
    words = [char("omitnan")] if options.get("omit_nan") else []
    words += [char("includenan")] if options.get("include_nan") else []
    return [*before, dims, *words]


def scan_form(x: Any, args: tuple[Any, ...]) -> Any:
    """``(x)``, ``(x, dim)``, with "reverse" and flags after it."""
    plain, words = split_options(args)
    known = _words([word for word in words if word not in ("reverse", "forward")], x)
    if known is None or known[1] is not None or len(plain) > 1:
        return None
    return dimension(plain[0]) if plain else None, "reverse" in words, known[0]
