"""Tracing Python functions into kernel IR: what a fusion spec is written with.

A fusion function takes `V` values and returns one; it runs once for each combination of element
types, and its operators and the functions of this module append instructions to a `Builder`::

    fusion=lambda x: x / (1 + ir.exp(-x))

Python numbers become literals of the type of the other operand. Control flow on values is not
possible (``if x > 0`` raises): use `where`. ``x.known`` tells the value class of a scalar argument
(None for arrays), ``x.dtype`` its element type.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from runmat_core.api.ir.kernel import (
    COMPLEX,
    COMPLEX_OF,
    FLOATS,
    PART_OF,
    Fragment,
    Instr,
    Known,
    Reducer,
)
from runmat_core.api.ir.ops import COMPLEX_OPS, OPS

#: Operations that take a part of a complex number, and which it is.
_PART = {"real": 0, "imag": 1}


class TraceError(TypeError):
    """A fusion function did something that cannot become a kernel."""


class Builder:
    """Collects instructions; equal instructions become one."""

    def __init__(self, reduce_mask: int = 0, scan_mask: int = 0) -> None:
        self.code: list[Instr] = []
        self.reduce_mask = reduce_mask
        self.scan_mask = scan_mask
        self._seen: dict[Instr, int] = {}

    def emit(
        self, op: str, args: Sequence[int], dtype: str, over: int, attr: Hashable = None
    ) -> int:
        """Return the position of an instruction, of an equal one where there is one.

        A part of a complex number made of its parts is that part.
        """
        if op in _PART and self.code[args[0]].op == "complex":
            return self.code[args[0]].args[_PART[op]]
        # a literal -0.0 equals 0.0 and True equals 1: the text tells them apart
        instr = Instr(op, tuple(args), dtype, over, attr)
        key: Any = (instr, repr(attr)) if op == "const" else instr
        found = self._seen.get(key)
        if found is None:
            found = self._seen[key] = len(self.code)
            self.code.append(instr)
        return found

    def map(self, op: str, *operands: V | float, attr: Hashable = None) -> V:
        """Return a map operation of values of one type (literals take that type)."""
        values = self.values(operands)
        info = OPS[op]
        if len(values) != info.arity:
            raise TraceError(f"{op} takes {info.arity} operands, not {len(values)}")
        over = 0
        for value in values:
            over |= value.over
        types = [value.dtype for value in values]
        if not COMPLEX.isdisjoint(types) or op in ("real", "imag", "conj"):
            _check_complex(op, types, attr)
        first = types[0]
        dtype = {
            "bool": "bool",
            "attr": attr,
            "second": types[-1],
            "part": PART_OF.get(first, first),
            "complex": COMPLEX_OF.get(first, first),
        }.get(info.result, first)
        position = self.emit(op, [v.position for v in values], str(dtype), over, attr)
        return V(self, position)

    def values(self, operands: Sequence[V | float]) -> list[V]:
        types = [o.dtype for o in operands if isinstance(o, V) and o.dtype != "bool"]
        types = types or [o.dtype for o in operands if isinstance(o, V)]
        if not types:
            raise TraceError("an operation needs a value that is not a literal")
        if any(isinstance(o, V) and o.builder is not self for o in operands):
            raise TraceError("a value of another call took part; keep no values between calls")
        wide = next((t for t in types if t in COMPLEX), "f64" if "f64" in types else types[0])
        return [o if isinstance(o, V) else self.const(o, wide) for o in operands]

    def const(self, value: float | bool, dtype: str) -> V:
        if isinstance(value, bool):
            dtype = "bool"
        elif not isinstance(value, int | float):
            raise TraceError(f"{value!r} cannot be part of a kernel")
        elif dtype in FLOATS or dtype in COMPLEX:
            value = float(value)
        return V(self, self.emit("const", (), dtype, 0, value))

    def inline(self, fragment: Fragment, inputs: Sequence[V]) -> list[V]:
        """Append a fragment's code with its inputs bound; its outputs."""
        bound = [v.position for v in inputs]
        for instr in fragment.code[len(inputs) :]:
            args = [bound[a] for a in instr.args]
            over = 0
            for a in args:
                over |= self.code[a].over
            if instr.op == "reduce":
                over &= ~self.reduce_mask
            elif instr.op == "scan":
                # also what is the same everywhere grows along the axis
                over |= self.scan_mask
            bound.append(self.emit(instr.op, args, instr.dtype, over, instr.attr))
        return [V(self, bound[k]) for k in fragment.outputs]


def _check_complex(op: str, types: Sequence[str], attr: Hashable) -> None:
    """Raise TraceError where an operation does not take these types, one of them complex."""
    kinds = set(types[1:] if op == "select" else types)
    if op not in COMPLEX_OPS or len(kinds) > 1 or not kinds <= COMPLEX:
        raise TraceError(f"{op} does not take {', '.join(types)}")
    if op == "cast" and attr not in COMPLEX:
        raise TraceError(f"no cast leads from complex elements to {attr}")


