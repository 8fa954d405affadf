"""From a kernel's instructions to nodes that machine code can be made of.

A node is one operation of one element, a load or a store, or a *call*: one of NumPy's loops over
all elements of a tile. An instruction whose host rule is several steps becomes several nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from runmat_inprocess import composites
from runmat_inprocess.compiler import Program
from runmat_inprocess.fragments import DeclinedError
from runmat_inprocess.maps import UFUNC

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import FLOATS, OPS, Instr
from runmat_core.api.tuples import NamedTuple
from runmat_native import scalars
from runmat_native.text import TYPE

#: Map operations that loops of SciPy's compute.
SPECIAL = frozenset("erf erfc gammaln gamma erfinv".split())
#: Map operations that loops of NumPy's or SciPy's compute.
CALLED = SPECIAL | frozenset(
    "exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh "
    "cbrt atan2 hypot pow mod rem".split()
)


class Draw(NamedTuple):
    """A function of the random stream (`stream`), and the view that numbers its elements."""

    name: str
    view: int


class Node(NamedTuple):
    """A step of a kernel.

    Attributes:
        op: a map operation or a part of one, or ``scalar load gather index call carry last store
            guard total running``.
        args: nodes, by number.
        over: the axes that the value varies along, as in the kernel.
        attr: the view of ``load gather index store``; of a ``total`` (`totals`) its reducer's name
            and the view that it is stored to; the `Reducer` of a ``running`` value; the position of
            a ``scalar``; the name of the ufunc of a ``call``, or a `Draw`; the bit of a ``guard``;
            the node that comes after a ``carry``.
        types: of the operands.
    """

    op: str
    args: tuple[int, ...]
    dtype: str
    over: int
    attr: Any = None
    types: tuple[str, ...] = ()


class Parts:
    """The nodes of a kernel in an order in which they can be computed.

    Raises:
        DeclinedError: the kernel holds something that is not lowered here.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.nodes: list[Node] = []
        self.roots: list[int] = []
        self.carries: list[int] = []
        self._of: dict[int, int] = {}
        kernel = program.kernel
        self._reducers: dict[int, str] = {}
        kinds = [axis.kind for axis in kernel.axes]
        plain = kinds[1:] if kinds[:1] in (["reduce"], ["scan"]) else kinds
        if any(kind not in ("parallel", "serial") for kind in plain):
            raise DeclinedError("reductions")
        for position, instr in enumerate(kernel.code):
            self._of[position] = self._node(position, instr)
        for number in self.carries:
            node = self.nodes[number]
            self.nodes[number] = node._replace(attr=self._of[node.attr])
        self._last_of_carries()

    def _last_of_carries(self) -> None:
        """Let what a carry takes on in the last iteration be read from its own buffer."""
        carry_of = {self.nodes[carry].attr: carry for carry in self.carries}
        for number, node in enumerate(self.nodes):
            if node.op == "last" and node.args[0] in carry_of:
                self.nodes[number] = node._replace(args=(carry_of[node.args[0]],))

    def _add(self, op: str, args: tuple[int, ...], dtype: str, over: int, attr: Any = None) -> int:
        types = tuple(self.nodes[a].dtype for a in args)
        self.nodes.append(Node(op, args, dtype, over, attr, types))
        return len(self.nodes) - 1

    def _node(self, position: int, instr: Instr) -> int:
        if instr.dtype not in TYPE:
            raise DeclinedError(instr.dtype)
        if position in self.program.place:
            return self._add("scalar", (), instr.dtype, 0, position)
        args = tuple(self._of[a] for a in instr.args)
        if instr.op in OPS:
            return self._map(instr, args)
        if instr.op == "load":
            op = "gather" if args else "load"
            return self._add(op, args, instr.dtype, instr.over, instr.attr)
        if instr.op == "index":
            return self._add(instr.op, args, instr.dtype, instr.over, instr.attr)
        if instr.op == "last":
            made = self.nodes[args[0]]
            if made.op == "carry":  # its buffer holds the next value when the iteration is over
                args = (self._add("cast", args, made.dtype, made.over, made.dtype),)
            return self._add(instr.op, args, instr.dtype, instr.over, instr.attr)
        if instr.op == "reduce":
            self._reducers[position] = self.program.reductions[position].reducer.name
            return args[0]
        if instr.op == "scan":
            reducer = self.program.reductions[position].reducer
            if instr.attr[1]:  # type: ignore[index]
                raise DeclinedError("a scan from the end")
            return self._add("running", args, instr.dtype, instr.over, reducer)
        if instr.op == "store" and instr.args[0] in self._reducers:
            what = (self._reducers[instr.args[0]], instr.attr)
            self.roots.append(self._add("total", args, instr.dtype, instr.over, what))
            return self.roots[-1]
        if instr.op in ("store", "guard"):
            self.roots.append(self._add(instr.op, args, instr.dtype, instr.over, instr.attr))
            return self.roots[-1]
        if instr.op == "carry":
            self.carries.append(self._add("carry", args, instr.dtype, instr.over, instr.attr))
            return self.carries[-1]
        if instr.op == "random":
            return self._draw(instr)
        raise DeclinedError(instr.op)

    def _draw(self, instr: Instr) -> int:
        """Elements of the random stream by a view's numbers: a call without operands of its own."""
        first = self.program.kernel.code[instr.args[0]]
        if first.op != "index":
            raise DeclinedError("drawn by numbers that are computed")
        words = tuple(self._of[a] for a in instr.args[1:])
        if any(self.nodes[w].op != "scalar" for w in words):
            raise DeclinedError("a key that is computed")
        what: Any = instr.attr
        draw = Draw(f"{what[0]}_{what[1]}", first.attr)  # type: ignore[arg-type]
        return self._add("call", words, instr.dtype, instr.over, draw)

    def _map(self, instr: Instr, args: tuple[int, ...]) -> int:
        types = tuple(self.nodes[a].dtype for a in args)
        op, dtype, over = instr.op, instr.dtype, instr.over
        if op in CALLED and types[0] in FLOATS:
            if op == "pow":
                return self._power(args, dtype, over)
            if op in ("mod", "rem"):
                made = self._call("fmod", args, dtype, over)
                return self._add(f"{op} result", (made, *args), dtype, over)
            made = self._call(op, args, dtype, over)
            if f"{op} result" in scalars.PARTS:
                return self._add(f"{op} result", (made, *args), dtype, over)
            return made
        if scalars.rule_for(instr, types) is None:
            raise DeclinedError(f"{op} of {', '.join(types)}")
        return self._add(op, args, dtype, over)

    def _power(self, args: tuple[int, ...], dtype: str, over: int) -> int:
        y = self.nodes[args[1]]
        if y.op != "scalar":
            if y.over != over:
                # NumPy takes other ways where one exponent stands for many elements
                raise DeclinedError("powers of rows")
            return self._call("pow", args, dtype, over)
        base = self._add("power base", args, dtype, over)
        made = self._call("pow", (base, args[1]), dtype, over)
        return self._add("power result", (made, *args), dtype, over)

    def _call(self, op: str, args: tuple[int, ...], dtype: str, over: int) -> int:
        return self._add("call", args, dtype, over, op)


def is_lowered(instr: Instr, types: tuple[str, ...]) -> bool:
    """Whether there is code for an instruction without an order of elements."""
    if instr.dtype not in TYPE or any(t not in TYPE for t in types):
        return False
    if instr.op not in OPS:
        return instr.op in ("load", "store", "index")
    called = instr.op in CALLED and types[0] in FLOATS
    return called or scalars.rule_for(instr, types) is not None


def ufunc(name: str) -> Any:
    """Return the ufunc that a call names."""
    if name in SPECIAL:
        return getattr(composites.special(), name)
    return np.fmod if name == "fmod" else UFUNC[name]


def rule(node: Node) -> scalars.Rule | None:
    """Return what writes a node that is an operation of one element."""
    if node.op in scalars.PARTS:
        return scalars.PARTS[node.op]
    if node.op not in OPS:
        return None
    return scalars.rule_for(Instr(node.op, (), node.dtype, 0), node.types)


def element(dtype: str) -> np.dtype[Any]:
    return NUMPY_DTYPE[dtype]
