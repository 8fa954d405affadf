"""Parts of arrays in memory whose place a plan leaves open: ``A(:,k)`` with any ``k``.

Where a part begins is no structure: views of larger arrays have the same structural number wherever
they begin, and plan keys hold the place only for parts of what is not computed yet. Planning
computes with a `Symbol` for the beginning, which remembers the nodes that it came from through the
additions that addresses are made with. What a launch is told of a place then follows from those
nodes in every run. Whatever else planning does with a place depends on its number, so the plan
serves this one alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.accel.graph.addressing import is_part
from runmat_core.accel.graph.node import Node


def is_open(node: Node) -> bool:
    """Whether plans leave open where a node begins in what it shows."""
    if node.op.kind != "view":
        return False
    base: Node = node.inputs[0]
    return is_part(node.shape, base.shape)


def beginnings(nodes: Sequence[Node]) -> tuple[int, ...]:
    """Where the views among some nodes begin."""
    return tuple([node.option("offset") for node in nodes if node.op.kind == "view"])


class Symbol(int):
    """Where a part begins, while a plan is made.

    Attributes:
        nodes: whose beginnings are summands of it.
        fixed: told of these nodes once the plan depends on the number.
    """

    nodes: tuple[int, ...]
    fixed: set[int]

    def __new__(cls, number: int, nodes: tuple[int, ...], fixed: set[int]) -> Symbol:
        """Return a number that depends on nodes."""
        made = super().__new__(cls, number)
        made.nodes = nodes
        made.fixed = fixed
        return made

    def __add__(self, other: int) -> Symbol:
        nodes = self.nodes + (other.nodes if isinstance(other, Symbol) else ())
        return Symbol(int.__add__(self, other), nodes, self.fixed)

    __radd__ = __add__

    def __bool__(self) -> bool:
        return True  # it may be anything

    def __eq__(self, other: object) -> bool:
        # equal numbers that come from different nodes will differ in another run
        return isinstance(other, Symbol) and self.nodes == other.nodes and int.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((int.__hash__(self), self.nodes))


def _fixing(name: str) -> Any:
    plain = getattr(int, name)

    def method(self: Symbol, *args: Any) -> Any:
        self.fixed.update(self.nodes)
        return plain(self, *args)

    return method


for _name in ("sub", "rsub", "mul", "rmul", "floordiv", "rfloordiv", "mod", "rmod", "divmod"):
    setattr(Symbol, f"__{_name}__", _fixing(f"__{_name}__"))
for _name in ("neg", "abs", "invert", "lt", "le", "gt", "ge", "and", "rand", "rshift", "lshift"):
    setattr(Symbol, f"__{_name}__", _fixing(f"__{_name}__"))
