"""Copies of containers never change with their originals.

Random programs of nested assignments, copies and reads run on values and on a model that copies
everything deeply; both must agree after each step.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core.api import MatlabError
from runmat_core.values import (
    Array,
    CellArray,
    StructArray,
    assign,
    assign_path,
    brace,
    delete,
    field,
    from_numpy,
    horzcat,
    index,
    to_numpy,
)
from runmat_core.values.base import CommaList, Value, share

NAMES = ["p", "q", "r", "s"]
FIELDS = ["a", "b"]

# -- the model: a number row is ("n", [..]), a cell ("c", [..]), a struct row ("s", names, [dict..])


def model_of(value: Any) -> Any:
    if isinstance(value, CellArray):
        return ("c", [model_of(item) for item in value.items()])
    if isinstance(value, StructArray):
        names = sorted(value.field_names())
        return ("s", [{name: model_of(r[name]) for name in names} for r in value.records()])
    return ("n", to_numpy(value).ravel(order="F").tolist())


BLANK: Any = ("n", [])


def is_blank(model: Any) -> bool:
    return model is None or (model[0] == "n" and not model[1])


def pad(items: list[Any], count: int, fill: Any) -> None:
    while len(items) < count:
        items.append(copy.deepcopy(fill))


def set_model(model: Any, path: list[tuple[str, Any]], rhs: Any) -> Any:
    """The model after ``model<path> = rhs``; raises KeyError where MATLAB raises."""
    if not path:
        return copy.deepcopy(rhs)
    (kind, key), rest = path[0], path[1:]
    if kind == "()" and not rest:
        if is_blank(model):
            model = ("n", [])
        if model[0] != "n" or rhs[0] != "n" or len(rhs[1]) != 1:
            raise KeyError
        pad(model[1], key, 0.0)
        model[1][key - 1] = rhs[1][0]
        return model
    if kind == "{}":
        if is_blank(model):
            model = ("c", [])
        if model[0] != "c":
            raise KeyError
        child = model[1][key - 1] if key <= len(model[1]) else None
        child = set_model(child, rest, rhs)
        pad(model[1], key, BLANK)
        model[1][key - 1] = child
        return model
    if is_blank(model):
        model = ("s", [] if kind == "()" else [{}])
    if model[0] != "s":
        raise KeyError
    records = model[1]
    if kind == "()":
        if rest[0][0] != ".":
            raise KeyError
        at, name, rest = key - 1, rest[0][1], rest[1:]
    else:
        if len(records) != 1:
            raise KeyError
        at, name = 0, key
    names = list(records[0]) if records else []
    child = records[at].get(name) if at < len(records) else (BLANK if name in names else None)
    child = set_model(child, rest, rhs)
    pad(records, at + 1, dict.fromkeys(names, BLANK))
    for record in records:
        record.setdefault(name, BLANK)
    records[at][name] = child
    return model


# -- programs --------------------------------------------------------------------------------------

# A path is drawn as numbers that choose a way through what the variable holds, so that programs
# return to places that are shared instead of making new ones.
ways = st.lists(st.integers(0, 11), min_size=1, max_size=4)
names = st.sampled_from(NAMES)
statements = st.one_of(
    st.tuples(st.just("set"), names, ways, st.floats(1, 9).map(round)),
    st.tuples(st.just("store"), names, ways, names),
    st.tuples(st.just("copy"), names, names),
    st.tuples(st.just("take"), names, ways, names),
    st.tuples(st.just("wrap"), names, names, names),
    st.tuples(st.just("slice"), names, names),
    st.tuples(st.just("delete"), names, st.integers(1, 2)),
)


def path_through(model: Any, way: list[int]) -> list[tuple[str, Any]]:
    """A path into `model`: along existing elements mostly, now and then past their end."""
    path: list[tuple[str, Any]] = []
    for number in way:
        if is_blank(model):
            kind = ("()", "{}", ".", ".")[number % 4]
            model = None
        else:
            kind = {"n": "()", "c": "{}", "s": "."}[model[0]]
        if kind == ".":
            records = model[1] if model else []
            name = FIELDS[number % len(FIELDS)]
            if len(records) != 1 or number > 8:
                at = number % (len(records) + 1)
                path += [("()", at + 1), (".", name)]
                model = records[at].get(name) if at < len(records) else None
            else:
                path.append((".", name))
                model = records[0].get(name)
        elif kind == "{}":
            items = model[1] if model else []
            at = number % (len(items) + (number > 8) or 1)
            path.append(("{}", at + 1))
            model = items[at] if at < len(items) else None
        else:
            path.append(("()", number % 3 + 1))
            break
    return path


def real_path(path: list[tuple[str, Any]]) -> tuple[tuple[str, Any], ...]:
    return tuple((kind, key if kind == "." else (float(key),)) for kind, key in path)


def read(value: Any, path: list[tuple[str, Any]]) -> Any:
    for kind, key in real_path(path):
        value = {"()": index, "{}": brace, ".": field}[kind](value, key)
        if isinstance(value, CommaList):
            raise KeyError
    return value


class Machine:
    """Two runs of one program: on values and on the model."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.models: dict[str, Any] = {}
        self.start()

    def start(self) -> None:
        """Two variables that share a nested container."""
        for path in ([".a", "{2}", "(2).b"], [".a", "{1}", "(1)"], [".b", "(1).a", "(3)"]):
            steps: list[tuple[str, Any]] = []
            for text in path:
                if text[0] == "{":
                    steps.append(("{}", int(text[1])))
                elif text[0] == "(":
                    steps.append(("()", int(text[1])))
                if "." in text:
                    steps.append((".", text[-1]))
            self.set("p", steps, 1.0, ("n", [1.0]))
        self.do_copy("q", "p")
        self.do_wrap("r", "p", "q")

    def bind(self, name: str, value: Any, model: Any) -> None:
        self.values[name] = value
        self.models[name] = model

    def set(self, name: str, path: list[tuple[str, Any]], value: Any, model: Any) -> None:
        try:
            after = set_model(copy.deepcopy(self.models.get(name)), path, model)
        except KeyError:
            return
        self.bind(name, assign_path(self.values.get(name), real_path(path), value), after)

    def run(self, kind: str, *args: Any) -> None:
        getattr(self, "do_" + kind)(*args)

    def do_set(self, name: str, way: list[int], number: int) -> None:
        self.set(
            name, path_through(self.models.get(name), way), float(number), ("n", [float(number)])
        )

    def do_store(self, name: str, way: list[int], source: str) -> None:
        if source in self.values:
            path = path_through(self.models.get(name), way)
            self.set(name, path, share(self.values[source]), self.models[source])

    def do_copy(self, name: str, source: str) -> None:
        if source in self.values:
            self.bind(name, share(self.values[source]), copy.deepcopy(self.models[source]))

    def do_take(self, name: str, way: list[int], source: str) -> None:
        if source not in self.values:
            return
        try:
            value = read(self.values[source], path_through(self.models[source], way))
        except (KeyError, MatlabError):
            return
        self.bind(name, value, model_of(value))

    def do_wrap(self, name: str, one: str, two: str) -> None:
        parts = [share(self.values[n]) for n in (one, two) if n in self.values]
        cells = [CellArray(self.box(part)) for part in parts]
        if cells:
            value = horzcat(*cells)
            self.bind(name, value, model_of(value))

    @staticmethod
    def box(value: Any) -> np.ndarray[Any, Any]:
        data = np.empty((1, 1), object)
        data[0, 0] = value
        return data

    def do_slice(self, name: str, source: str) -> None:
        value = self.values.get(source)
        if isinstance(value, CellArray | StructArray) and value.shape[1] > 1:
            part = index(value, (from_numpy(np.array([[1.0, 2.0]])),))
            self.bind(name, part, model_of(part))

    def do_delete(self, name: str, at: int) -> None:
        value = self.values.get(name)
        if isinstance(value, CellArray | StructArray) and value.shape[1] > at:
            model = self.models[name]
            del model[1][at - 1]
            self.bind(name, delete(value, (float(at),)), model)

    def check(self) -> None:
        for name, model in self.models.items():
            assert normal(model_of(self.values[name])) == normal(model), name