class V:
    """A value of the code being traced, with Python's operators."""

    __slots__ = ("builder", "known", "position")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, builder: Builder, position: int, known: Known | None = None) -> None:
        self.builder = builder
        self.position = position
        self.known = known

    @property
    def dtype(self) -> str:
        return self.builder.code[self.position].dtype

    @property
    def over(self) -> int:
        return self.builder.code[self.position].over

    def __bool__(self) -> bool:
        raise TraceError("a value of a kernel has no truth value; use ir.where(condition, a, b)")

    def __float__(self) -> float:
        raise TraceError(
            "a value of a kernel is not a number; use the functions of ir, not those of math"
        )

    __int__ = __index__ = __iter__ = __len__ = __float__

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TraceError("a value of a kernel is no array of NumPy; use the functions of ir")

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, **_: Any) -> V:
        operator = _BY_NUMPY.get(ufunc.__name__)
        if method == "__call__" and operator is not None:
            # a number of NumPy's on the left of an operator
            plain = [x if isinstance(x, V) or x.ndim else x.item() for x in operands]
            return self.builder.map(operator, *plain)
        raise _not_numpy(ufunc.__name__)

    def __array_function__(self, function: Any, *_: Any) -> Any:
        raise _not_numpy(function.__name__)

    def __neg__(self) -> V:
        return self.builder.map("neg", self)

    def __abs__(self) -> V:
        return self.builder.map("abs", self)

    def __invert__(self) -> V:
        return self.builder.map("not", self)

    def __pow__(self, other: V | float) -> V:
        return power(self, other)

    if TYPE_CHECKING:  # the rest is set below, from a table

        def __add__(self, other: V | float) -> V: ...
        def __sub__(self, other: V | float) -> V: ...
        def __mul__(self, other: V | float) -> V: ...
        def __truediv__(self, other: V | float) -> V: ...
        def __mod__(self, other: V | float) -> V: ...
        def __radd__(self, other: V | float) -> V: ...
        def __rsub__(self, other: V | float) -> V: ...
        def __rmul__(self, other: V | float) -> V: ...
        def __rtruediv__(self, other: V | float) -> V: ...
        def __rmod__(self, other: V | float) -> V: ...
        def __and__(self, other: V | bool) -> V: ...
        def __or__(self, other: V | bool) -> V: ...
        def __xor__(self, other: V | bool) -> V: ...
        def __eq__(self, other: object) -> V: ...  # type: ignore[override]
        def __ne__(self, other: object) -> V: ...  # type: ignore[override]
        def __lt__(self, other: V | float) -> V: ...
        def __le__(self, other: V | float) -> V: ...
        def __gt__(self, other: V | float) -> V: ...
        def __ge__(self, other: V | float) -> V: ...


#: Operations behind operators, by NumPy's names.
_BY_NUMPY = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "equal": "eq",
    "not_equal": "ne",
}
#: What `ir` calls the functions of NumPy whose names differ.
_IR_NAMES = {
    "absolute": "abs_",
    "fabs": "abs_",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "fmax": "maximum",
    "fmin": "minimum",
    "max": "reduce with reducers.maximum(x.dtype)",
    "amax": "reduce with reducers.maximum(x.dtype)",
    "min": "reduce with reducers.minimum(x.dtype)",
    "amin": "reduce with reducers.minimum(x.dtype)",
    "sum": "reduce with reducers.sum_(x.dtype)",
    "mean": "reduce with reducers.sum_(x.dtype), and count",
    "rint": "round_",
    "round": "round_",
    "fmod": "rem",
    "remainder": "mod",
    "float_power": "power",
    "negative": "neg",
    "conjugate": "conj",
}


def _not_numpy(name: str) -> TraceError:
    """Say which function of `ir` is meant by one of NumPy's."""
    own = _IR_NAMES.get(name, name if name in globals() else "")
    meant = f"use ir.{own}" if own else "the functions of ir do (dir(ir))"
    return TraceError(f"np.{name} does not take values of a kernel; {meant}")


def _operator(op: str) -> tuple[Callable[..., V], Callable[..., V]]:
    def method(self: V, other: V | float) -> V:
        return self.builder.map(op, self, other)

    def reflected(self: V, other: V | float) -> V:
        return self.builder.map(op, other, self)

    return method, reflected


for _name, _op in {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "div",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "mod": "mod",
}.items():
    _method, _reflected = _operator(_op)
    setattr(V, f"__{_name}__", _method)
    setattr(V, f"__r{_name}__", _reflected)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(V, f"__{_name}__", _operator(_name)[0])


def _builder(*operands: Any) -> Builder:
    for operand in operands:
        if isinstance(operand, V):
            return operand.builder
    raise TraceError("an operation needs a value that is not a literal")


def _function(op: str) -> Callable[..., V]:
    def function(*operands: V | float) -> V:
        return _builder(*operands).map(op, *operands)

    function.__name__ = function.__qualname__ = op
    function.__doc__ = f"The map operation `{op}`, element by element."
    return function


