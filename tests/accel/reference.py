"""What fragments and kernels mean: plain NumPy, element by element of the definition, slow.

Nothing here is clever. A value is an array with one axis for each axis of the space, of extent one
where the value does not vary; a reduction combines element after element, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.random import philox
from runmat_core.api.device import NUMPY_DTYPE, Addressing
from runmat_core.api.ir import Fragment, Instr, Kernel, Reducer
from runmat_core.values.classes import cast_array

Data = NDArray[Any]


def special(name: str) -> Callable[..., Data]:
    import scipy.special

    found: Callable[..., Data] = getattr(scipy.special, name)
    return found


def round_half_away(x: Data) -> Data:
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole)


def gamma(x: Data) -> Data:
    poles = (x <= 0) & (x == np.floor(x))
    return np.where(poles, np.inf, special("gamma")(x))


def remainder(x: Data, y: Data) -> Data:
    return np.where(y == 0, np.nan, np.fmod(x, y))


def modulo(x: Data, y: Data) -> Data:
    rest = np.fmod(x, y)
    rest = np.where((rest != 0) & ((rest < 0) != (y < 0)) & np.isfinite(y), rest + y, rest)
    return np.where(y == 0, x, rest)


MAPS: dict[str, Callable[..., Data]] = {
    "neg": np.negative,
    "abs": np.abs,
    "sign": np.sign,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "log2": np.log2,
    "log10": np.log10,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": round_half_away,
    "cbrt": np.cbrt,
    "erf": lambda x: special("erf")(x),
    "erfc": lambda x: special("erfc")(x),
    "erfinv": lambda x: special("erfinv")(x),
    "gamma": gamma,
    "gammaln": lambda x: special("gammaln")(x),
    "bitnot": np.bitwise_not,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "pow": np.power,
    "min": np.fmin,
    "max": np.fmax,
    "mod": modulo,
    "rem": remainder,
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "bitand": np.bitwise_and,
    "bitor": np.bitwise_or,
    "bitxor": np.bitwise_xor,
    "shl": np.left_shift,
    "shr": np.right_shift,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "xor": np.logical_xor,
    "not": np.logical_not,
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "select": np.where,
}


def cast(x: Data, dtype: str) -> Data:
    """As MATLAB converts; NaN is true."""
    if dtype == "bool":
        return np.not_equal(x, 0)
    from runmat_core.api.ir import CLASS_OF

    return cast_array(x, CLASS_OF[dtype])


def step(instr: Instr, operands: Sequence[Data]) -> Data:
    """The value of a map operation."""
    if instr.op == "cast":
        result = cast(operands[0], instr.dtype)
    else:
        assert len({o.dtype for o in operands[-2:]}) == 1, f"{instr.op} of unlike types"
        result = MAPS[instr.op](*operands)
    return np.asarray(result, NUMPY_DTYPE[instr.dtype])


def ordered(x: Data, axes: tuple[int, ...]) -> Data:
    """The elements along `axes`, column-major, as axis 0; the other axes keep their places."""
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    moved = x.transpose([*axes, *rest])
    count = int(np.prod([x.shape[axis] for axis in axes]))
    return moved.reshape([count, *(x.shape[axis] for axis in rest)], order="F")


def combined(reducer: Reducer, operands: Sequence[Data]) -> list[tuple[Data, ...]]:
    """The states after each of the elements that stand along axis 0 of `operands`."""
    like = operands[0][0]
    state = tuple(
        np.full(like.shape, literal, NUMPY_DTYPE[dtype])
        for literal, dtype in zip(reducer.init, reducer.finish.inputs, strict=True)
    )
    states = []
    for k in range(operands[0].shape[0]):
        element = fragment(reducer.map, [*(o[k] for o in operands), np.full(like.shape, float(k))])
        state = tuple(fragment(reducer.combine, [*state, *element]))
        states.append(state)
    return states


def fragment(
    code: Fragment,
    inputs: Sequence[Data],
    axes: tuple[int, ...] = (),
    axis: int | None = None,
) -> list[Data]:
    """The outputs of a fragment.

    Args:
        inputs: of one rank; extents of one expand.
        axes: what a ``reduce`` removes.
        axis: what a ``scan`` runs along.
    """
    shape = np.broadcast_shapes(*(x.shape for x in inputs)) if inputs else ()
    values: list[Any] = []
    for k, instr in enumerate(code.code):
        operands = [values[a] for a in instr.args]
        if k < len(inputs):
            assert inputs[k].dtype == NUMPY_DTYPE[instr.dtype], (code.inputs, inputs[k].dtype)
            values.append(inputs[k])
        elif instr.op == "const":
            values.append(np.full((1,) * len(shape), instr.attr, NUMPY_DTYPE[instr.dtype]))
        else:
            values.append(structural(instr, operands, shape, axes, axis))
    return [values[k] for k in code.outputs]


def structural(
    instr: Instr, operands: list[Any], shape: tuple[int, ...], axes: tuple[int, ...], axis: Any
) -> Any:
    """The value of an instruction other than inputs and literals."""
    attr: Any = instr.attr
    if instr.op == "extent":
        count = np.prod([shape[a] for a in axes], dtype=np.float64)
        return np.full((1,) * len(shape), count)
    if instr.op == "reduce":
        full = [np.broadcast_to(o, shape) for o in operands]
        states = combined(attr, [ordered(o, axes) for o in full])
        results = fragment(attr.finish, states[-1])
        kept = [1 if a in axes else n for a, n in enumerate(shape)]
        results = [r.reshape(kept, order="F") for r in results]
        return results if len(results) > 1 else results[0]
    if instr.op == "scan":
        reducer, reverse = attr
        lines = [np.moveaxis(np.broadcast_to(o, shape), axis, 0) for o in operands]
        states = combined(reducer, [line[::-1] if reverse else line for line in lines])
        finished = [fragment(reducer.finish, state) for state in states]
        results = [np.stack(parts[::-1] if reverse else parts) for parts in zip(*finished)]  # noqa: B905
        results = [np.moveaxis(r, 0, axis) for r in results]
        return results if len(results) > 1 else results[0]
    if instr.op == "item":
        return operands[0][attr]
    return step(instr, operands)


# -- kernels ---------------------------------------------------------------------------------------


def kernel(
    unit: Kernel,
    buffers: Sequence[Data],
    extents: tuple[int, ...],
    views: Sequence[Addressing],
    params: Sequence[Any] = (),
) -> int:
    """Run a kernel on flat buffers, in place; the bits of its guards.

    Of two stores to one element the later point wins, points counted column-major.
    """
    axes, scans = unit.axes_of("reduce"), unit.axes_of("scan")
    status = 0
    values: list[Any] = []
    for instr in unit.code:
        operands = [values[a] for a in instr.args]
        attr: Any = instr.attr
        dtype = NUMPY_DTYPE[instr.dtype]
        ones = (1,) * len(extents)
        value: Any = None
        if instr.op == "const":
            value = np.full(ones, attr, dtype)
        elif instr.op == "param":
            value = np.full(ones, params[attr], dtype)
        elif instr.op == "index":
            value = places(views[attr], extents)
        elif instr.op == "load":
            buffer = buffers[unit.views[attr].buffer or 0]
            at = operands[0] if operands else places(views[attr], extents)
            inside = (at >= 0) & (at < buffer.size)
            value = np.where(inside, buffer[np.where(inside, at, 0)], dtype.type(0))
        elif instr.op == "store":
            at = np.broadcast_to(places(views[attr], extents), extents)
            full = np.broadcast_to(operands[0], extents)
            target = buffers[unit.views[attr].buffer or 0]
            for place, element in zip(at.ravel(order="F"), full.ravel(order="F"), strict=True):
                target[place] = element
        elif instr.op == "guard":
            status |= int(bool(np.any(operands[0]))) << attr
        elif instr.op == "random":
            value = drawn(attr, operands)
        else:
            value = structural(instr, operands, extents, axes, scans[0] if scans else None)
        values.append(value)
    return status


def places(view: Addressing, extents: tuple[int, ...]) -> Data:
    """The element number of each point."""
    at = np.full((1,) * len(extents), view.offset, np.int64)
    for axis, (stride, extent) in enumerate(zip(view.strides, extents, strict=True)):
        shape = [1] * len(extents)
        shape[axis] = extent if stride else 1
        steps = np.arange(shape[axis], dtype=np.int64) * stride
        at = at + steps.reshape(shape)
    return at


def drawn(attr: tuple[str, str], operands: Sequence[Data]) -> Data:
    """Elements of the random stream by their numbers."""
    distribution, dtype = attr
    index, low, high, at_low, at_high = operands
    key = (int(low.item()), int(high.item()))
    position = int(at_low.item()) | int(at_high.item()) << 32
    draw = philox.uniform_at if distribution == "uniform" else philox.normal_at
    return draw(key, position, index, dtype)
