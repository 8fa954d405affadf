"""From a call of a builtin to nodes of the acceleration graph.

`capture` is asked with the arguments as MATLAB gives them. Where the builtin's fusion spec covers
the argument form, the classes and the sizes, nodes are appended and deferred arrays come back;
otherwise NotImplemented, and the host rule has its say, errors included.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from runmat_core.accel.capture import direct
from runmat_core.accel.capture.boundary import any_node_of, lazy, lazy_pair, node_of
from runmat_core.accel.capture.maps import capture_map
from runmat_core.accel.capture.recipes import Recipes
from runmat_core.accel.capture.reductions import capture_reduction, capture_scan
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node, Op
from runmat_core.accel.ops.elementwise import (
    TRACE,
    ElementwiseOp,
    any_may_be_real,
    as_spec,
    elementwise_op,
    held_to,
)
from runmat_core.accel.ops.operators import OPERATIONS
from runmat_core.accel.ops.reductions import reduce_op, scan_op
from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map, Reduction, Scan
from runmat_core.api.operators import OPERATORS
from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins import registry
from runmat_core.builtins.adapters import Failure
from runmat_core.builtins.arguments import first_axis, option
from runmat_core.builtins.forms import (
    FORMS,
    arguments_of,
    matrix_norm_form,
    read_call,
    scan_form,
    settle_nan,
)
from runmat_core.values import char, class_of, from_numpy, share
from runmat_core.values.deferred import Deferred
from runmat_core.values.notices import warn

#: Forms of calls that a builtin remembers.
FORMS_MET = 1024

#: Builtins whose fusion function does not trace; they are warned of once.
_broken: set[str] = set()

#: What makes nodes of a call: ``rule(graph, args, nargout)``.
Rule = Callable[[Graph, tuple[Any, ...], int], Any]


def capture(spec: BuiltinSpec, args: tuple[Any, ...], nargout: int) -> Any:
    """Deferred results of a call, or NotImplemented where the host rule is to run.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch.
    """
    if spec.name in _broken:
        return NotImplemented
    graph = lazy_pair(*args) if len(args) == 2 and _expands(spec) else lazy(*args)
    if graph is None:
        return NotImplemented
    try:
        return _rule(spec).rule(graph, args, nargout)
    except MatlabError as problem:
        if problem.identifier != TRACE:
            raise
        _broken.add(spec.name)
        package = registry.package_of(spec.name)
        where = f"In the package '{package}': " if package else ""
        warn(TRACE, f"{where}{problem.message} The host rule is used.")
        return NotImplemented


@cache
def _expands(spec: BuiltinSpec) -> bool:
    """Whether two arrays as arguments of a builtin expand to the size of its result."""
    if spec.fusion is None:
        return False
    fusion = as_spec(spec.fusion)
    return isinstance(fusion, Map) or (isinstance(fusion, Reduction) and fusion.pair is not None)


def capturing(spec: BuiltinSpec) -> Callable[[tuple[Any, ...], int], Any]:
    """`capture` of one builtin, ``capture(args, nargout)``, with the short ways that it has."""
    short: Mapping[int, Callable[..., Any]] = {}

    def ordinary(args: tuple[Any, ...], nargout: int) -> Any:
        nonlocal short
        result = capture(spec, args, nargout)
        if result is not NotImplemented:
            short = _rule(spec).short
        return result

    # what counts elements or guards them sees every call
    other = ordinary if spec.fusion is None else Recipes(ordinary).call

    def call(args: tuple[Any, ...], nargout: int) -> Any:
        if nargout < 2:
            way = short.get(len(args))
            if way is not None:
                result = way(*args)
                if result is not NotImplemented:
                    return result
        return other(args, nargout)

    return call


class Captured(NamedTuple):
    """How calls of a builtin are captured.

    Attributes:
        rule: of any call.
        short: by the number of arguments, short ways to one output (`accel.capture.direct`).
    """

    rule: Rule
    short: Mapping[int, Callable[..., Any]] = {}


@cache
def _rule(spec: BuiltinSpec) -> Captured:
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


def _made_rule(spec: BuiltinSpec) -> Captured:
    if spec.fusion is None:
        assert spec.gpu is not None
        from runmat_core.builtins.library_calls import call_rule

        return Captured(call_rule(spec.gpu, _host(spec)))
    fusion = as_spec(spec.fusion)
    if isinstance(fusion, Map):
        return _map_rule(spec, fusion)
    if isinstance(fusion, Scan):
        return _scan_rule(spec, fusion)
    return _reduction_rule(spec, fusion)


@cache
def _host(spec: BuiltinSpec) -> Callable[..., Any]:
    """Return the host rule on settled MATLAB values, for one output unless told otherwise.

    What it raises names the builtin: it may run long after the call.
    """
    host = registry.host_rule(spec)
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

    rule.package = registry.package_of(spec.name)  # type: ignore[attr-defined]
    return rule


# -- element by element ----------------------------------------------------------------------------


def _map_rule(spec: BuiltinSpec, fusion: Map) -> Captured:
    operation = _operation(spec, fusion)
    least, most = _counts(fusion.function)
    # int8(x) of an int8 array is the array
    converts = fusion.classes if fusion.classes == spec.name else None
    accepts = fusion.accepts

    def rule(graph: Graph, args: tuple[Any, ...], nargout: int) -> Any:
        if (nargout > 1 and "nargout" not in spec.needs) or not least <= len(args) <= most:
            return NotImplemented
        if converts is not None and class_of(args[0]) == converts:
            return share(args[0])
        if accepts is not None and not accepts(*args):
            return NotImplemented
        if nargout < 2:
            return capture_map(operation, graph, args)
        return capture_map(elementwise_op(spec.name, fusion, _host(spec), nargout), graph, args)

    short: dict[int, Callable[..., Any]] = {}
    if converts is None and accepts is None and direct.takes(operation):
        ways = {1: direct.unary, 2: direct.binary}
        short = {n: way(operation) for n, way in ways.items() if least <= n <= most}
    return Captured(rule, short)


def _operation(spec: BuiltinSpec, fusion: Map) -> ElementwiseOp:
    """Return the operator's own operation where the builtin is an operator."""
    if OPERATORS.get(spec.name) is fusion:
        return OPERATIONS[spec.name]
    return elementwise_op(spec.name, fusion, _host(spec))


