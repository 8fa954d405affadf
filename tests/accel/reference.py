"""What fragments mean: plain NumPy, element by element of the definition, slow.

Nothing here is clever. A value is an array with one axis for each axis of the space, of extent one
where the value does not vary; a reduction combines element after element, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from runmat_provider_tests.oracle import ORACLE, cast

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import Fragment, Instr, Reducer

Data = NDArray[Any]


def step(instr: Instr, operands: Sequence[Data]) -> Data:
    """The value of a map operation."""
    if instr.op == "cast":
        result = cast(operands[0], instr.dtype)
    else:
        assert len({o.dtype for o in operands[-2:]}) == 1, f"{instr.op} of unlike types"
        result = ORACLE[instr.op](*operands)
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
