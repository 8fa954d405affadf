"""From a call of a builtin to nodes of the acceleration graph.

`capture` is asked with the arguments as MATLAB gives them. Where the builtin's fusion spec covers
the argument form, the classes and the sizes, nodes are appended and deferred arrays come back;
otherwise NotImplemented, and the host rule has its say, errors included.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from runmat_core.accel import operators
from runmat_core.accel.capture import lazy, node_of
from runmat_core.accel.graph import Graph
from runmat_core.accel.maps import TRACE, Mapped, as_spec, mapped
from runmat_core.accel.node import Node
from runmat_core.accel.reductions import (
    capture_reduction,
    capture_scan,
    reduce_op,
    scan_op,
)
from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map, Reduction, Scan
from runmat_core.api.operators import OPERATORS
from runmat_core.builtins.adapters import Failure
from runmat_core.builtins.arguments import (
    dimension,
    first_axis,
    option,
    reduction_axes,
    split_options,
)
from runmat_core.builtins.lift import lifted
from runmat_core.values import DTYPE, class_of, from_numpy, share, size_of
from runmat_core.values.notices import warn

#: Builtins whose fusion function does not trace; they are warned of once.
_broken: set[str] = set()

#: What makes nodes of a call: ``rule(graph, args, nargout)``.
Rule = Callable[[Graph, tuple[Any, ...], int], Any]


def capture(spec: BuiltinSpec, args: tuple[Any, ...], nargout: int) -> Any:
    """Deferred results of a call, or NotImplemented where the host rule is to run.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch.
    """
    if spec.fusion is None or spec.name in _broken:
        return NotImplemented
    graph = lazy(*args)
    if graph is None:
        return NotImplemented
    try:
        return _rule(spec)(graph, args, nargout)
    except MatlabError as problem:
        if problem.identifier != TRACE:
            raise
        from runmat_core.builtins import registry

        _broken.add(spec.name)
        package = registry.package_of(spec.name)
        where = f"In the package '{package}': " if package else ""
        warn(TRACE, f"{where}{problem.message} The host rule is used.")
        return NotImplemented


@cache
def _rule(spec: BuiltinSpec) -> Rule:
    """How calls of a builtin are captured.

    Raises:
        MatlabError: RunMat:fusion:trace, the mark's fusion spec is none.
    """
    try:
        return _made_rule(spec)
    except Exception as problem:
        where = spec.host.__module__
        raise MatlabError(
            TRACE, f"The fusion spec of '{spec.name}' in {where} cannot be used: {problem}"
        ) from problem


def _made_rule(spec: BuiltinSpec) -> Rule:
    fusion = as_spec(spec.fusion)  # type: ignore[arg-type]
    if isinstance(fusion, Map):
        return _map_rule(spec, fusion)
    if isinstance(fusion, Scan):
        return _scan_rule(spec, fusion)
    return _reduction_rule(spec, fusion)


@cache
def _host(spec: BuiltinSpec) -> Callable[..., Any]:
    """The host rule on settled MATLAB values, for one output unless told otherwise.

    What it raises names the builtin: it may run long after the call.
    """
    host = spec.host if spec.lift is None else lifted(spec)
    several = "nargout" in spec.needs
    failure = Failure(spec.name)

    def rule(*values: Any, nargout: int = 1) -> Any:
        try:
            return host(*values, nargout=nargout) if several else host(*values)
        except Exception as problem:
            raised = failure(problem)
            if raised is problem:
                raise
            raise raised from problem

    return rule


# -- element by element ----------------------------------------------------------------------------


def _map_rule(spec: BuiltinSpec, fusion: Map) -> Rule:
    operations = [_operation(spec, fusion)]
    if spec.nargout is not None:
        operations += [
            mapped(spec.name, fusion, _host(spec), output) for output in range(1, spec.nargout)
        ]
    operation = operations[0]
    least, most = _counts(fusion.function)
    converts = fusion.classes if fusion.classes in DTYPE and most == 1 else None
    accepts = fusion.accepts

    def rule(graph: Graph, args: tuple[Any, ...], nargout: int) -> Any:
        if nargout > len(operations) or not least <= len(args) <= most:
            return NotImplemented
        if converts is not None and class_of(args[0]) == converts:
            return share(args[0])
        if accepts is not None and not accepts(*args):
            return NotImplemented
        if nargout < 2:
            return operation.capture(graph, args)
        outputs = tuple([one.capture(graph, args) for one in operations[:nargout]])
        return NotImplemented if any(one is NotImplemented for one in outputs) else outputs

    return rule


def _operation(spec: BuiltinSpec, fusion: Map) -> Mapped:
    """The operator's own operation where the builtin is an operator."""
    if OPERATORS.get(spec.name) is fusion:
        return operators.OPERATIONS[spec.name]
    return mapped(spec.name, fusion, _host(spec))


def _counts(function: Callable[..., Any]) -> tuple[int, int]:
    """Fewest and most arguments of a fusion function."""
    parameters = inspect.signature(function).parameters.values()
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    most = len(positional)
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        most = sys.maxsize
    return sum(p.default is p.empty for p in positional), most


# -- reductions ------------------------------------------------------------------------------------

#: Axes (None: the default one) and options of a call, or None where the host rule must see it.
Form = Callable[[Any, tuple[Any, ...]], tuple[tuple[int, ...] | None, dict[str, Any]] | None]