def _counts(function: Callable[..., Any]) -> tuple[int, int]:
    """Fewest and most arguments of a fusion function."""
    parameters = inspect.signature(function).parameters.values()
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    most = len(positional)
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        most = sys.maxsize
    return sum(p.default is p.empty for p in positional), most


# -- reductions ------------------------------------------------------------------------------------


def _reduction_rule(spec: BuiltinSpec, fusion: Reduction) -> Captured:
    op = reduce_op(spec.name, fusion, _reduction_host(spec, fusion.form))
    read = FORMS[fusion.form]
    pair = None if fusion.pair is None else elementwise_op(spec.name, fusion.pair, _host(spec))
    known = frozenset(inspect.signature(fusion.function).parameters)
    heeds = not known.isdisjoint({"omit_nan", "include_nan"})
    met: dict[Any, direct.Form] = {}
    take = node_of if fusion.of_complex is None else any_node_of

    def rule(graph: Graph, args: tuple[Any, ...], nargout: int) -> Any:
        result = read_and_capture(graph, args, nargout)
        _remember(met, op, args, result, fusion.decided)
        return result

    def read_and_capture(graph: Graph, args: tuple[Any, ...], nargout: int) -> Any:
        steps = _IN_STEPS.get(fusion.form)
        if not args or (nargout > fusion.outputs and steps is None):
            return NotImplemented
        if pair is not None and len(args) == 2 and option(args[1]) is None:
            return capture_map(pair, graph, args) if nargout < 2 else NotImplemented
        request = read_call(read, args)
        x = take(graph, args[0])
        if x.__class__ is not Node or (fusion.decided and any_may_be_real((x,))):
            return NotImplemented
        if request is None or nargout > fusion.outputs:
            return NotImplemented if steps is None else steps(spec.name, args, nargout)
        axes, options = request
        if "omit_nan" in options and not heeds:
            return NotImplemented  # any and all take no such flag
        if fusion.form == "sum" and fusion.result == "float":
            options.pop("output_class", None)
        settle_nan(options, by_default=fusion.result in ("same", "own"))
        axes = _axes(x, axes)
        if x.dtype[0] not in "fc":
            # whole numbers are never NaN
            options.pop("omit_nan", None)
            options.pop("include_nan", None)
        if nargout > 1:
            options["outputs"] = nargout
        if not axes or not known.issuperset(options):
            return NotImplemented
        pairs = tuple(sorted(options.items()))
        return capture_reduction(graph, op, fusion, x, axes, pairs)

    short = dict.fromkeys((1, 2, 3), direct.along(op, met))
    if pair is not None:
        along, between = short[2], direct.binary(pair)

        def second(a: Any, b: Any) -> Any:
            result = between(a, b)
            return along(a, b) if result is NotImplemented else result

        short[2] = second
    return Captured(rule, short)


