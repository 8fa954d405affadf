"""What is known of a node's elements without computing them: bounds, whole numbers, no NaN.

Facts decide whether an operation may leave the reals (`sqrt` of something negative) or be an error
(`logical` of NaN). They come from reading the code of the node, instruction by instruction, with
the rules of `accel.graph.interval_rules`, so whatever has a fragment has facts, even in plugins.
They are found when asked for and kept on the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runmat_core.accel.graph import interval_rules, intervals
from runmat_core.accel.graph.fragments import code_of
from runmat_core.accel.graph.intervals import Facts, exactly, hull, unknown
from runmat_core.accel.graph.node import Node
from runmat_core.api.ir import Fragment, Instr

INF = float("inf")

#: More facts of structures than this are forgotten all at once.
LIMIT = 1 << 14

#: Normal numbers come from uniform ones that are not below 2^-53: sqrt(-2*log(2^-53)) is 8.57.
_NORMAL = 8.625


def facts_of(value: Any) -> Facts:
    """Return the facts of an input of a node: a node or a scalar."""
    if value.__class__ is not Node:
        return exactly(value)
    if value.facts is None:
        _find(value)
    found: Facts = value.facts
    return found


def _find(root: Node) -> None:
    """Set the facts of `root` and of whatever below it they follow from.

    They follow from the structure of a node and from the facts of its inputs, and are remembered by
    these: programs ask about the same structures in every run.
    """
    interner = getattr(root.graph, "interner", None)
    met: dict[Any, Facts] = {} if interner is None else interner.facts
    if len(met) >= LIMIT:
        met.clear()
    stack = [root]
    while stack:
        node = stack[-1]
        if node.facts is None:
            kind, inputs = node.op.kind, node.inputs
            rule = _RULES.get(kind)
            # what is computed has lost its inputs
            if rule is None or not (inputs or kind == "random"):
                node.facts = unknown(node.dtype)
                continue
            key: list[Any] = [node.value_number]
            waiting = False
            for value in inputs if kind != "random" else ():
                if value.__class__ is not Node:
                    key.append(value)
                elif value.facts is None:
                    stack.append(value)
                    waiting = True
                else:
                    # size and class of an input count, too
                    key += (value.value_number, value.facts)
            if waiting:
                continue
            if len(inputs) > 1:
                key += _twins(inputs)
            found = met.get(structure := tuple(key))
            if found is None:
                found = rule(node)
                if node.value_number:
                    met[structure] = found
            node.facts = found
        stack.pop()


def _twins(inputs: Sequence[Any]) -> list[int]:
    """For each input the number of the first that is the same: x.*x is a square."""
    first: dict[int, int] = {}
    return [first.setdefault(id(value), k) for k, value in enumerate(inputs)]


# -- a rule for each kind of node ------------------------------------------------------------------


def _first(node: Node) -> Facts:
    """Return what is known of the first input, whose elements views and gathers pick."""
    return facts_of(node.inputs[0])


def _joined(node: Node) -> Facts:
    """Return what is known of parts that are put together in the class of the whole."""
    return hull([intervals.cast(facts_of(value), node.dtype) for value in node.inputs], node.dtype)


def _random(node: Node) -> Facts:
    if node.option("distribution") == "uniform":
        step = 2.0**-24 if node.dtype == "f32" else 2.0**-53
        return Facts(step, 1 - step, False, False)
    if node.option("distribution") == "normal":
        return Facts(-_NORMAL, _NORMAL, False, False)
    return unknown(node.dtype)


def _range(node: Node) -> Facts:
    start, step = node.inputs[:2]
    if start.__class__ is Node or step.__class__ is Node:
        return unknown(node.dtype)
    last = start + max(node.size - 1, 0) * step
    if last - last != 0 or start - start != 0:
        return unknown(node.dtype)
    whole = start % 1 == 0 and step % 1 == 0
    # rounding of the elements, which may be single
    slack = 0.0 if whole else 1e-6 * max(abs(start), abs(last))
    low, high = min(start, last) - slack, max(start, last) + slack
    low, high = intervals.rounded_out(low, high, node.dtype)
    if not slack and min(start, last) >= 0:
        low = max(low, 0.0)
    return Facts(low, high, whole, False)


def _fill(node: Node) -> Facts:
    return intervals.cast(facts_of(node.inputs[0]), node.dtype)


def _code(node: Node) -> Facts:
    """Those of the first output of a map, reduction or scan."""
    return _outputs(node)[0]


def _item(node: Node) -> Facts:
    below = node.inputs[0]
    if below.__class__ is Node and below.op.fragment is not None and below.inputs:
        found = _outputs(below)
        number = int(node.option("output", 0))
        if number < len(found):
            return found[number]
    return unknown(node.dtype)


def _outputs(node: Node) -> list[Facts]:
    fragment = code_of(node).fragment
    if fragment is None:
        return [unknown(node.dtype)]
    inputs = [
        facts_of(value) if value.__class__ is Node else intervals.cast(exactly(value), dtype)
        for value, dtype in zip(node.inputs, fragment.inputs, strict=True)
    ]
    return evaluate(fragment, inputs, _twins(node.inputs))


_RULES: dict[str, Callable[[Node], Facts]] = {
    "map": _code,
    "reduce": _code,
    "scan": _code,
    "item": _item,
    "view": _first,
    "gather": _first,
    "cat": _joined,
    "update": _joined,
    "random": _random,
    "range": _range,
    "fill": _fill,
}


# -- reading code ----------------------------------------------------------------------------------


def evaluate(fragment: Fragment, inputs: Sequence[Facts], twins: Sequence[int]) -> list[Facts]:
    """Return the facts of a fragment's outputs.

    Args:
        twins: for each input the number of the first input that is the same value.
    """
    count = len(inputs)
    found: list[Facts] = []
    same: list[int] = []
    results: dict[int, tuple[Facts, ...]] = {}
    for position, instr in enumerate(fragment.code):
        if position < count:
            found.append(inputs[position])
            same.append(twins[position])
            continue
        arguments = [found[a] for a in instr.args]
        if instr.op in ("reduce", "scan"):
            results[position] = interval_rules.reduced(instr, arguments)
            found.append(results[position][0])
        elif instr.op == "item":
            found.append(_result(results[instr.args[0]], instr))
        else:
            alike = len(instr.args) == 2 and same[instr.args[0]] == same[instr.args[1]]
            found.append(interval_rules.step(instr, arguments, alike))
        # a cast that keeps every value keeps what is equal, too
        same.append(same[instr.args[0]] if instr.op == "cast" else position)
    return [found[k] for k in fragment.outputs]


def _result(results: Sequence[Facts], instr: Instr) -> Facts:
    number: Any = instr.attr
    return results[number] if number < len(results) else unknown(instr.dtype)


# -- questions -------------------------------------------------------------------------------------


def may_leave(value: Any, low: float, high: float) -> bool:
    """Whether an element of `value` may lie outside of [low, high]; NaN does not count."""
    known = facts_of(value)
    return known.low < low or known.high > high


def may_be_nan(value: Any) -> bool:
    """Whether an element of `value` may be NaN."""
    return facts_of(value).nan


def power_may_leave(base: Any, exponent: Any) -> bool:
    """Whether a negative base may meet an exponent that is no whole number."""
    if exponent.__class__ is float:
        if exponent % 1 == 0 or exponent in (INF, -INF):
            return False
    elif facts_of(exponent).whole and not may_be_nan(exponent):
        return False
    return may_leave(base, 0.0, INF)
