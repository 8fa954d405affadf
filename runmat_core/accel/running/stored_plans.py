"""Plans that later processes find again: on disk, under keys that mean the same in each of them.

A file holds for the package's sources, the configuration, the providers with their devices, and the
rates that placement reckons with. Plans are written when the session is closed, or the process
ends.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from runmat_core.accel import caches
from runmat_core.accel.devices.provider import debugging
from runmat_core.accel.devices.records import StoreNote
from runmat_core.accel.graph.node import Node, ValueNumbering
from runmat_core.accel.planning.collect import Walk
from runmat_core.accel.planning.identity import Identities, Indescribable
from runmat_core.accel.planning.plan import Subgraph
from runmat_core.accel.planning.plans import Planned
from runmat_core.accel.running.assembly import bare
from runmat_core.accel.running.encoding import Compile, Decoder, Encoder, NotStorable, template
from runmat_core.api.disk_cache import DiskCache, write_at_exit
from runmat_core.api.folders import blake2b

#: The version of the files.
FORMAT = 1
#: The most bytes of all files, and the most plans that wait to be written.
MOST_BYTES, WAITING = 1 << 25, 1024
#: The folders whose sources plans depend on, beside those of the operations in them.
_SOURCES = ("accel", "api")


class StoredPlans:
    """The plans of one session and of the ones before it.

    Args:
        folder: of all caches.
        most: how many files there may be.
        context: gives what else plans depend on; asked once providers were started.
    """

    def __init__(
        self, folder: str, most: int, interner: ValueNumbering, context: Callable[[], Any]
    ) -> None:
        base = caches.folder("plans", root=folder)
        self._files = DiskCache(base or "", most, MOST_BYTES)
        self._context = context
        self._here = ""
        self._roles: dict[str, str] = {}
        self._identities = Identities(interner)
        self._waiting: dict[str, tuple[Planned, list[Node]]] = {}
        self._bodies: dict[str, Any] = {}
        self.nameless = self.failed = 0
        write_at_exit(self)

    @property
    def note(self) -> StoreNote:
        """How the files were used."""
        files = self._files
        unusable = files.damaged + self.failed
        return StoreNote(files.hits, files.misses, files.written, unusable, self.nameless)

    def name_of(self, walked: Walk, roles: Mapping[str, str]) -> str:
        """Return the name of the file for what was walked; empty where it can have none.

        Args:
            roles: what each provider works as, by the name of its instance.
        """
        if self._files.folder is None:
            return ""
        found = self._identities.of(walked, roles)
        if found is None:
            self.nameless += 1
            return ""
        return self._named(roles, found)

    def _named(self, roles: Mapping[str, str], key: str) -> str:
        if not self._here:
            self._roles = dict(roles)
            about = self._identities.describe(self._context())
            self._here = f"{FORMAT} {fingerprint()} {about!r}"
        return blake2b(f"{self._here} {key}".encode(), digest_size=20).hexdigest()

    def body(self, parts: Any, roles: Mapping[str, str], make: Callable[[], Any]) -> Any:
        """Return what a loop's body came to: in an earlier process, else as `make` makes it.

        Args:
            parts: what it depends on.
        """
        if self._files.folder is None:
            return make()
        try:
            described = marshal.dumps(self._identities.describe(parts), 2)
        except (Indescribable, ValueError, RecursionError):
            self.nameless += 1
            return make()
        name = self._named(roles, blake2b(described, digest_size=20).hexdigest())
        data = self._files.load(name)
        if data is not None:
            try:
                (coded,) = marshal.loads(data)
                return Decoder((), {}).value(coded)
            except Exception:
                if debugging():
                    raise
                self.failed += 1
                self._files.remove(name)
        made = make()
        if len(self._bodies) < WAITING:
            self._bodies[name] = made
        return made

    def load(
        self, name: str, walked: Walk, version: int, compile: Compile
    ) -> tuple[Planned, Subgraph] | None:
        """Return the plan of a file and the sub-graph to run it on; None where there is none.

        Args:
            version: of the costs that placement would reckon with now.
        """
        data = self._files.load(name) if name else None
        if data is None:
            return None
        try:
            outline, coded = marshal.loads(data)
            shape = template(outline)
            subgraph = shape.bind(walked)
            plan = Decoder(subgraph.nodes, {role: name for name, role in self._roles.items()}).plan(
                coded, compile
            )
        except Exception:
            if debugging():
                raise
            self.failed += 1
            self._files.remove(name)
            return None
        if plan is None:
            return None
        return Planned(plan, shape, version), subgraph

    def forget(self) -> None:
        """Write what waits, and be ready for other providers."""
        self.write()
        self._here = ""

    def keep(self, name: str, planned: Planned, subgraph: Subgraph) -> None:
        """Have a plan written when the session is closed."""
        if name and len(self._waiting) < WAITING:
            by_rules = any(step.lowered is None for step in planned.plan.steps)
            # without their inputs and elements, which would live as long as this does
            nodes = [bare(node) for node in subgraph.nodes] if by_rules else []
            self._waiting[name] = planned, nodes

    def write(self) -> None:
        """Write what waits."""
        waiting, self._waiting = self._waiting, {}
        bodies, self._bodies = self._bodies, {}
        for name, (planned, nodes) in waiting.items():
            self._write(name, partial(self._coded, planned, nodes))
        for name, body in bodies.items():
            self._write(name, partial(_coded_body, body))

    def _coded(self, planned: Planned, nodes: list[Node]) -> Any:
        return Encoder.template(planned.template), Encoder(nodes, self._roles).plan(planned.plan)

    def _write(self, name: str, coded: Callable[[], Any]) -> None:
        try:
            data = marshal.dumps(coded())
        except (NotStorable, ValueError, RecursionError):
            self.failed += 1
        else:
            self._files.store(name, data)


def _coded_body(body: Any) -> Any:
    return (Encoder((), {}).value(body),)


@cache
def fingerprint() -> str:
    """Return a digest of the sources of this package and of the interpreter."""
    package = sys.modules["runmat_core"]
    root = os.path.dirname(os.path.abspath(package.__file__ or ""))
    stamps = [sys.implementation.cache_tag, package.__version__]
    if os.path.exists(os.path.join(root, os.pardir, "pyproject.toml")):
        # a checkout, whose files may be edited
        for name in _SOURCES:
            for folder, _, files in sorted(os.walk(os.path.join(root, name))):
                for file in sorted(files):
                    if file.endswith(".py"):
                        status = os.stat(os.path.join(folder, file))
                        stamps.append(f"{file} {status.st_size} {status.st_mtime_ns}")
    return caches.name_of(" ".join(stamps))
