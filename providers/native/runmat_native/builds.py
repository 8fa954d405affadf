"""Machine code for texts, made in a thread beside the program.

A program never waits for LLVM: until the code of a kernel is there, NumPy computes it, to the same
bits. What is on disk is loaded as soon as llvmlite is; what is not is compiled when a kernel has
taken long enough for that to pay.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import attrs
from runmat_inprocess import philox

from runmat_core.api.disk_cache import DiskCache
from runmat_native.machine import MACHINE, PASSES, CompileError, Run, as_run

#: Seconds of kernels after which llvmlite is imported, which takes a sixth of one.
PATIENCE = 0.05
#: Seconds of one kernel after which its code is looked for on disk, and after which it is compiled.
LOOK, COMPILE = 2e-4, 5e-3


@attrs.define(eq=False)
class Build:
    """The machine code of a text.

    Attributes:
        spent: seconds that NumPy took for what the code is to do.
        run: the function; None until it is there.
        over: whether nothing more comes: it is there, or never will be.
        draws: the functions of the random stream that it calls.
    """

    text: str
    spent: float = 0.0
    run: Run | None = None
    over: bool = False
    asked: bool = False
    missed: bool = False
    draws: tuple[str, ...] = ()


class Builds:
    """What a provider has compiled, and what waits for it.

    Args:
        eager: compile at once, and wait; for tests and measurements.
    """

    def __init__(self, folder: str, eager: bool = False) -> None:
        self.objects = DiskCache(os.path.join(folder, "objects") if folder else "")
        self.eager = eager
        self.compiled = 0
        self.done = 0  # builds that are over
        self.seconds = 0.0
        self.failed = 0
        self.crew: dict[str, int] = {}  # addresses of the functions of `runmat_native.crew`
        self._joins = False
        self._left = PATIENCE
        self._found: dict[str, Build] = {}
        self._queue: deque[Build | None] = deque()  # None: the crew's functions
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._streaming = threading.Lock()
        self._broken = False

    def of(self, text: str, draws: tuple[str, ...] = ()) -> Build:
        """Return the build of a text, the same each time."""
        build = self._found.get(text)
        if build is None:
            build = self._found[text] = Build(text, draws=draws)
            if self.eager:
                build.asked = True
                self._make(build)
        return build

    def spend(self, build: Build, seconds: float) -> None:
        """Count what NumPy took in place of a build; ask for its code when that pays."""
        self._left -= seconds
        build.spent += seconds
        if build.over or build.asked or self._left > 0:
            return
        if build.spent >= (COMPILE if build.missed else LOOK):
            build.asked = True
            self._ask(build)

    def pays(self, seconds: float) -> bool:
        """Whether a kernel that took so long so far is worth its code."""
        return self.eager or (self._left <= 0 and seconds >= COMPILE)

    def count(self, seconds: float) -> None:
        """Count what kernels took that have no build of their own."""
        self._left -= seconds

    def want(self, build: Build) -> None:
        """Ask for the code of a kernel that is worth it."""
        if not build.asked and not build.over:
            build.spent, build.asked = COMPILE, True
            self._ask(build)

    def hurry(self, build: Build) -> None:
        """Ask for the code of a launch that is under way and takes long."""
        if not build.asked and not build.over:
            build.spent += COMPILE
            build.asked = True
            self._ask(build, first=True)

    def close(self) -> None:
        """Forget what waits; what is being compiled ends by itself."""
        with self._lock:
            self._queue.clear()

    def wait(self) -> None:
        """Wait until nothing is being compiled."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _ask(self, build: Build | None, first: bool = False) -> None:
        with self._lock:
            (self._queue.appendleft if first else self._queue.append)(build)
            if self._thread is None:
                # waited for at the end of the process, which must not find it compiling
                self._thread = threading.Thread(
                    target=self._serve, name="runmat-compiles", daemon=False
                )
                self._thread.start()

    def _serve(self) -> None:
        while True:
            with self._lock:
                if not self._queue or not threading.main_thread().is_alive():
                    self._thread = None
                    return
                build = self._queue.popleft()
            if build is None:
                self._make_crew()
                continue
            self._make(build)
            self.done += build.over

    def _make(self, build: Build) -> None:
        """Load code from disk, or compile it where that pays."""
        if self._broken:
            build.over = True
            return
        try:
            MACHINE.start()
        except CompileError as problem:
            self._broken = build.over = True
            notice(str(problem))
            return
        try:
            code = self._code(build.text, self.eager or build.spent >= COMPILE)
            if code is None:
                build.missed, build.asked = True, False
                return
            if build.draws:
                self.stream(build.draws)
            build.run = as_run(MACHINE.load(code)["run"])
        except CompileError as problem:
            self.failed += 1
            notice(str(problem))
        build.over = True

    def _code(self, text: str, compile: bool) -> bytes | None:
        """Return the object code of a text; None where it is not on disk and not to be compiled."""
        key = hashlib.sha256(f"{PASSES} {MACHINE.identity}\n{text}".encode())
        name = key.hexdigest()
        code = self.objects.load(name)
        if code is None and compile:
            started = time.perf_counter()
            code = MACHINE.compile(text)
            self.compiled += 1
            self.seconds += time.perf_counter() - started
            self.objects.store(name, code)
        return code

    def join(self) -> None:
        """Ask for the functions by which threads share launches."""
        if self._joins:
            return
        self._joins = True
        if self.eager:
            self._make_crew()
        else:
            self._ask(None)

    def _make_crew(self) -> None:
        from runmat_native import crew

        try:
            code = self._code(crew.module(), True)
            assert code is not None
            self.crew.update(MACHINE.load(code, crew.NAMES))
        except CompileError as problem:
            self.failed += 1
            notice(str(problem))

    def stream(self, names: Iterable[str]) -> None:
        """Make functions of the random stream.

        Raises:
            CompileError: they cannot be had.
        """
        from runmat_native import stream
        from runmat_native.stream import STREAM

        with self._streaming:
            for name in names:
                if name in STREAM.addresses:
                    continue
                if not STREAM.supports(name):
                    raise CompileError("this NumPy does not hand out its loops")
                MACHINE.start()
                code = self._code(stream.module(name), True)
                assert code is not None
                STREAM.addresses[name] = MACHINE.load(code, (name,))[name]

    def offer_stream(self) -> None:
        """Let the in-process provider's kernels draw by them, too, when much is drawn."""

        def ready(name: str) -> Callable[[], Any]:
            def load() -> Any:
                from runmat_native.stream import BY_NUMPY, STREAM

                try:
                    self.stream(BY_NUMPY[name])
                except CompileError as problem:
                    raise ImportError(str(problem)) from problem
                return getattr(STREAM, name)()

            return load

        philox.offer("llvm", ready("words"), ready("direct"))


_told: set[str] = set()


def notice(text: str) -> None:
    """Say once that NumPy takes over, in one line."""
    line = " ".join(text.split())
    if line not in _told:
        _told.add(line)
        sys.stderr.write(f"runmat-native: {line[:300]}; NumPy computes instead.\n")