_NAN_WORDS = {
    "omitnan": True,
    "omitmissing": True,
    "includenan": False,
    "includemissing": False,
}


def _reduction_rule(spec: BuiltinSpec, fusion: Reduction) -> Rule:
    op = reduce_op(spec.name, fusion, _reduction_host(spec, fusion.form))
    read = FORMS[fusion.form]
    pair = None if fusion.pair is None else mapped(spec.name, fusion.pair, _host(spec))
    known = frozenset(inspect.signature(fusion.function).parameters)

    def rule(graph: Graph, args: tuple[Any, ...], nargout: int) -> Any:
        if not args or nargout > fusion.outputs:
            return NotImplemented
        if pair is not None and len(args) == 2 and option(args[1]) is None:
            return pair.capture(graph, args) if nargout < 2 else NotImplemented
        request = _read(read, args)
        x = node_of(graph, args[0])
        if request is None or x.__class__ is not Node:
            return NotImplemented
        axes, options = request
        if fusion.form == "sum" and fusion.result == "float":
            options.pop("output_class", None)
        _settle_nan(options, by_default=fusion.result == "same")
        axes = _axes(x, axes)
        if x.dtype[0] != "f":
            # whole numbers are never NaN
            options.pop("omit_nan", None)
            options.pop("include_nan", None)
        if nargout > 1:
            options["outputs"] = nargout
        if not axes or not known.issuperset(options):
            return NotImplemented
        pairs = tuple(sorted(options.items()))
        return capture_reduction(graph, op, fusion, x, axes, pairs)

    return rule


def _read(form: Any, args: tuple[Any, ...]) -> Any:
    """What `form` makes of the arguments; what it cannot read is the host rule's to refuse."""
    try:
        return form(args[0], args[1:])
    except MatlabError:
        return None


def _axes(x: Node, axes: tuple[int, ...] | None) -> tuple[int, ...]:
    """The axes that are there; none for an array without elements, which the host rule knows."""
    if 0 in x.shape:
        return ()
    if axes is None:
        return (first_axis(x.shape),)
    return tuple(sorted({axis for axis in axes if axis < len(x.shape)}))


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


def _settle_nan(options: dict[str, Any], by_default: bool) -> None:
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
    known = _words([word for word in words if not word.startswith("include")], x)
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
    p = "2"
    if args:
        word = option(args[0])
        p = str(args[0]) if word is None and args[0].__class__ is float else word or "?"
    kind = {"2": "2", "2.0": "2", "1.0": "1", "inf": "inf", "-inf": "-inf", "fro": "2"}.get(p)
    if kind is None or (1 not in shape and p != "fro"):
        return None
    return (0, 1), {} if kind == "2" else {"p": kind}


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


def _reduction_host(spec: BuiltinSpec, form: str) -> Callable[..., Any]:
    """The host rule of a node: the call that says what its axes and options say."""
    host = _host(spec)

    def rule(node: Node, x: Any) -> Any:
        options = dict(node.option("options", ()))
        count = options.get("outputs", 1)
        arguments = _arguments(form, node.option("axes"), options)
        return host(x, *arguments, nargout=count) if count > 1 else host(x, *arguments)

    return rule


def _arguments(form: str, axes: tuple[int, ...], options: dict[str, Any]) -> list[Any]:
    """The arguments after the first one, as MATLAB values."""
    from runmat_core.values import char

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


# -- scans -----------------------------------------------------------------------------------------


def _scan_rule(spec: BuiltinSpec, fusion: Scan) -> Rule:
    op = scan_op(spec.name, fusion, _scan_host(spec))
    known = frozenset(inspect.signature(fusion.function).parameters)

    def rule(graph: Graph, args: tuple[Any, ...], nargout: int) -> Any:
        if not args or nargout > 1:
            return NotImplemented
        request = _read(_scan_form, args)
        x = node_of(graph, args[0])
        if request is None or x.__class__ is not Node:
            return NotImplemented
        axis, reverse, options = request
        axis = first_axis(x.shape) if axis is None else axis
        if 0 in x.shape or axis >= len(x.shape) or not known.issuperset(options):
            return NotImplemented
        if fusion.result == "float" and x.dtype[0] in "iu":
            return NotImplemented  # integer classes saturate at each step
        pairs = tuple(sorted(options.items()))
        return capture_scan(graph, op, fusion, x, axis, reverse, pairs)

    return rule


def _scan_form(x: Any, args: tuple[Any, ...]) -> Any:
    """``(x)``, ``(x, dim)``, with "reverse" and flags after it."""
    plain, words = split_options(args)
    known = _words([word for word in words if word not in ("reverse", "forward")], x)
    if known is None or known[1] is not None or len(plain) > 1:
        return None
    _settle_nan(known[0], by_default=False)
    return dimension(plain[0]) if plain else None, "reverse" in words, known[0]


def _scan_host(spec: BuiltinSpec) -> Callable[..., Any]:
    host = _host(spec)

    def rule(node: Node, x: Any) -> Any:
        from runmat_core.values import char

        words = [char("reverse")] if node.option("reverse") else []
        if dict(node.option("options", ())).get("omit_nan"):
            words.append(char("omitnan"))
        return host(x, node.option("axis") + 1.0, *words)

    return rule
