"""gpuArray, gather and the questions about where an array is.

A program needs none of these: large arrays go where they are computed fastest. What `gpuArray` adds
is the class that programs written for a graphics card ask about. Operations that fuse keep it,
functions that only the host has give ordinary arrays.
"""

from __future__ import annotations

from typing import Any

from runmat_core.api import errors
from runmat_core.api.builtin import builtin
from runmat_core.values import DTYPE, char, class_of, text
from runmat_core.values.deferred import Deferred, all_settled
from runmat_core.values.hooks import HOOKS


def is_placed(value: Any) -> bool:
    """Whether `value` is what MATLAB calls a gpuArray."""
    return value.__class__ is Deferred and value.promise.pinned


@builtin("gpuArray", family="device/arrays", effects="pure", pending="keep", captures="operator")
def gpu_array(x: Any) -> Any:
    """Put an array on the device.

    G = gpuArray(X) is X with the class gpuArray, and so is what operations make of it. Without a
    device it computes on the host all the same. Where acceleration is turned off, G is X.

    Examples:
        >> g = gpuArray([1 2 3]);
        >> gather(g * 2)
        ans =
             2     4     6

    See also: gather, isgpuarray, gpuDevice.
    """
    if class_of(x) not in DTYPE:
        raise errors.undefined_for("gpuArray", class_of(x))
    return HOOKS.place(x)


@builtin("gather", family="device/arrays", nargin=(1, None), nargout=None, needs=("nargout",))
def gather(*arrays: Any, nargout: int) -> Any:
    """Bring arrays to the host.

    X = gather(G) is an ordinary array with the elements of G; what is no gpuArray stays as it is.
    [X1, X2, …] = gather(G1, G2, …) computes and brings several together.

    Examples:
        >> x = gather(gpuArray([1 4 9]));
        >> isgpuarray(x)
        ans =
          logical
           0

    See also: gpuArray, isgpuarray.
    """
    if nargout > len(arrays):
        raise errors.too_many_outputs()
    brought = all_settled(arrays)
    return tuple(brought[:nargout]) if nargout > 1 else brought[0]


@builtin("isgpuarray", family="device/arrays", effects="pure", pending="keep")
def isgpuarray(x: Any) -> bool:
    """Whether an array is a gpuArray.

    TF = isgpuarray(X)

    Examples:
        >> isgpuarray(5)
        ans =
          logical
           0

    See also: gpuArray, existsOnGPU, gather.
    """
    return is_placed(x)


@builtin("existsOnGPU", family="device/arrays", effects="pure", pending="keep")
def exists_on_gpu(x: Any) -> bool:
    """Whether a gpuArray can still be used.

    TF = existsOnGPU(G) is true for every gpuArray: their elements survive the loss of a device.

    Examples:
        >> existsOnGPU([1 2 3])
        ans =
          logical
           0

    See also: gpuArray, isgpuarray.
    """
    return is_placed(x)


@builtin(
    "underlyingType", "classUnderlying", family="device/arrays", effects="pure", pending="keep"
)
def underlying_type(x: Any) -> Any:
    """Class of an array's elements.

    C = underlyingType(X) is class(X), and for a gpuArray the class of what it holds.

    Examples:
        >> underlyingType(gpuArray(single([1 2])))
        ans =
            'single'

    See also: class, isUnderlyingType, gpuArray.
    """
    return char(class_of(x))


@builtin("isUnderlyingType", family="device/arrays", effects="pure", pending="keep")
def is_underlying_type(x: Any, name: Any) -> bool:
    """Whether the elements of an array have a class.

    TF = isUnderlyingType(X, CLASSNAME)

    Examples:
        >> isUnderlyingType(gpuArray(single([1 2])), "single")
        ans =
          logical
           1

    See also: underlyingType, isa.
    """
    return class_of(x) == text(name)
