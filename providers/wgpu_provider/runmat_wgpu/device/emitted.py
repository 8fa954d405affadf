"""WGSL that later processes find again: units as generated, with the launches that they had.

A file holds for the unit, the device with its driver, what generators rely on, and the sources of
these. Which units a process went on with after its first one is kept, too: the next process that
begins with that one has their pipelines made in threads beside it. Files are written when the
device is closed.
"""

from __future__ import annotations

import marshal
import os
import threading
import time
from functools import cache
from typing import Any

from runmat_core.api.device import Addressing
from runmat_core.api.disk_cache import DiskCache, name_of, write_at_exit
from runmat_core.api.ir import Unit
from runmat_wgpu.codegen.shader import Bind, Dispatch, Prepared, Shader, Target
from runmat_wgpu.device.pipelines import Pipelines

#: The version of the files.
FORMAT = 1
#: The most files and bytes, and the most launches of a unit.
MOST_FILES, MOST_BYTES, LAUNCHES = 4000, 1 << 26, 16
#: The most units to go on with, and the seconds after which no further pipeline is made ahead.
AHEAD, AHEAD_SECONDS = 64, 2.0

Extents = tuple[int, ...]
Views = tuple[Addressing, ...]


class Entry:
    """A unit as generated.

    Attributes:
        name: of its file; empty: it has none.
        source: see `Template.source`.
        launches: by extents and views, as plain data.
        changed: whether it is to be written.
    """

    __slots__ = ("changed", "launches", "name", "source")

    def __init__(self, name: str, source: str, launches: dict[Any, Any]) -> None:
        self.name = name
        self.source = source
        self.launches = launches
        self.changed = False

    def launch(self, extents: Extents, views: Views) -> Prepared | None:
        """Return a launch that an earlier process had."""
        data = self.launches.get(_key(extents, views))
        try:
            return None if data is None else _prepared(data)
        except (TypeError, ValueError, IndexError):
            return None  # it is generated instead

    def add(self, extents: Extents, views: Views, prepared: Prepared) -> None:
        """Keep a launch."""
        if self.name and len(self.launches) < LAUNCHES:
            self.launches[_key(extents, views)] = _plain(prepared)
            self.changed = True


class Emitted:
    """The files of one device.

    Args:
        folder: of the provider; empty: nothing is kept.
        device: the name of the adapter and its driver.

    Attributes:
        ahead: how many pipelines were to be made beside the program.
    """

    def __init__(self, folder: str, device: tuple[str, str], pipelines: Pipelines) -> None:
        path = os.path.join(folder, "kernels") if folder else ""
        self.files = DiskCache(path, MOST_FILES, MOST_BYTES)
        self.ahead = 0
        self._device = device
        self._here = ""
        self._pipelines = pipelines
        self._entries: dict[str, Entry] = {}
        self._used: dict[str, None] = {}
        self._closed = False
        self._thread: threading.Thread | None = None
        write_at_exit(self)

    def find(self, name: str) -> Entry | None:
        """Return the entry of a unit by its name; None where there is none on disk."""
        if not name:
            return None
        if not self._used:
            self._go_on(name)
        self._used[name] = None
        return self._load(name)

    def new(self, name: str, source: str) -> Entry:
        """Return an entry to be written."""
        entry = Entry(name, source, {})
        entry.changed = bool(name)
        if name:
            self._entries[name] = entry
        return entry

    def close(self) -> None:
        """Write what is new; have no more pipelines made."""
        self._closed = True
        if self._thread is not None:
            self._thread.join()
        self.write()

    def write(self) -> None:
        """Write what is new."""
        if self.files.folder is None:
            return
        for entry in tuple(self._entries.values()):
            if entry.changed:
                entry.changed = False
                data = (entry.source, tuple(entry.launches.items()))
                self.files.store(entry.name, marshal.dumps(data))
        used = tuple(self._used)[: AHEAD + 1]
        if len(used) > 1 and self._following(used[0]) != used[1:]:
            self.files.store(f"{used[0]}-next", marshal.dumps(used[1:]))

    def name_of(self, unit: Unit, target: Target) -> str:
        """Return the name of a unit's file; empty where it has none."""
        if self.files.folder is None:
            return ""
        try:
            if not self._here:
                self._here = name_of(FORMAT, sources(), self._device)
            return name_of(self._here, target, unit)
        except (TypeError, ValueError):
            return ""

    def _load(self, name: str) -> Entry | None:
        entry = self._entries.get(name)
        if entry is None:
            data = self.files.load(name)
            if data is None:
                return None
            try:
                source, launches = marshal.loads(data)
                entry = self._entries[name] = Entry(name, source, dict(launches))
            except (ValueError, TypeError, EOFError):
                self.files.remove(name)
        return entry

    # -- ahead of the program ---------------------------------------------------------------------

    def _following(self, name: str) -> tuple[str, ...]:
        data = self.files.load(f"{name}-next")
        found: Any = None if data is None else marshal.loads(data)
        if not isinstance(found, tuple):
            return ()
        return tuple([one for one in found if isinstance(one, str) and one.isalnum()])

    def _go_on(self, name: str) -> None:
        """Have the pipelines made of the units that followed the last time, read in a thread."""
        names = (name, *self._following(name)) if (os.cpu_count() or 1) > 1 else ()
        if len(names) > 1:
            work = threading.Thread(target=self._make, args=(names,), name="runmat-shaders")
            self._thread = work
            work.start()

    def _make(self, names: tuple[str, ...]) -> None:
        until = time.monotonic() + AHEAD_SECONDS
        for name in names:
            entry = self._load(name)
            for data in () if entry is None else tuple(entry.launches.values()):
                if self._closed or time.monotonic() > until:
                    return
                for shader in _shaders(data[0]):
                    self.ahead += self._pipelines.begin(shader, until)


@cache
def sources() -> str:
    """Return what tells the sources of generators from others: their sizes and times."""
    import wgpu

    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    stamps = [wgpu.__version__]
    for folder, _, files in sorted(os.walk(os.path.join(here, "codegen"))):
        for file in sorted(files):
            if file.endswith(".py"):
                status = os.stat(os.path.join(folder, file))
                stamps.append(f"{file} {status.st_size} {status.st_mtime_ns}")
    return " ".join(stamps)


# -- launches as plain data ------------------------------------------------------------------------


def _key(extents: Extents, views: Views) -> Any:
    return extents, tuple([(int(view.offset), view.strides) for view in views])


def _plain(prepared: Prepared) -> Any:
    shaders: dict[Shader, int] = {}
    dispatches = []
    for one in prepared.dispatches:
        number = shaders.setdefault(one.shader, len(shaders))
        binds = tuple([(bind.source, bind.index, bind.offset, bind.size) for bind in one.binds])
        rest = (one.params, one.offsets, one.counts, one.multiples)
        dispatches.append((number, one.grid, binds, bytes(one.words), *rest))
    texts = tuple([(one.source, one.access, one.words) for one in shaders])
    about = (prepared.scratch, tuple(prepared.cleared), prepared.reads, prepared.writes)
    return texts, tuple(dispatches), *about


def _shaders(texts: Any) -> list[Shader]:
    return [Shader(*text) for text in texts]


def _prepared(data: Any) -> Prepared:
    texts, dispatches, *about = data
    shaders = _shaders(texts)
    made = [
        Dispatch(shaders[number], grid, tuple([Bind(*bind) for bind in binds]), *rest)
        for number, grid, binds, *rest in dispatches
    ]
    return Prepared(tuple(made), *about)
