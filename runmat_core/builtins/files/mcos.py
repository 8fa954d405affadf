"""Objects in MAT files: what numbers, classes and properties they have.

A file keeps an object as a reference, an array of uint32. What it refers to lies in the file's
subsystem: a cell array whose first cell links objects to classes and properties, whose next ones
are values of properties, and whose last three belong to classes. The first cell is

    version, number of names, eight offsets; the names, each with a zero behind it;
    region 1, four words a class: package, name
    region 2, a block for each object that its class saves as one value, called ``any``
    region 3, six words an object: class, 0, 0, its block in region 2, in region 4, and its place
        in the order in which objects are complete
    region 4, a block for each other object
    region 5, two words an object: dynamic properties, which there are none of here

Each region but an empty one begins with one that is all zero. A block is the number of properties
and three words for each: name, kind (1: a cell), which cell.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.files.mat_values import CorruptError, Unsupported
from runmat_core.builtins.files.mcos_values import BY_ONE_VALUE, content_of, package_of, value_of
from runmat_core.values import Array, CellArray, class_of, from_numpy
from runmat_core.values.base import share
from runmat_core.values.cell import object_array
from runmat_core.values.object import HandleObject
from runmat_core.values.struct import struct_array

Words = NDArray[np.uint32]

MARK = 0xDD000000
_VERSION = 4
_OFFSETS = 8
#: Objects in objects beyond this are taken for an attack on the stack.
_DEPTH = 60
_IN_CELL = 1


def is_reference(value: Any) -> bool:
    """Whether a value in the subsystem stands for an object."""
    if not isinstance(value, Array) or value.data.dtype != np.uint32:
        return False
    return value.data.size >= 6 and int(value.data.flat[0]) == MARK


# -- reading -------------------------------------------------------------------------------------


class Objects:
    """The objects in the subsystem of a file.

    Args:
        linking: the bytes of the first cell.
        cells: what gives the values of the other cells, from the third one on.
        order: ``<`` or ``>``, the byte order of the file.

    Raises:
        CorruptError: the first cell does not hold what it says.
    """

    def __init__(self, linking: bytes, cells: Sequence[Callable[[], Any]], order: str) -> None:
        self._cells = cells
        self._values: dict[int, Any] = {}
        self._depth = 0
        if len(linking) < 8 + 4 * _OFFSETS or len(linking) % 4:
            raise CorruptError("the objects of the file are damaged")
        version, count, *offsets = struct.unpack_from(f"{order}{2 + _OFFSETS}I", linking)
        if not 2 <= version <= _VERSION:
            raise CorruptError(f"objects are kept as version {version} has them")
        start = 8 + 4 * _OFFSETS
        ends = [start, *offsets[:5], len(linking)]
        if any(a > b or a % 4 for a, b in pairwise(ends)):
            raise CorruptError("the objects of the file are damaged")
        names = linking[start : offsets[0]].split(b"\0")
        if count > len(names):
            raise CorruptError("names of classes are missing")
        self._names = [name.decode("utf-8", "replace") for name in names[:count]]
        words = np.frombuffer(linking, np.dtype(f"{order}u4"))
        classes, saved, objects, plain = (words[a // 4 : b // 4] for a, b in pairwise(offsets[:5]))
        self._classes = classes[: classes.size // 4 * 4].reshape(-1, 4)
        self._objects = objects[: objects.size // 6 * 6].reshape(-1, 6)
        self._saved, self._plain = _blocks(saved), _blocks(plain)

    def value(self, reference: Any) -> Any:
        """Return the value that a reference stands for.

        `Unsupported` where its class has none here.

        Raises:
            CorruptError: there is no such object.
        """
        words = np.asarray(reference).ravel(order="F").astype(np.int64)
        extents = words[2 : 2 + int(words[1])] if words.size > 2 else words[:0]
        if words.size < 6 or int(words[0]) != MARK or extents.size != words[1]:
            raise CorruptError("a reference to an object is damaged")
        if extents.size != 2 or (extents != 1).any():
            return Unsupported("array of objects")
        return self._value(int(words[4]))

    def _value(self, number: int) -> Any:
        if number not in self._values:
            if not 0 < number < len(self._objects) or self._depth > _DEPTH:
                raise CorruptError("an object is missing, or part of itself")
            self._depth += 1
            self._values[number] = self._built(self._objects[number].tolist())
            self._depth -= 1
        found = self._values[number]
        return found if isinstance(found, Unsupported) else share(found)

    def _built(self, words: list[int]) -> Any:
        class_number, _, _, saved, plain, _ = words
        if not 0 < class_number < len(self._classes):
            raise CorruptError("an object is of no class")
        package, name, _, _ = self._classes[class_number].tolist()
        kind = self._name(name)
        if package:
            kind = f"{self._name(package)}.{kind}"
        blocks, at = (self._saved, saved) if saved else (self._plain, plain)
        if not 0 <= at < len(blocks):
            raise CorruptError("an object has no properties")
        found: dict[str, Any] = {}
        for name, sort, where in blocks[at]:
            if sort != _IN_CELL:
                return Unsupported(kind)
            if not 0 <= where < len(self._cells):
                raise CorruptError("a property has no value")
            found[self._name(name)] = self.resolved(self._cells[where]())
        bad = next((x for x in found.values() if isinstance(x, Unsupported)), None)
        return bad or value_of(kind, found)

    def _name(self, number: int) -> str:
        if not 0 < number <= len(self._names):
            raise CorruptError("a name is missing")
        return self._names[number - 1]

    def resolved(self, value: Any) -> Any:
        """Return a value of the subsystem with objects for the references in it."""
        if is_reference(value):
            return self.value(value.data)
        if isinstance(value, CellArray):
            items = [self.resolved(item) for item in value.items()]
            bad = next((x for x in items if isinstance(x, Unsupported)), None)
            return bad or CellArray(object_array(items, value.data.shape))
        if class_of(value) == "struct":
            records = [
                {name: self.resolved(item) for name, item in record.items()}
                for record in value.records()
            ]
            items = [item for record in records for item in record.values()]
            bad = next((x for x in items if isinstance(x, Unsupported)), None)
            return bad or struct_array(records, value.shape, value.field_names())
        return value


def _blocks(words: Words) -> list[list[tuple[int, int, int]]]:
    """Blocks of properties; each takes an even number of words."""
    found = []
    at = 0
    flat = words.tolist()
    while at < len(flat):
        count = flat[at]
        end = at + 1 + 3 * count
        if end > len(flat):
            raise CorruptError("the properties of an object are cut off")
        block = flat[at + 1 : end]
        found.append([(block[k], block[k + 1], block[k + 2]) for k in range(0, 3 * count, 3)])
        at = end + end % 2
    return found


# -- writing -------------------------------------------------------------------------------------


class ObjectWriter:
    """Objects on their way into a file's subsystem.

    Args:
        encode: what makes a value a cell of the subsystem; for objects in it, it asks `reference`.
    """

    def __init__(self, encode: Callable[[Any], Any]) -> None:
        self._encode = encode
        self._names: dict[str, int] = {}
        self._classes: dict[str, int] = {}
        self._objects: list[list[int]] = []
        self._saved: list[list[int]] = []
        self._plain: list[list[int]] = []
        self._complete = 0
        self._handles: dict[int, tuple[Any, Any]] = {}
        self.cells: list[Any] = []

    @property
    def is_empty(self) -> bool:
        return not self._objects

    def reference(self, value: Any) -> Any:
        """Return the reference to an object, a uint32 column, once its properties are written."""
        if id(value) in self._handles:
            return self._handles[id(value)][1]
        kind = class_of(value)
        class_number = self._class(kind)
        number = len(self._objects) + 1
        words = [[MARK], [2], [1], [1], [number], [class_number]]
        reference = from_numpy(np.array(words, np.uint32))
        if isinstance(value, HandleObject):
            self._handles[id(value)] = value, reference
        row = [class_number, 0, 0, 0, 0, 0]
        self._objects.append(row)
        by_one = kind in BY_ONE_VALUE
        blocks = self._saved if by_one else self._plain
        block: list[int] = []
        blocks.append(block)
        row[3 if by_one else 4] = len(blocks)
        for name, item in content_of(value).items():
            encoded = self._encode(item)
            block += [self._name(name), _IN_CELL, len(self.cells)]
            self.cells.append(encoded)
        self._complete += 1
        row[5] = self._complete
        return reference

    def _name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names) + 1)

    def _class(self, kind: str) -> int:
        if kind not in self._classes:
            self._name(package_of(kind)[1])
            self._classes[kind] = len(self._classes) + 1
        return self._classes[kind]

    def linking(self) -> bytes:
        """Return the bytes of the first cell."""
        classes = [0, 0, 0, 0]
        for kind in self._classes:
            package, name = package_of(kind)
            classes += [self._name(package) if package else 0, self._name(name), 0, 0]
        names = b"".join(name.encode() + b"\0" for name in self._names)
        names += bytes(-len(names) % 8)
        objects = [0] * 6 + [word for row in self._objects for word in row]
        regions = [
            classes,
            _packed(self._saved) if self._saved else [],
            objects,
            _packed(self._plain),
            [0, 0] * (len(self._objects) + 1),
            [],
            [0, 0],
        ]
        at = 8 + 4 * _OFFSETS + len(names)
        offsets = [at]
        for region in regions:
            at += 4 * len(region)
            offsets.append(at)
        head = struct.pack(f"<{2 + _OFFSETS}I", _VERSION, len(self._names), *offsets)
        words = [word for region in regions for word in region]
        return head + names + struct.pack(f"<{len(words)}I", *words)

    def of_classes(self) -> list[Any]:
        """Return the values of the last three cells: nothing shared, no aliases, no defaults."""
        count = len(self._classes) + 1
        empty = struct_array([], (1, 0), [])
        shared = CellArray(object_array([empty] * count, (count, 1)))
        aliases = from_numpy(np.zeros((count, 1), np.int32))
        return [shared, aliases, shared]


def _packed(blocks: list[list[int]]) -> list[int]:
    """Blocks of properties behind one that is empty, each of an even number of words."""
    words = [0, 0]
    for block in blocks:
        words += [len(block) // 3, *block]
        words += [0] * (len(words) % 2)
    return words
