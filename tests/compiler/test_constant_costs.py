"""What touches a fixed number of elements allocates as much in a large array as in a small one.

Bytes are counted where Python and NumPy allocate them, so a copy of the array shows. Each form runs
twice before it is measured: the first write to a shared array has to copy it, and spare room comes
with the second growth.
"""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from runmat_core import Session
from runmat_core.values import subscript
from runmat_core.values.buffers import own

#: Class: how an array of it is made, and what is written to an element.
CLASSES = {
    "double": ("ones({})", "0.5"),
    "single": ("ones({}, 'single')", "single(0.5)"),
    "double into single": ("ones({}, 'single')", "0.5"),
    "int32": ("ones({}, 'int32')", "int32(7)"),
    "double into uint8": ("ones({}, 'uint8')", "7"),
    "logical": ("true({})", "false"),
    "double into logical": ("true({})", "0"),
    "complex": ("complex(ones({}), ones({}))", "complex(1, 2)"),
    "double into complex": ("complex(ones({}), ones({}))", "0.5"),
    "char": ("repmat('a', {})", "'b'"),
    "string": ('repmat("a", {})', '"b"'),
    "cell": ("cell({})", "{1}"),
    "struct": ("repmat(struct('a', 1), {})", "struct('a', 2)"),
}
RANKS = {"row": "1, n", "column": "n, 1", "matrix": "10, n / 10", "pages": "10, 10, n / 100"}
#: Where the array lies: what makes room for it, and how it is written.
CONTAINERS = {
    "field": ("", "s.h"),
    "cell": ("", "c{1}"),
    "element of a struct array": ("s = struct('h', {1, 2});", "s(2).h"),
    "nested": ("", "s.c{2}.h"),
    "value object": ("v = ValueBox;", "v.h"),
    "handle object": ("o = HandleBox;", "o.h"),
}
FORMS = {
    "all": ["y = X(5);", "X(5) = W;", "y = X(2:4);", "X(2:4) = W;", "X(2:4) = X(1:3);"],
    "list": ["y = X([2 9 4]);", "X([2 9 4]) = W;", "X(int32(3)) = W;"],
    "vector": ["X(end + 1) = W;", "X(end) = [];", "X(end - 2:end) = [];"],
    "row": ["X(1, 5) = W;", "X(1, end + 1) = W;"],
    "column": ["X(5, 1) = W;", "X(end + 1, 1) = W;"],
    "matrix": ["X(5, 5) = W;", "X(:, 3) = X(:, 4);", "X(:, end + 1) = W;", "X(:, end) = [];"],
    "pages": [
        "X(5, 5) = W;",
        "X(5, 5, 2) = W;",
        "X(:, :, 2) = X(:, :, 3);",
        "X(:, :, end + 1) = W;",
        "X(:, :, end) = [];",
    ],
    "cell": ["y = X{5};", "X{5} = 3;"],
    "struct": ["y = X(5).a;", "X(5).a = 3;"],
}
SMALL, LARGE = 1000, 100_000
#: Less than the smallest copy that could be made.
TOLERANCE = LARGE // 5


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """Load what large arrays need before anything is traced, which would slow that down."""
    Session().run("a = ones(300); b = a + 1; b(:, 1) = 2; c = b(3, 3);")


def forms(cls: str, rank: str) -> list[str]:
    """The statements for an array X and what is written, W."""
    vector = ["vector"] if rank in ("row", "column") else []
    return [one for kind in ("all", "list", *vector, rank, cls) for one in FORMS.get(kind, [])]


def program(cls: str, ranks: list[str], setup: str, array: str) -> tuple[str, list[str]]:
    """A program that measures each form once, and the forms."""
    make, written = CLASSES[cls]
    lines, measured = [setup], []
    for rank in ranks:
        lines += [f"{array} = {make.replace('{}', RANKS[rank])};", "start();"]
        for form in forms(cls, rank):
            text = form.replace("X", array).replace("W", written)
            measured.append(text)
            lines += [text, text, "before();", text, "after();", "before();", text, "after();"]
        lines.append("stop();")
    return "\n".join(lines), measured


