"""NumPy's inner loops, by address.

NumPy hands out the loop under a ufunc for compilers to call (``_get_strided_loop``). Elements are
those that the ufuncs give, to the last bit. The function is private: where this NumPy has none, the
kernels that need it are left to NumPy.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from typing import Any


class _Found(ctypes.Structure):
    """Description of a loop of NumPy (``PyUFunc_StridedLoopInfo`` under its capsule)."""

    _fields_ = (
        ("loop", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("auxiliary", ctypes.c_void_p),
        ("needs_python", ctypes.c_bool),
        ("no_float_errors", ctypes.c_bool),
    )


class Loops:
    """The loops that were asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loops: dict[Any, tuple[int, int, int] | None] = {}
        self._capsules: list[Any] = []  # own contexts and auxiliary data

    def find(
        self, ufunc: Any, types: Sequence[Any], strides: Sequence[int]
    ) -> tuple[int, int, int] | None:
        """Return a loop, its context and its auxiliary data, for operands of types and strides.

        None where there is no such loop, or one that needs the interpreter.
        """
        key = (ufunc, tuple(types), tuple(strides))
        if key not in self._loops:
            with self._lock:
                self._loops[key] = self._look(*key)
        return self._loops[key]

    def _look(self, ufunc: Any, types: Any, strides: Any) -> tuple[int, int, int] | None:
        try:
            resolved, capsule = ufunc._resolve_dtypes_and_context(types)
            if resolved != types:
                return None
            ufunc._get_strided_loop(capsule, fixed_strides=strides)
        except (AttributeError, TypeError, ValueError):
            return None
        self._capsules.append(capsule)
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        found = _Found.from_address(pointer(capsule, b"numpy_1.24_ufunc_call_info"))
        if found.needs_python or not found.loop:
            return None
        return found.loop, found.context or 0, found.auxiliary or 0


LOOPS = Loops()


def address(array: Any) -> int:
    """Return where the elements of an array start."""
    start: int = array.__array_interface__["data"][0]
    return start
