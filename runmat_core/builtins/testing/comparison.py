"""Whether a value is what a test expects, and why not: what ``IsEqualTo`` and verifyEqual say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from runmat_core.builtins.testing.diagnostics import column, joined, labelled, says, size_row
from runmat_core.values import (
    DTYPE,
    CellArray,
    CharArray,
    SparseArray,
    StringArray,
    StructArray,
    char,
    class_of,
    disp,
    isequal,
    size_of,
    to_numpy,
    truth,
)
from runmat_core.values.objects.instance import Instance
from runmat_core.values.tables.table import Table

#: Rows of a failure table.
_MOST_ROWS = 20


@attrs.frozen(eq=False)
class Tolerance:
    """How far numbers may be off: ``absolute`` or ``relative``, or two tolerances together.

    A tolerance counts for numbers of its own class alone, as MATLAB has it.
    """

    kind: str
    values: tuple[Any, ...] = ()
    parts: tuple[Tolerance, ...] = ()

    def holds(self, name: str, off: Any, expected: Any) -> Any:
        """Where a difference is within the tolerance, for numbers of the class `name`."""
        if self.parts:
            first, second = (part.holds(name, off, expected) for part in self.parts)
            return first | second if self.kind == "or" else first & second
        allowed = self.of(name)
        if allowed is None:
            return np.zeros(np.shape(off), bool)
        with np.errstate(all="ignore"):
            bound = allowed * np.abs(expected) if self.kind == "relative" else allowed
            return np.asarray(off <= bound)

    def of(self, name: str) -> Any:
        """Return the tolerance for numbers of a class; None where there is none."""
        for value in self.values:
            if class_of(value) == name:
                return np.asarray(to_numpy(value), float)
        return None

    def simple(self) -> list[Tolerance]:
        """Return the tolerances that it is made of."""
        return [one for part in self.parts for one in part.simple()] if self.parts else [self]

    def problem(self) -> str:
        kinds = " or ".join(one.kind for one in self.simple())
        return says(f"The error was not within {kinds} tolerance.")


@attrs.frozen(eq=False)
class Comparison:
    """How two values are compared.

    Attributes:
        tolerance: for numbers, None for none.
        plain: gives a text as it counts: without case or blanks, say.
        ignored: fields of structures that do not count.
    """

    tolerance: Tolerance | None = None
    plain: Callable[[str], str] | None = None
    ignored: frozenset[str] = frozenset()

    def mismatch(self, actual: Any, expected: Any, at: str = "") -> str:
        """Why two values are not equal, empty where they are: class, size, then contents."""
        found = self._different_kinds(actual, expected)
        if not found:
            if isinstance(actual, CellArray):
                return self._cells(actual, expected, at)
            if isinstance(actual, StructArray):
                return self._records(actual, expected, at)
            found = self._contents(actual, expected)
        if found and at:
            return joined([says(f"Path to failure: <Value>{at}"), found])
        return found

    def _different_kinds(self, actual: Any, expected: Any) -> str:
        names = class_of(actual), class_of(expected)
        if names[0] != names[1]:
            classes = zip(("Actual Class", "Expected Class"), names, strict=True)
            return says("Classes do not match.", labelled(*classes))
        if isinstance(actual, SparseArray) != isinstance(expected, SparseArray):
            words = [
                "sparse" if isinstance(one, SparseArray) else "full" for one in (actual, expected)
            ]
            pairs = (("Actual Sparsity", words[0]), ("Expected Sparsity", words[1]))
            return says("Sparsity does not match.", labelled(*pairs))
        if size_of(actual) != size_of(expected):
            sizes = (size_row(size_of(one)) for one in (actual, expected))
            labels = ("Actual Size", "Expected Size")
            return says("Sizes do not match.", labelled(*zip(labels, sizes, strict=True)))
        return ""

    def _contents(self, actual: Any, expected: Any) -> str:
        if isinstance(actual, CharArray | StringArray):
            return self._texts(actual, expected)
        own = actual.method("isequal") if isinstance(actual, Instance) else None
        same = truth(own(1, expected)) if own else isequal(actual, expected, nan_equal=True)
        if same:
            return ""
        if class_of(actual) in DTYPE:
            return self._numbers(actual, expected)
        return says('The objects are not equal using "isequaln".')

    def _texts(self, actual: Any, expected: Any) -> str:
        same = isequal(actual, expected, nan_equal=True)
        if not same and self.plain is not None:
            pairs = zip(_words(actual), _words(expected), strict=True)
            same = all(self.plain(a) == self.plain(e) for a, e in pairs)
        if same:
            return ""
        kind = "character arrays" if isinstance(actual, CharArray) else "string arrays"
        return says(f"The {kind} are not equal.")

    def _cells(self, actual: CellArray, expected: CellArray, at: str) -> str:
        pairs = zip(actual.items(), expected.items(), strict=True)
        found = (self.mismatch(a, e, f"{at}{{{k}}}") for k, (a, e) in enumerate(pairs, 1))
        return next((problem for problem in found if problem), "")

    def _records(self, actual: StructArray, expected: StructArray, at: str) -> str:
        names, wanted = (
            [n for n in one.field_names() if n not in self.ignored] for one in (actual, expected)
        )
        if set(names) != set(wanted):
            lacking = [n for n in wanted if n not in names]
            more = [n for n in names if n not in wanted]
            groups = (("Missing Fields", lacking), ("Extra Fields", more))
            pairs = [(label, "\n".join(f"'{n}'" for n in some)) for label, some in groups if some]
            found = says("Field names do not match.", labelled(*pairs))
            return joined([says(f"Path to failure: <Value>{at}"), found]) if at else found
        records = zip(actual.records(), expected.records(), strict=True)
        for k, (a, e) in enumerate(records, 1):
            element = f"({k})" if actual.shape != (1, 1) else ""
            for name in names:
                found = self.mismatch(a[name], e[name], f"{at}{element}.{name}")
                if found:
                    return found
        return ""

    def _numbers(self, actual: Any, expected: Any) -> str:
        a, e = (np.asarray(to_numpy(value)) for value in (actual, expected))
        name = class_of(actual)
        is_complex = [np.iscomplexobj(one) for one in (a, e)]
        if is_complex[0] != is_complex[1] and self.tolerance is not None:
            words = ["complex" if one else "real" for one in is_complex]
            pairs = (("Actual Complexity", words[0]), ("Expected Complexity", words[1]))
            return says("Complexity does not match.", labelled(*pairs))
        kind = np.complex128 if any(is_complex) else np.float64
        wide_a, wide_e = a.astype(kind), e.astype(kind)
        with np.errstate(all="ignore"):
            off = wide_a - wide_e
            good = (wide_a == wide_e) | (np.isnan(wide_a) & np.isnan(wide_e))
            if self.tolerance is not None:
                near = self.tolerance.holds(name, np.abs(off), wide_e)
                good |= near & np.isfinite(wide_e)
        if good.all():
            return ""
        kind_of_value = "logical" if name == "logical" else "numeric"
        first = says(f'The {kind_of_value} values are not equal using "isequaln".')
        if self.tolerance is not None:
            first = self.tolerance.problem()
            if all(one.of(name) is None for one in self.tolerance.simple()):
                first = joined([first, says(f"The tolerance is not for values of class '{name}'.")])
        columns = self._table(a, e, off, ~good, name)
        shown = disp(columns).strip("\n")
        return joined([first, f"{says('Failure table:')}\n{_deeper(shown)}"])

    def _table(self, a: Any, e: Any, off: Any, bad: Any, name: str) -> Table:
        places = np.flatnonzero(bad.ravel(order="F"))[:_MOST_ROWS]

        def chosen(data: Any) -> Any:
            return column(np.broadcast_to(data, bad.shape).ravel(order="F")[places])

        columns: dict[str, Any] = {}
        if bad.size > 1 and max(bad.shape) == bad.size:
            columns["Index"] = column(places + 1.0)
        elif bad.size > 1:
            subs = zip(*np.unravel_index(places, bad.shape, order="F"), strict=True)
            names = [char(f"({','.join(str(int(k) + 1) for k in one)})") for one in subs]
            cells = np.empty((len(names), 1), object)
            cells[:, 0] = names
            columns["Subscripts"] = CellArray(cells)
        columns["Actual"], columns["Expected"] = chosen(a), chosen(e)
        if name not in ("logical", "char"):
            columns["Error"] = chosen(off)
            with np.errstate(all="ignore"):
                columns["RelativeError"] = chosen(off / e)
        for one in self.tolerance.simple() if self.tolerance is not None else ():
            allowed = one.of(name)
            if allowed is not None:
                columns[f"{one.kind.capitalize()}Tolerance"] = chosen(allowed)
        return Table.of(columns)


def _words(value: Any) -> list[str]:
    if isinstance(value, CharArray):
        return [str(value.content)]
    return [str(word) for word in value.data.ravel(order="F")]


def _deeper(shown: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in shown.split("\n"))