def _remember(
    met: dict[Any, direct.Form], op: Op, args: tuple[Any, ...], result: Any, decided: bool
) -> None:
    """Keep what a call of a reduction or scan came to, for others of its form.

    Args:
        decided: whether complex elements are to be looked at each time.
    """
    if result.__class__ is not Deferred or len(met) >= FORMS_MET:
        return
    node: Node = result.promise.node
    if decided and node.op is op and node.inputs[0].cls in COMPLEX_CLASSES:
        return
    if node.op is op and len(node.inputs) == 1 and node.data is None:
        form = direct.form_of(node.inputs[0], args[1:])
        if form is not None:
            met[form] = node.static, node.shape, node.cls


def _spread(name: str, args: tuple[Any, ...], nargout: int) -> Any:
    from runmat_core.builtins import composed_statistics

    return composed_statistics.spread(name, args, nargout)


def _largest_sum(name: str, args: tuple[Any, ...], nargout: int) -> Any:
    """``norm(A, 1)`` and ``norm(A, Inf)`` of a matrix: the largest sum of a column or a row."""
    request = read_call(matrix_norm_form, args)
    if request is None:
        return NotImplemented
    sums = _call("sum", _call("abs", args[0]), request)
    return _call("max", sums, from_numpy(np.zeros((0, 0))), char("all"), char("includenan"))


def _call(builtin: str, *operands: Any) -> Any:
    """Return a captured builtin of what was captured before.

    NotImplemented where something was not.
    """
    if any(value is NotImplemented for value in operands):
        return NotImplemented
    spec = registry.find(builtin)
    assert spec is not None
    return capture(spec, operands, 1)


#: By the form of a reduction: calls that are several operations, ``steps(name, args, nargout)``.
_IN_STEPS: dict[str, Callable[[str, tuple[Any, ...], int], Any]] = {
    "moment": _spread,
    "norm": _largest_sum,
}


def _axes(x: Node, axes: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the axes that are there.

    None for an array without elements, which the host rule knows.
    """
    if 0 in x.shape:
        return ()
    if axes is None:
        return (first_axis(x.shape),)
    return tuple(sorted({axis for axis in axes if axis < len(x.shape)}))


def _reduction_host(spec: BuiltinSpec, form: str) -> Callable[..., Any]:
    """Return the host rule of a node: the call that says what its axes and options say."""
    host = _host(spec)

    def rule(node: Node, x: Any) -> Any:
        options = dict(node.option("options", ()))
        count = options.get("outputs", 1)
        arguments = arguments_of(form, node.option("axes"), options)
        found = host(x, *arguments, nargout=count) if count > 1 else host(x, *arguments)
        return held_to(node, found, host)

    return rule


# -- scans -----------------------------------------------------------------------------------------


def _scan_rule(spec: BuiltinSpec, fusion: Scan) -> Captured:
    op = scan_op(spec.name, fusion, _scan_host(spec))
    take = node_of if fusion.of_complex is None else any_node_of
    met: dict[Any, direct.Form] = {}
    known = frozenset(inspect.signature(fusion.function).parameters)

    def rule(graph: Graph, args: tuple[Any, ...], nargout: int) -> Any:
        if not args or nargout > fusion.outputs:
            return NotImplemented
        request = read_call(scan_form, args)
        x = take(graph, args[0])
        if request is None or x.__class__ is not Node or (fusion.decided and any_may_be_real((x,))):
            return NotImplemented
        axis, reverse, options = request
        settle_nan(options, by_default=fusion.result in ("same", "own"))
        if x.dtype[0] in "biu":
            options.clear()  # whole numbers are never NaN
        if nargout > 1:
            options["outputs"] = nargout
        axis = first_axis(x.shape) if axis is None else axis
        if 0 in x.shape or axis >= len(x.shape) or not known.issuperset(options):
            return NotImplemented
        if fusion.result == "float" and x.dtype[0] in "iu":
            return NotImplemented  # integer classes saturate at each step
        pairs = tuple(sorted(options.items()))
        result = capture_scan(graph, op, fusion, x, axis, reverse, pairs)
        _remember(met, op, args, result, fusion.decided)
        return result

    return Captured(rule, dict.fromkeys((1, 2, 3), direct.along(op, met)))


def _scan_host(spec: BuiltinSpec) -> Callable[..., Any]:
    host = _host(spec)

    def rule(node: Node, x: Any) -> Any:
        options = dict(node.option("options", ()))
        words = ["reverse"] if node.option("reverse") else []
        words += ["omitnan"] if options.get("omit_nan") else []
        words += ["includenan"] if options.get("include_nan") else []
        count = options.get("outputs", 1)
        arguments = (x, node.option("axis") + 1.0, *map(char, words))
        found = host(*arguments, nargout=count) if count > 1 else host(*arguments)
        return held_to(node, found, host)

    return rule