neg, abs_, sign, sqrt, exp, expm1 = map(_function, "neg abs sign sqrt exp expm1".split())
log, log1p, log2, log10 = map(_function, "log log1p log2 log10".split())
sin, cos, tan, asin, acos, atan = map(_function, "sin cos tan asin acos atan".split())
sinh, cosh, tanh, asinh, acosh, atanh = map(_function, "sinh cosh tanh asinh acosh atanh".split())
floor, ceil, trunc, round_, cbrt = map(_function, "floor ceil trunc round cbrt".split())
erf, erfc, erfinv, gamma, gammaln = map(_function, "erf erfc erfinv gamma gammaln".split())
minimum, maximum, mod, rem, atan2, hypot = map(_function, "min max mod rem atan2 hypot".split())
bitand, bitor, bitxor, bitnot, shl, shr = map(
    _function, "bitand bitor bitxor bitnot shl shr".split()
)
(quot,) = map(_function, ["quot"])
real, imag, conj, complex_ = map(_function, "real imag conj complex".split())
isnan, isinf, isfinite = map(_function, "isnan isinf isfinite".split())
logical_and, logical_or, logical_xor, logical_not = map(_function, "and or xor not".split())


def power(base: V | float, exponent: V | float) -> V:
    """Return ``base .^ exponent``; a square is a product."""
    known = exponent.known if isinstance(exponent, V) else None
    if known == "2" or (not isinstance(exponent, V) and exponent == 2):
        return _builder(base).map("mul", base, base)
    return _builder(base, exponent).map("pow", base, exponent)


def where(condition: V, if_true: V | float, if_false: V | float) -> V:
    """`if_true` where the condition holds, else `if_false`."""
    a, b = (
        condition.builder.values((if_true, if_false))
        if isinstance(if_true, V) or isinstance(if_false, V)
        else (
            condition.builder.const(if_true, "f64"),
            condition.builder.const(if_false, "f64"),
        )
    )
    return condition.builder.map("select", condition, a, b)


def cast(x: V, dtype: str) -> V:
    """`x` converted as MATLAB converts: integers round and saturate, NaN becomes 0."""
    return x if x.dtype == dtype else x.builder.map("cast", x, attr=dtype)


def reduce(reducer: Reducer, *operands: V) -> list[V]:
    """Return the results of combining all elements along the reduced axes."""
    builder = _builder(*operands)
    if not builder.reduce_mask:
        raise TraceError("only the function of a Reduction may reduce")
    over = 0
    for operand in operands:
        over |= operand.over
    args = [o.position for o in operands]
    types = [reducer.finish.code[k].dtype for k in reducer.finish.outputs]
    whole = builder.emit("reduce", args, types[0], over & ~builder.reduce_mask, reducer)
    if len(types) == 1:
        return [V(builder, whole)]
    over &= ~builder.reduce_mask
    return [V(builder, builder.emit("item", (whole,), t, over, k)) for k, t in enumerate(types)]


def scan(reducer: Reducer, *operands: V, reverse: bool = False) -> list[V]:
    """Return the results of combining the elements up to each point of the scan axis."""
    builder = _builder(*operands)
    if not builder.scan_mask:
        raise TraceError("only the function of a Scan may scan")
    over = builder.scan_mask
    for operand in operands:
        over |= operand.over
    args = [o.position for o in operands]
    types = [reducer.finish.code[k].dtype for k in reducer.finish.outputs]
    whole = builder.emit("scan", args, types[0], over, (reducer, reverse))
    if len(types) == 1:
        return [V(builder, whole)]
    return [V(builder, builder.emit("item", (whole,), t, over, k)) for k, t in enumerate(types)]


def count(like: V) -> V:
    """How many elements a reduction combines, in the type of `like`, floating or complex."""
    number = V(like.builder, like.builder.emit("extent", (), "f64", 0, "reduce"))
    return cast(cast(number, PART_OF.get(like.dtype, like.dtype)), like.dtype)


def trace(
    function: Callable[..., Any],
    dtypes: Sequence[str],
    known: Sequence[Known | None] = (),
    *,
    reduces: bool = False,
    scans: bool = False,
) -> Fragment:
    """Return the code of `function` for inputs of these types.

    In a fragment every input varies along one axis (bit 0) unless its value class is `known`; a
    reduction removes it. `Builder.inline` recomputes what varies along which axes of a kernel.

    Raises:
        TraceError: the function does not trace, or returns something that is no value.
    """
    builder = Builder(reduce_mask=int(reduces), scan_mask=int(scans))
    inputs = []
    for k, dtype in enumerate(dtypes):
        kind = known[k] if k < len(known) else None
        over = 0 if kind is not None else 1
        # the number keeps two inputs of one type apart
        position = builder.emit("input", (), dtype, over, k)
        inputs.append(V(builder, position, kind))
    try:
        result = function(*inputs)
    except TraceError:
        raise
    except (Exception, SystemExit) as problem:
        raise TraceError(f"{type(problem).__name__}: {problem}") from problem
    results = result if isinstance(result, tuple | list) else [result]
    for value in results:
        if not isinstance(value, V):
            raise TraceError(f"a fusion function returns values, not {value!r}")
        if value.builder is not builder:
            raise TraceError("a value of another call came back; keep no values between calls")
    return Fragment(tuple(dtypes), tuple(builder.code), tuple(v.position for v in results))
