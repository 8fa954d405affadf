"""Keys of sub-graphs that mean the same in every process.

The key of a walk (`planning.collect`) has structural numbers, which a session gives as it meets
structures. Here each number becomes a digest of the structure: of the operation with the functions
that its code comes from, of static arguments, size, class and value classes. What cannot be
described that way has no such key, and its plans are made anew in each process.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Hashable, Mapping
from functools import partial
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from runmat_core.accel.graph.node import Op, ValueNumbering
from runmat_core.accel.planning.collect import Walk
from runmat_core.accel.planning.places import beginnings
from runmat_core.api.folders import blake2b

#: Bytes of a digest.
SIZE = 20
#: A version of `marshal` that writes equal data as equal bytes: later ones also tell which texts
#: are interned, and which objects are the same.
_MARSHAL = 2
_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes})


class Indescribable(Exception):  # noqa: N818 - it is no error
    """Something has no description that means the same in another process."""


class Identities:
    """Digests of the structures of a session, made when first asked for."""

    def __init__(self, interner: ValueNumbering) -> None:
        self._interner = interner
        self._structures: dict[int, Hashable] = {}
        self._digests: dict[int, bytes | None] = {}
        self._descriptions: dict[int, tuple[Any, Any]] = {}

    def of(self, walked: Walk, roles: Mapping[str, str]) -> str | None:
        """Return the key of a walk for a file; None where it has none.

        Args:
            roles: what stands for the name of a provider, which is that of its instance.
        """
        key: Any = walked.key
        asked, pattern, keep = key
        parts: list[Any] = []
        numbers = iter(walked.pending)
        for mark in pattern:
            if mark.__class__ is int:
                digest = self._digest(next(numbers).value_number)
                if digest is None:
                    return None
                parts.append(digest)
            else:
                parts.append(roles.get(mark, mark) if mark.__class__ is str else mark)
        whole = (asked, tuple(parts), keep, beginnings(walked.pending))
        return blake2b(marshal.dumps(whole, _MARSHAL), digest_size=SIZE).hexdigest()

    def _digest(self, value_number: int) -> bytes | None:
        if value_number in self._digests:
            return self._digests[value_number]
        structure = self._structures.get(value_number)
        if structure is None:
            # the table only grows, or is emptied: numbers are never given again
            self._structures = {number: key for key, number in self._interner.numbers.items()}
            structure = self._structures.get(value_number)
        digest = None
        if structure is not None:
            try:
                data = marshal.dumps(self.describe(structure), _MARSHAL)
                digest = blake2b(data, digest_size=SIZE).digest()
            except (Indescribable, ValueError, RecursionError):
                digest = None
        self._digests[value_number] = digest
        return digest

    def describe(self, value: Any) -> Any:
        """Return plain data that tells a value from any other.

        Raises:
            Indescribable: there are none.
        """
        kind = value.__class__
        if kind in _PLAIN:
            return value
        if kind is tuple or kind is list:
            return (kind.__name__, *[self.describe(one) for one in value])
        if kind is frozenset or kind is set:
            return ("set", *sorted([self.describe(one) for one in value], key=repr))
        if kind is dict:
            return ("dict", *[(self.describe(k), self.describe(v)) for k, v in value.items()])
        known = self._descriptions.get(id(value))
        if known is not None:
            return known[1]
        found = self._described(value)
        # held, so that nothing else has its identity
        self._descriptions[id(value)] = (value, found)
        return found

    def _described(self, value: Any) -> Any:
        if isinstance(value, Op):
            # where there is no code, planning looks at name and static arguments alone
            code = None if value.fragment is None else self.describe(value.fragment)
            return (
                "op",
                value.name,
                value.kind,
                value.keeps_complex,
                code,
                self.describe(value.guard),
            )
        if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
            return ("array", value.dtype.str, value.shape, value.tobytes(order="F"))
        if isinstance(value, np.generic | np.dtype):
            return ("numpy", str(getattr(value, "dtype", value)), repr(value))
        if isinstance(value, type):
            return ("class", value.__module__, value.__qualname__)
        if isinstance(value, tuple):
            return (_named(value.__class__), *map(self.describe, value))
        structure = getattr(value, "structure", None)
        if isinstance(structure, MethodType):
            return (_named(value.__class__), self.describe(structure()))
        fields = getattr(value.__class__, "__attrs_attrs__", None)
        if fields is not None:
            named = [self.describe(getattr(value, field.name)) for field in fields]
            return (_named(value.__class__), *named)
        return self._function(value)

    def _function(self, value: Any) -> Any:
        if isinstance(value, partial):
            given = (value.func, value.args, tuple(sorted(value.keywords.items())))
            return ("partial", *map(self.describe, given))
        if isinstance(value, MethodType):
            return ("method", self.describe(value.__func__), self.describe(value.__self__))
        inner = getattr(value, "__wrapped__", None)
        if inner is not None and not isinstance(value, FunctionType):
            return self.describe(inner)  # what remembers results of a function
        if isinstance(value, np.ufunc):
            return ("ufunc", value.__name__)
        if not isinstance(value, FunctionType):
            module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
            if module == "builtins" or (module or "").partition(".")[0] in ("numpy", "math"):
                return ("builtin", module, name)
            raise Indescribable
        code = value.__code__
        cells = value.__closure__ or ()
        # a function that refers to itself is described without that
        self._descriptions[id(value)] = (value, ("recursive", code.co_qualname))
        try:
            contents = [cell.cell_contents for cell in cells]
        except ValueError as empty:
            raise Indescribable from empty
        return (
            *("function", value.__module__, code.co_qualname, code.co_firstlineno),
            source_stamp(value.__module__),
            *map(self.describe, (tuple(contents), value.__defaults__, value.__kwdefaults__)),
        )


def _named(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


_stamps: dict[str, tuple[int, int]] = {}


def source_stamp(module: str) -> tuple[int, int]:
    """Return size and time of a module's file.

    Raises:
        Indescribable: it comes from no file.
    """
    known = _stamps.get(module)
    if known is None:
        path = getattr(sys.modules.get(module), "__file__", None)
        try:
            status = os.stat(path or "")
        except OSError as missing:
            raise Indescribable from missing
        known = _stamps[module] = status.st_size, status.st_mtime_ns
    return known