def normal(model: Any) -> Any:
    """The model with the fields of records sorted."""
    if model[0] == "c":
        return ("c", [normal(item) for item in model[1]])
    if model[0] == "s":
        return ("s", [{n: normal(r[n]) for n in sorted(r)} for r in model[1]])
    return model


@settings(max_examples=400)
@given(st.lists(statements, min_size=3, max_size=15))
def test_programs_agree_with_deep_copies(program: list[Any]) -> None:
    machine = Machine()
    for statement in program:
        machine.run(*statement)
        machine.check()


def test_a_shared_field_is_copied_once() -> None:
    inner: Value = Array(np.arange(1000.0).reshape(1, -1))
    s = assign_path(None, ((".", "x"),), inner)
    t = s.share()
    t = assign_path(t, ((".", "x"), ("()", (1.0,))), 9.0)
    assert field(s, "x").data[0, 0] == 0.0
    buffer = t.data["x"].data
    place = buffer.ctypes.data
    del buffer
    t = assign_path(t, ((".", "x"), ("()", (2.0,))), 9.0)
    assert t.data["x"].data.ctypes.data == place, "the second write is in place"
    assert assign(field(s, "x"), (1.0,), 5.0).data[0, 0] == 5.0
    assert field(s, "x").data[0, 0] == 0.0