class Allocated:
    """The most that was allocated at once between `before` and `after`, one number each time."""

    def __init__(self) -> None:
        self.peaks: list[int] = []
        self._base = 0

    def before(self) -> None:
        tracemalloc.reset_peak()
        self._base = tracemalloc.get_traced_memory()[0]

    def after(self) -> None:
        self.peaks.append(tracemalloc.get_traced_memory()[1] - self._base)


def peaks(session: Session, size: int, code: str) -> list[int]:
    found = Allocated()
    session.run("clear all")
    session["n"] = float(size)
    for name in ("before", "after"):
        session[name] = getattr(found, name)
    session["start"], session["stop"] = tracemalloc.start, tracemalloc.stop
    try:
        session.run(code)
    finally:
        tracemalloc.stop()
    # what is allocated once and kept, such as a module, is in the first number alone
    return [min(pair) for pair in zip(found.peaks[::2], found.peaks[1::2], strict=True)]


def check(folder: Path, code: str, measured: list[str]) -> None:
    (folder / "costs.m").write_text(f"function costs(n, start, stop, before, after)\n{code}\nend\n")
    session = Session(cwd=folder)
    for run in (code, "costs(n, start, stop, before, after)"):
        small, large = (peaks(session, size, run) for size in (SMALL, LARGE))
        assert len(small) == len(large) == len(measured)
        grew = {
            form: (few, many)
            for form, few, many in zip(measured, small, large, strict=True)
            if many > few + TOLERANCE
        }
        assert not grew, f"bytes for {SMALL} and {LARGE} elements"


@pytest.mark.sweep(5)
@pytest.mark.parametrize("cls", CLASSES)
def test_every_class_rank_and_form(cls: str, tmp_path: Path) -> None:
    check(tmp_path, *program(cls, list(RANKS), "", "h"))


@pytest.mark.sweep
@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("cls", ["int32", "cell"])
def test_every_container(cls: str, container: str, tmp_path: Path) -> None:
    for name, base in (("ValueBox", ""), ("HandleBox", " < handle")):
        text = f"classdef {name}{base}\nproperties\nh\nend\nend\n"
        (tmp_path / f"{name}.m").write_text(text)
    check(tmp_path, *program(cls, ["row", "pages"], *CONTAINERS[container]))


@pytest.mark.parametrize("name", ["ValueBox", "HandleBox"])
def test_arrays_of_objects(name: str, tmp_path: Path) -> None:
    base = " < handle" if name == "HandleBox" else ""
    (tmp_path / f"{name}.m").write_text(f"classdef {name}{base}\nproperties\nh\nend\nend\n")
    lines, forms = [f"h = repmat({name}, 1, n / 10);", f"one = {name};", "start();"], []
    for form in ("h(5) = one;", "h(5).h = 2;", "h(end + 1) = one;", "y = h(5);", "h(end) = [];"):
        forms.append(form)
        lines += [form, form, "before();", form, "after();", "before();", form, "after();"]
    check(tmp_path, "\n".join([*lines, "stop();"]), forms)


SHARED: dict[str, Any] = {
    "a maximum of a sum": "b = a + c; m = max(b(:)); a(3, 3) = m;",
    "a number that nothing has read": "m = max(a(:)); a(3, 3) = 1;",
    "a view of the array": "m = sum(a(:)); a(2:4, 3) = 1; if m < 0, a = 1; end",
    "a result as large": "b = abs(a); m = sum(b(:)); a(:, 3) = 1; if m < 0, a = 1; end",
}


@pytest.mark.parametrize("statements", SHARED.values(), ids=SHARED)
@pytest.mark.parametrize("script", [True, False])
def test_pending_results_do_not_have_a_loop_copy_what_it_writes(
    statements: str, script: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = []

    def counted(holder: Any) -> None:
        before = id(holder.data)
        own(holder)
        if id(holder.data) != before:
            copies.append(statements)

    monkeypatch.setattr(subscript, "own", counted)
    code = f"a = rand(300); c = rand(300); for k = 1:10, {statements} end\n"
    (tmp_path / "program.m").write_text(code if script else f"function program\n{code}end\n")
    Session(cwd=tmp_path).run("program")
    assert len(copies) <= 1
