"""Elementwise operations, made from `Map` specs.

The code of a map converts its operands to the type that its class rule computes in, runs the spec's
function on them and converts the result to the class that the rule gives, with saturation where
that is an integer class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import attrs

from runmat_core.accel.graph import classes, facts
from runmat_core.accel.graph.classes import CLASS_SEEN, Operand
from runmat_core.accel.graph.fragments import signature_of
from runmat_core.accel.graph.node import COMPLEX_CLASSES, SOURCE, Node, Op, Shape
from runmat_core.api import errors, ir
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import FusionSpec, Map, Reduction, Scan
from runmat_core.api.ir import Fragment, Known, TraceError, V
from runmat_core.api.ir.complexes import in_one_precision
from runmat_core.api.ir.kernel import DTYPE_OF
from runmat_core.values import class_of, size_of

#: The identifier of the error of a fusion function that does not trace.
TRACE = "RunMat:fusion:trace"


#: The identifier of the error of a host rule that gives something else than the spec has.
MISMATCH = "RunMat:fusion:mismatch"


@lru_cache(maxsize=1024)
def map_op(name: str, spec: Map, host: Callable[..., Any], outputs: int = 1) -> Op:
    """Return the operation that `spec` describes; one object for equal arguments.

    Args:
        name: of the builtin or operator.
        host: the host rule on MATLAB values, ``host(*values)``; for several outputs
            ``host(*values, nargout=outputs)``, which gives a tuple.
        outputs: how many are wanted of those that the spec's function returns.

    Raises:
        ValueError: the spec names no class rule.
    """
    classes.check(spec.classes)

    @cache
    def fragment(
        dtypes: tuple[str, ...], known: tuple[Known | None, ...], options: Any = ()
    ) -> Fragment | None:
        found = classes.outcome(spec.classes, classes.of_types(dtypes, known))
        if found is None:
            return None

        def function(*values: V) -> Any:
            if spec.classes == "mixed":
                operands = in_one_precision(*values)
            else:
                operands = converted(values, found.dtype)
            result = spec.function(*operands)
            results = tuple(result) if isinstance(result, tuple | list) else (result,)
            if result is NotImplemented or len(results) < outputs:
                return NotImplemented
            return tuple([_result(one, found.cls) for one in results[:outputs]])

        return traced(name, spec.function, function, dtypes, known)

    def by_host(node: Any, *values: Any) -> Any:
        value = host(*values, nargout=outputs) if outputs > 1 else host(*values)
        return held_to(node, value, host)

    guard = spec.guard
    if guard is None and spec.domain is not None and spec.refuses is None:
        guard = _domain_guard(spec)
    return Op(name, "map", by_host, fragment, guard, keeps_complex=spec.classes == "parts")


def held_to(node: Node, value: Any, host: Callable[..., Any]) -> Any:
    """Return what a host rule gave for a node, if size and class are as its fusion spec has it.

    Args:
        host: the rule; its attribute ``package``, where it has one, is named in the error.

    Raises:
        MatlabError: RunMat:fusion:mismatch.
    """
    first = value[0] if value.__class__ is tuple else value
    size, cls = size_of(first), class_of(first)
    if size != node.shape or cls != CLASS_SEEN[node.cls]:
        package = getattr(host, "package", "")
        whose = f" of the package '{package}'" if package else ""
        given, wanted = ["x".join(map(str, extents)) for extents in (size, node.shape)]
        raise MatlabError(
            MISMATCH,
            f"The host rule of '{node.op.name}'{whose} gave a {given} {cls} where its fusion spec "
            f"has a {wanted} {node.cls}.",
        )
    return value


def converted(values: Sequence[V], dtype: str) -> list[V]:
    """`values` in the type `dtype`, if it names one; a scalar keeps its value class."""
    if not dtype:
        return list(values)
    result = []
    for value in values:
        cast = ir.cast(value, dtype)
        result.append(V(cast.builder, cast.position, value.known))
    return result


def _result(value: Any, cls: str) -> Any:
    """`value` in the class of the result; what is no value is for `trace` to complain about."""
    return ir.cast(value, DTYPE_OF[cls]) if isinstance(value, V) else value


def _domain_guard(spec: Map) -> Callable[..., V]:
    """Where the first operand is outside of the domain; NaN never is."""
    assert spec.domain is not None
    low, high = spec.domain

    def guard(*values: V) -> V:
        dtypes = tuple(value.dtype for value in values)
        known = tuple(value.known for value in values)
        found = classes.outcome(spec.classes, classes.of_types(dtypes, known))
        assert found is not None, dtypes
        x = converted(values[:1], found.dtype)[0]
        if high == float("inf"):
            return x < low
        if low == -float("inf"):
            return x > high
        return (x < low) | (x > high)

    return guard


def any_may_be_real(inputs: tuple[Any, ...]) -> bool:
    """Whether MATLAB may have made one of the complex inputs real."""
    for value in inputs:
        if value.__class__ is not Node or value.cls not in COMPLEX_CLASSES:
            continue
        if value.op is not SOURCE and not value.op.keeps_complex:
            return True
    return False


def _no_rule(node: Node, *values: Any) -> Any:
    raise AssertionError("an output is taken from the node that has it")


ITEM = Op("item", "item", _no_rule)


@lru_cache(maxsize=1024)
def expanded(a: Shape, b: Shape) -> Shape:
    """Return the size that two sizes expand to.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch.
    """
    rank = max(len(a), len(b))
    a, b = a + (1,) * (rank - len(a)), b + (1,) * (rank - len(b))
    if any(m != n and m != 1 and n != 1 for m, n in zip(a, b, strict=True)):
        raise errors.incompatible_sizes()
    return tuple([n if m == 1 else m for m, n in zip(a, b, strict=True)])


def traced(
    name: str,
    origin: Callable[..., Any],
    function: Callable[..., Any],
    dtypes: Sequence[str],
    known: Sequence[Known | None] = (),
    *,
    reduces: bool = False,
    scans: bool = False,
) -> Fragment | None:
    """Return the code of `function`.

    Return None where it returns NotImplemented, for types it does not take.

    Args:
        origin: the function of the builtin's mark, which errors name.

    Raises:
        MatlabError: RunMat:fusion:trace, with the names of the builtin and of its module.
    """
    declined = False

    def checked(*values: V) -> Any:
        nonlocal declined
        result = function(*values)
        declined = result is NotImplemented
        return values[0] if declined else result

    try:
        fragment = ir.trace(checked, dtypes, known, reduces=reduces, scans=scans)
        if reduces and not declined and any(fragment.code[k].over for k in fragment.outputs):
            raise TraceError("the function of a Reduction returns what it did not reduce")
    except TraceError as problem:
        where = getattr(origin, "__module__", "?")
        raise MatlabError(
            TRACE,
            f"The fusion function of '{name}' in {where} cannot become a kernel for "
            f"({', '.join(dtypes)}): {problem}",
        ) from problem
    return None if declined else _pruned(fragment)


def _pruned(fragment: Fragment) -> Fragment:
    """`fragment` without code that no output needs, such as that of other outputs."""
    needed = set(range(len(fragment.inputs))) | set(fragment.outputs)
    for k in range(len(fragment.code) - 1, -1, -1):
        if k in needed:
            needed.update(fragment.code[k].args)
    if len(needed) == len(fragment.code):
        return fragment
    place = {k: new for new, k in enumerate(sorted(needed))}
    code = [fragment.code[k] for k in place]
    return attrs.evolve(
        fragment,
        code=tuple([attrs.evolve(i, args=tuple([place[a] for a in i.args])) for i in code]),
        outputs=tuple([place[k] for k in fragment.outputs]),
    )


def as_spec(fusion: FusionSpec | Callable[..., Any]) -> FusionSpec:
    """Return the spec of a mark: a plain function means `Map`."""
    return fusion if isinstance(fusion, Map | Reduction | Scan) else _plain(fusion)


@cache
def _plain(function: Callable[..., Any]) -> Map:
    return Map(function)


# -- operations with what decides about them -------------------------------------------------------

#: By operation of nodes, the elementwise operations.
ELEMENTWISE: dict[Op, ElementwiseOp] = {}
#: Those of them whose guard or rejection depends on what is known of the operands.
CONDITIONAL: dict[Op, ElementwiseOp] = {}


class ElementwiseOp:
    """An elementwise operation with its class rule and its conditions.

    Attributes:
        op: of the nodes.
        spec: holds the class rule, and what the operation rejects.
        needs_guard: whether the inputs of a node may lead out of the reals.
        outputs: how many there are.
        of_complex: the operation on operands of which one is complex.
        of_long: the operation on 64-bit integers.
        takes_complex: whether operands may be complex.
        outcomes: for operands of known classes the class of the result, None where they do not
            fuse.
    """

    __slots__ = (
        "needs_guard",
        "of_complex",
        "of_long",
        "op",
        "outcomes",
        "outputs",
        "spec",
        "takes_complex",
    )

    def __init__(
        self,
        op: Op,
        spec: Map,
        needs_guard: Callable[[tuple[Any, ...]], bool] | None = None,
        outputs: int = 1,
        of_complex: ElementwiseOp | None = None,
        of_long: ElementwiseOp | None = None,
    ) -> None:
        self.op = op
        self.spec = spec
        self.needs_guard = needs_guard
        self.outputs = outputs
        self.of_complex = of_complex
        self.of_long = of_long
        self.takes_complex = False
        self.outcomes: dict[Any, str | None] = {}
        ELEMENTWISE[op] = self
        if needs_guard is not None or spec.refuses is not None:
            CONDITIONAL[op] = self

    def class_of(self, inputs: tuple[Any, ...]) -> str | None:
        """Return the class of the result for inputs of a node; None where they do not fuse."""
        operands = tuple([_operand(value) for value in inputs])
        return self.outcome(("inputs", operands, *signature_of(inputs)), inputs)

    def outcome(self, key: Any, inputs: Sequence[Any]) -> str | None:
        """Find the class of the result where there is code for it, and remember it under `key`."""
        operands = tuple(_operand(value) for value in inputs)
        found = classes.outcome(self.spec.classes, operands)
        cls = None if found is None else found.cls
        if cls is not None and self.op.fragment is not None:
            dtypes, known = signature_of(inputs)
            if self.op.fragment(dtypes, known, ()) is None:
                cls = None
        self.outcomes[key] = cls
        return cls

    def rejects(self, inputs: tuple[Any, ...]) -> bool:
        """Return whether the builtin may raise an error for these inputs."""
        if self.spec.refuses == "nan":
            return any(map(facts.may_be_nan, inputs))
        assert self.spec.domain is not None
        return facts.may_leave(inputs[0], *self.spec.domain)


@lru_cache(maxsize=1024)
def elementwise_op(
    name: str, spec: Map, host: Callable[..., Any], outputs: int = 1
) -> ElementwiseOp:
    """Return the operation that `spec` describes, with its conditions; see `map_op`."""
    op = map_op(name, spec, host, outputs)
    of_complex = None
    if spec.of_complex is not None:
        of_complex = elementwise_op(name, spec.of_complex, host, outputs)
        of_complex.takes_complex = True
    of_long = None if spec.of_long is None else elementwise_op(name, spec.of_long, host, outputs)
    if op.guard is None:
        return ElementwiseOp(op, spec, None, outputs, of_complex, of_long)
    if spec.guard is not None or spec.domain is None:
        return ElementwiseOp(op, spec, any_may_be_real, outputs, of_complex, of_long)
    low, high = spec.domain
    needs_guard = lambda inputs: facts.may_leave(inputs[0], low, high)  # noqa: E731
    return ElementwiseOp(op, spec, needs_guard, outputs, of_complex, of_long)


def _operand(value: Any) -> Operand:
    if value.__class__ is Node:
        return Operand(value.cls, value.shape == (1, 1), False)
    return Operand("logical" if value.__class__ is bool else "double", True, True)
