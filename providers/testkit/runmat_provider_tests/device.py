"""A started provider as tests use it: kernels on NumPy arrays, in and out."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pluggy
import pytest
from numpy.typing import NDArray

from runmat_core.api import hookspecs
from runmat_core.api.device import (
    DTYPE_NAME,
    NUMPY_DTYPE,
    Addressing,
    AllocateRequest,
    CompileRequest,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    FreeRequest,
    Launch,
    StartRequest,
    UploadRequest,
)
from runmat_core.api.ir import (
    STRUCTURAL,
    Axis,
    Buffer,
    Builder,
    Instr,
    Kernel,
    LibraryCall,
    Param,
    Unit,
    V,
    View,
    dump,
)

Data = NDArray[Any]


#: How the reasons of skipped tests begin.
DECLINED, UNDECLARED = "declined", "not declared"


@attrs.frozen
class Attempt:
    """A unit and what it was launched with."""

    unit: Unit
    extents: tuple[int, ...] = ()
    buffers: list[Data] = attrs.Factory(list)
    views: list[Addressing] = attrs.Factory(list)
    params: list[Any] = attrs.Factory(list)

    def __str__(self) -> str:
        lines = [dump(self.unit).rstrip()]
        if self.extents:
            lines.append(f"  extents {self.extents}")
        for k, data in enumerate(self.buffers):
            shown = np.array2string(np.asarray(data).ravel(), threshold=24, max_line_width=10**6)
            lines.append(f"  buffer {k} holds {shown}")
        lines += [f"  view {k}: {where}" for k, where in enumerate(self.views)]
        lines += [f"  param {k} is {value!r}" for k, value in enumerate(self.params)]
        return "\n".join(lines)


def label_of(unit: Unit) -> str:
    """Return a unit in a few words: a call's name, or a kernel's operations and reducers."""
    if isinstance(unit, LibraryCall):
        return f"{unit.name}({', '.join(unit.dtypes)})"
    plain = {"load", "store", "const", "param", "index", "item", "extent"}
    names = [
        f"{i.op} {getattr(i.attr[0] if isinstance(i.attr, tuple) else i.attr, 'name', '')}".strip()
        for i in unit.code
        if i.op not in plain
    ]
    return f"kernel of {', '.join(dict.fromkeys(names)) or 'copies'}"


def declaration(plugin: Any, name: str) -> dict[str, Any] | None:
    """Return what the package of a provider says of it in ``runmat_provider.toml``.

    None where it has no such file; the test fails where the file has no table for the provider.
    """
    top = type(plugin).__module__.partition(".")[0]
    folders = getattr(sys.modules[top], "__path__", None)
    path = Path(next(iter(folders))) / "runmat_provider.toml" if folders else None
    if path is None or not path.is_file():
        return None
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as problem:
        pytest.fail(f"{path} cannot be read: {problem}")
    if not isinstance(tables.get(name), dict):
        pytest.fail(f"{path} has no table [{name}]; it has {', '.join(tables) or 'none'}")
    found: dict[str, Any] = tables[name]
    return found


class Device:
    """An instance of an installed provider behind a plugin manager of its own.

    Attributes:
        entry: the provider's name in the entry point group.
        chosen: the options it was started with.
    """

    def __init__(self, name: str, options: dict[str, Any], instance: str = "") -> None:
        found = [p for p in entry_points(group=hookspecs.ENTRY_POINT_GROUP) if p.name == name]
        if not found:
            raise LookupError(f"no installed package offers the provider '{name}'")
        #: The unit that was compiled last, and what it was launched with, for the text of failures.
        self.last: Attempt | None = None
        self.plugin = found[0].load()()
        self.manager = pluggy.PluginManager(hookspecs.PROJECT)
        self.manager.add_hookspecs(hookspecs.AccelProvider)
        self.manager.register(self.plugin)
        self.manager.check_pending()
        self.hook = self.manager.hook
        self.entry, self.chosen = name, options
        self.name = instance or name
        request = StartRequest(name=self.name, options=tuple(sorted(options.items())))
        self.capabilities = self.hook.capabilities(request=request)

    def upload(self, *arrays: Data) -> tuple[Any, ...]:
        contiguous = tuple(np.asfortranarray(a) for a in arrays)
        handles: tuple[Any, ...] = self.hook.upload(request=UploadRequest(arrays=contiguous))
        return handles

    def download(self, *handles: Any) -> list[Data]:
        return list(self.hook.download(request=DownloadRequest(arrays=handles)).arrays)

    def allocate(self, *arrays: tuple[tuple[int, ...], str]) -> tuple[Any, ...]:
        handles: tuple[Any, ...] = self.hook.allocate(request=AllocateRequest(arrays=arrays))
        return handles

    def free(self, *handles: Any) -> None:
        self.hook.free(request=FreeRequest(arrays=handles))

    def compile(self, unit: Unit) -> Executable | None:
        made = self.hook.compile(request=CompileRequest(units=(unit,)))
        assert len(made) == 1
        executable: Executable | None = made[0]
        return executable

    def accepted(self, unit: Unit) -> Executable:
        """Return the executable of a unit; skips the test where the provider declines it."""
        executable = self.compile(unit)
        self.last = Attempt(unit)
        if executable is None:
            pytest.skip(f"{DECLINED}: {label_of(unit)}")
        assert isinstance(executable, Executable), "compile gives an Executable or None"
        return executable

    def needs(self, *types: str, library: str = "", op: str = "") -> None:
        """Skip the test where the provider does not declare all of these."""
        declared = self.capabilities
        missing = [name for name in types if name not in declared.dtypes]
        missing += [library] if library and library not in declared.libraries else []
        if op and declared.ops is not None and op not in declared.ops:
            missing.append(op)
        if missing:
            pytest.skip(f"{UNDECLARED}: {', '.join(missing)}")

    def undeclared(self, kernel: Kernel) -> list[str]:
        """Operations and element types of a kernel that the provider does not declare."""
        declared = self.capabilities
        structural, ops = declared.structural, declared.ops
        used = {instr.op for instr in kernel.code}
        missing = set() if structural is None else (used & STRUCTURAL) - structural
        missing |= set() if ops is None else (used - STRUCTURAL) - ops
        if kernel.axes_of("serial"):
            missing |= set() if declared.loops else {"serial axes"}
            reduces = bool(kernel.axes_of("reduce")) and not declared.loop_points
            missing |= {"reductions in loops"} if reduces else set()
        types = {buffer.dtype for buffer in kernel.buffers}
        return sorted(missing | (types - declared.dtypes))

    def run(
        self,
        kernel: Kernel,
        extents: tuple[int, ...],
        buffers: Sequence[Data],
        views: Sequence[Addressing],
        params: Sequence[Any] = (),
    ) -> tuple[list[Data], int]:
        """Return the buffers (flat) after one launch, and the status word."""
        missing = self.undeclared(kernel)
        if missing:
            names = ", ".join(missing)
            assert self.compile(kernel) is None, f"accepts a kernel with {names}, not declared"
            pytest.skip(f"{UNDECLARED}: {names}")
        executable = self.accepted(kernel)
        self.last = Attempt(kernel, tuple(extents), list(buffers), list(views), list(params))
        handles = self.upload(*[np.asarray(b).reshape(-1, 1) for b in buffers])
        writable = [k for k, buffer in enumerate(kernel.buffers) if buffer.access == "write"]
        fresh = self.allocate(*[((len(buffers[k]), 1), kernel.buffers[k].dtype) for k in writable])
        slots = list(handles)
        for k, handle in zip(writable, fresh, strict=True):
            slots[k] = handle
        status = self.upload(np.zeros((1, 1), np.uint32))[0] if kernel.guards else None
        launch = Launch(
            executable,
            tuple(range(len(slots))),
            tuple(extents),
            tuple(views),
            tuple(range(len(params))),
            "test",
        )
        request = ExecuteRequest(
            steps=(launch,),
            slots=tuple(slots),
            params=tuple(params),
            status=status,
            read_next=True,
        )
        assert self.hook.execute(request=request)
        answer = self.hook.download(request=DownloadRequest(arrays=tuple(slots), status=status))
        self.free(*handles, *fresh, *([status] if status is not None else []))
        return [a.ravel(order="F") for a in answer.arrays], answer.status


class Draft:
    """A kernel in the making: loads, parameters and stores with their addressing.

    Args:
        extents: of the axes.
        kinds: of the axes, all parallel by default.
    """

    def __init__(self, extents: tuple[int, ...], kinds: Sequence[str] = ()) -> None:
        self.extents = extents
        self.kinds = list(kinds) or ["parallel"] * len(extents)
        mask = {
            kind: sum(1 << k for k, own in enumerate(self.kinds) if own == kind)
            for kind in ("reduce", "scan")
        }
        self.builder = Builder(reduce_mask=mask["reduce"], scan_mask=mask["scan"])
        self.buffers: list[Buffer] = []
        self.data: list[Data] = []
        self.views: list[View] = []
        self.addressing: list[Addressing] = []
        self.params: list[Param] = []
        self.scalars: list[Any] = []
        self.guards = False

    def _strides(self, over: Sequence[bool]) -> tuple[int, ...]:
        strides, step = [], 1
        for extent, moves in zip(self.extents, over, strict=True):
            strides.append(step if moves else 0)
            step *= extent if moves else 1
        return tuple(strides)

    def _view(self, buffer: int | None, moves: Sequence[bool], where: Addressing | None) -> int:
        plain = where is None
        self.views.append(View(buffer, tuple(moves), contiguous=plain))
        self.addressing.append(where or Addressing(0, self._strides(moves)))
        return len(self.views) - 1

    def load(
        self, data: Data, moves: Sequence[bool] | None = None, where: Addressing | None = None
    ) -> V:
        """Return the elements of an array, column-major over the axes that it moves along."""
        moves = [True] * len(self.extents) if moves is None else moves
        flat = np.asarray(data).ravel(order="F")
        self.data.append(flat)
        self.buffers.append(Buffer(DTYPE_NAME[flat.dtype.char]))
        view = self._view(len(self.buffers) - 1, moves, where)
        over = sum(1 << k for k, m in enumerate(moves) if m)
        dtype = self.buffers[-1].dtype
        return V(self.builder, self.builder.emit("load", (), dtype, over, view))

    def param(self, value: Any, dtype: str) -> V:
        self.params.append(Param(dtype))
        self.scalars.append(value)
        place = self.builder.emit("param", (), dtype, 0, len(self.params) - 1)
        return V(self.builder, place)

    def index(self) -> V:
        """Return the number of the point, column-major."""
        moves = [True] * len(self.extents)
        view = self._view(None, moves, None)
        return V(self.builder, self.builder.emit("index", (), "i64", (1 << len(moves)) - 1, view))

    def store(
        self,
        value: V,
        moves: Sequence[bool] | None = None,
        where: Addressing | None = None,
        size: int | None = None,
    ) -> int:
        """Write a value; the number of the buffer."""
        if moves is None:
            moves = [bool(value.over >> k & 1) for k in range(len(self.extents))]
        count = int(np.prod([e for e, m in zip(self.extents, moves, strict=True) if m], dtype=int))
        self.data.append(np.zeros(size or count, NUMPY_DTYPE[value.dtype]))
        self.buffers.append(Buffer(value.dtype, "write"))
        view = self._view(len(self.buffers) - 1, moves, where)
        self.builder.emit("store", (value.position,), value.dtype, value.over, view)
        return len(self.buffers) - 1

    def carry(self, first: V, over: int) -> V:
        """Return a value that is `first` in the first trip; `turn` tells what it is in the next.

        Args:
            over: the axes that it varies along, that of the trips among them.
        """
        mark = ("carried", len(self.builder.code))
        place = self.builder.emit("carry", (first.position,), first.dtype, over, mark)
        return V(self.builder, place)

    def turn(self, carried: V, following: V) -> None:
        """Let a carried value take on another one after each trip."""
        code = self.builder.code
        place = following.position
        if place <= carried.position:
            code.append(Instr("cast", (place,), following.dtype, following.over, following.dtype))
            place = len(code) - 1
        code[carried.position] = attrs.evolve(code[carried.position], attr=place)

    def last(self, value: V) -> V:
        """Return a value in the last trip."""
        over = value.over & ~(1 << (len(self.extents) - 1))
        place = self.builder.emit("last", (value.position,), value.dtype, over)
        return V(self.builder, place)

    def guard(self, condition: V, bit: int = 0) -> None:
        self.builder.emit("guard", (condition.position,), "bool", condition.over, bit)
        self.guards = True

    def kernel(self) -> Kernel:
        axes = tuple(Axis(kind) for kind in self.kinds)  # type: ignore[arg-type]
        return Kernel(
            axes,
            tuple(self.buffers),
            tuple(self.views),
            tuple(self.params),
            tuple(self.builder.code),
            self.guards,
        )

    def run(self, device: Device) -> tuple[list[Data], int]:
        return device.run(self.kernel(), self.extents, self.data, self.addressing, self.scalars)
