"""Values from the text format that Octave saves in.

A variable is a comment with its name, one with its type, comments with its extents, and its
elements. Values in cells and structures stand inside in the same way. Text counts by its length in
bytes, as it may have lines of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.arguments import check_size
from runmat_core.builtins.files.mat_values import CorruptError, Unsupported
from runmat_core.values import StructArray, cell, char, from_numpy, struct
from runmat_core.values.char import CharArray
from runmat_core.values.sparse import from_triplets

_CLASSES = {
    "": "float64", "float ": "float32", "bool ": "bool",
    **{f"{sign}int{bits} ": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip


def read_octave_text(path: str) -> dict[str, Any]:
    """Return the variables of a file by name; `Unsupported` where there is no value for one.

    Raises:
        CorruptError: the file is not as Octave writes it.
    """
    with open(path, encoding="latin-1", newline="") as stream:
        reader = _Reader(stream.read().replace("\r\n", "\n"))
    found: dict[str, Any] = {}
    try:
        while (name := reader.next_name()) is not None:
            found[name] = reader.value()
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError,
            RecursionError) as problem:  # fmt: skip
        raise CorruptError("the text ends early or has no numbers where they belong") from problem
    return found


@attrs.define
class _Reader:
    """A place in the text."""

    text: str
    at: int = 0

    def line(self) -> str:
        """Return the next line that is not empty."""
        while True:
            if self.at >= len(self.text):
                raise IndexError
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            found = self.text[self.at : end]
            self.at = end + 1
            if found.strip():
                return found

    def peek(self) -> str:
        at = self.at
        try:
            return self.line()
        except IndexError:
            return ""
        finally:
            self.at = at

    def fact(self, name: str) -> str:
        """Return what stands behind ``# name:``."""
        line = self.line()
        if not line.startswith(f"# {name}:"):
            raise ValueError(line)
        return line.partition(":")[2].strip()

    def next_name(self) -> str | None:
        """Return the name of the next variable, past comments and what could not be read."""
        while self.peek():
            line = self.line()
            if line.startswith("# name:"):
                return line.partition(":")[2].strip()
        return None

    def value(self) -> Any:
        kind = self.fact("type").removeprefix("global ")
        rule = _RULES.get(kind)
        if rule is not None:
            return rule(self)
        for prefix, dtype in _CLASSES.items():
            rest = kind[len(prefix) :]
            if kind.startswith(prefix) or kind == prefix.strip():
                if rest in ("scalar", "complex scalar", "") and (prefix or rest):
                    return from_numpy(self.numbers([self.line()], dtype).reshape(1, 1))
                if rest in ("matrix", "complex matrix"):
                    return from_numpy(self.matrix(dtype))
        return Unsupported(kind)

    def numbers(self, lines: list[str], dtype: str) -> NDArray[Any]:
        tokens = " ".join(lines).replace("NA", "NaN").split()
        if any("(" in token for token in tokens[:1]):
            pairs = [token.strip("()").split(",") for token in tokens]
            parts = np.array(pairs, np.float64).reshape(-1, 2)
            made = parts[:, 0].astype(complex)
            made.imag = parts[:, 1]  # a sum would make NaN of an infinite part
            return made.astype("complex64" if dtype == "float32" else "complex128")
        if dtype.endswith("int64"):
            return np.array([int(token) for token in tokens], dtype)
        found = np.array(tokens, np.float64)
        return found != 0 if dtype == "bool" else found.astype(dtype)

    def extents(self) -> tuple[tuple[int, ...], bool]:
        """Return the extents of an array, and whether they were told as rows and columns."""
        if self.peek().startswith("# ndims:"):
            self.line()
            return tuple(int(n) for n in self.line().split()), False
        return (int(self.fact("rows")), int(self.fact("columns"))), True

    def matrix(self, dtype: str) -> NDArray[Any]:
        shape, by_rows = self.extents()
        count = shape[0] if by_rows else int(np.prod(shape))
        lines = [self.line() for _ in range(count)] if np.prod(shape) else []
        return self.numbers(lines, dtype).reshape(shape, order="C" if by_rows else "F")

    def span(self) -> Any:
        self.line()
        base, limit, step = map(float, self.line().split())
        count = int(np.floor((limit - base) / step * (1 + 1e-15) + 1e-10)) + 1 if step else 0
        check_size((1, max(count, 0)), 8)
        return from_numpy(base + step * np.arange(max(count, 0)).reshape(1, -1))

    def string(self) -> Any:
        count = int(self.fact("elements"))
        rows = []
        for _ in range(count):
            length = int(self.fact("length"))
            row = self.text[self.at : self.at + length]
            if len(row) < length:
                raise IndexError
            rows.append(row.encode("latin-1").decode("utf-8", "replace"))
            self.at += length + 1
        if count == 1:
            return char(rows[0])
        units = [[ord(letter) for letter in row] for row in rows]
        width = max(map(len, units), default=0)
        return CharArray(np.array([row + [32] * (width - len(row)) for row in units], np.uint16)
                         .reshape(count, width, order="C").copy(order="F"))  # fmt: skip

    def inner(self) -> tuple[str, Any]:
        return self.fact("name"), self.value()

    def cells(self) -> Any:
        shape, _ = self.extents()
        return cell([self.inner()[1] for _ in range(int(np.prod(shape)))], shape)

    def scalar_struct(self) -> Any:
        if self.peek().startswith("# ndims:"):
            self.extents()
        return struct(dict(self.inner() for _ in range(int(self.fact("length")))))

    def struct_array(self) -> Any:
        shape, _ = self.extents()
        fields = dict(self.inner() for _ in range(int(self.fact("length"))))
        check_size(shape, 8)
        made = np.empty(shape, object)
        for place in np.ndindex(shape):
            made[place] = {name: values.data[place] for name, values in fields.items()}
        return StructArray(np.asfortranarray(made))

    def sparse(self, dtype: str) -> Any:
        count = int(self.fact("nnz"))
        shape = int(self.fact("rows")), int(self.fact("columns"))
        lines = [self.line().split() for _ in range(count)]
        rows, columns = (np.array([int(line[k]) - 1 for line in lines], np.intp) for k in (0, 1))
        values = self.numbers([" ".join(line[2:]) for line in lines], dtype)
        return from_triplets(rows, columns, values.reshape(-1), shape)

    def diagonal(self) -> Any:
        shape = int(self.fact("rows")), int(self.fact("columns"))
        check_size(shape, 8)
        made = np.zeros(shape)
        values = self.numbers([self.line() for _ in range(min(shape))], "float64")
        made = made.astype(values.dtype)
        np.fill_diagonal(made, values)
        return from_numpy(made)

    def permutation(self) -> Any:
        size = int(self.fact("size"))
        self.fact("orient")
        at = self.numbers([self.line() for _ in range(size)], "float64").astype(np.intp) - 1
        return from_numpy(np.eye(size)[at])


_RULES: dict[str, Callable[[_Reader], Any]] = {
    "range": _Reader.span, "double_range": _Reader.span, "string": _Reader.string,
    "sq_string": _Reader.string, "cell": _Reader.cells, "scalar struct": _Reader.scalar_struct,
    "struct": _Reader.struct_array, "diagonal matrix": _Reader.diagonal,
    "sparse matrix": lambda reader: reader.sparse("float64"),
    "sparse complex matrix": lambda reader: reader.sparse("float64"),
    "sparse bool matrix": lambda reader: reader.sparse("bool"),
    "null_matrix": lambda reader: from_numpy(reader.matrix("float64")),
    "null_string": _Reader.string, "null_sq_string": _Reader.string,
    "permutation matrix": _Reader.permutation,
}  # fmt: skip
