import numpy as xp  # or cupy, which has the same functions

from runmat_core.api.array_provider import ArrayProvider


def along(reduction):
    return lambda x, axes: reduction(x, axis=axes, keepdims=True, dtype=x.dtype)


class TablesProvider(ArrayProvider):
    title = "whole arrays"
    kind = "device"
    ops = {
        **{name: getattr(xp, name) for name in "abs sqrt exp log log1p expm1 sin cos tanh".split()},
        **{name: getattr(xp, name) for name in "floor ceil trunc isnan isinf isfinite".split()},
        "neg": xp.negative,
        "add": xp.add,
        "sub": xp.subtract,
        "mul": xp.multiply,
        "div": xp.divide,
        "pow": xp.power,
        "min": xp.fmin,
        "max": xp.fmax,
        "eq": xp.equal,
        "ne": xp.not_equal,
        "lt": xp.less,
        "le": xp.less_equal,
        "gt": xp.greater,
        "ge": xp.greater_equal,
        "and": xp.logical_and,
        "or": xp.logical_or,
        "xor": xp.logical_xor,
        "not": xp.logical_not,
        "select": xp.where,
    }
    reducers = {
        "sum": along(xp.sum),
        "prod": along(xp.prod),
        "max": lambda x, axes: xp.fmax.reduce(x, axis=axes, keepdims=True),
        "min": lambda x, axes: xp.fmin.reduce(x, axis=axes, keepdims=True),
        "any": lambda x, axes: xp.any(x, axis=axes, keepdims=True),
        "all": lambda x, axes: xp.all(x, axis=axes, keepdims=True),
    }

    def empty(self, size, dtype):
        return xp.empty(size, dtype)

    def put(self, host):
        return xp.array(host)

    def get(self, memory):
        return memory.copy()  # cupy: xp.asnumpy(memory)

    def strided(self, memory, offset, shape, strides):
        step = memory.itemsize
        strides = tuple(stride * step for stride in strides)
        return xp.lib.stride_tricks.as_strided(memory[offset:], shape, strides)

    def spread(self, value, shape):
        return xp.broadcast_to(value, shape)
