"""How many threads a process computes with: one number, which all that start threads ask for.

The threads of a BLAS wait for each other by spinning, dozens of times in each step of an
eigenvalue problem. Where there are more of them than cores at hand, each such wait lasts until the
scheduler takes the turn of another one, which makes a problem of a tenth of a second take several.
So the number of cores that this process may use, not those of the machine, limits every BLAS that
is loaded; and while a program runs, a BLAS has one thread, except for products and factorizations
that take milliseconds (`by_work`). Those of a tenth of a millisecond take twenty where a thread
that they wait for does not have a core of its own, and what threads save there is next to nothing.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from math import ceil

#: Extension modules that are linked with a BLAS; symbols are looked for in what they are linked to.
_LINKED = (
    "numpy._core._multiarray_umath",
    "numpy.core._multiarray_umath",
    "scipy.linalg._fblas",
    "scipy.linalg._flapack",
)
#: Pairs of functions that read and set a number of threads.
_NAMES = (
    ("scipy_openblas_get_num_threads64_", "scipy_openblas_set_num_threads64_"),
    ("scipy_openblas_get_num_threads", "scipy_openblas_set_num_threads"),
    ("openblas_get_num_threads64_", "openblas_set_num_threads64_"),
    ("openblas_get_num_threads", "openblas_set_num_threads"),
    ("MKL_Get_Max_Threads", "MKL_Set_Num_Threads"),
)

#: The quota of the control group that this process is in, on Linux.
_QUOTA = "/sys/fs/cgroup/cpu.max"
#: Orders of matrices between which what is mostly short steps runs on one thread.
_SMALLEST, _LARGEST = 48, 1024
#: Multiplications from which a product or a factorization is worth several threads: on one it takes
#: 2 to 3 ms.
MUCH = 1 << 26


@cache
def available() -> int:
    """Threads that this process may run at the same time, by its affinity and its quota."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    return max(1, min(count, _quota() or count))


def _quota() -> int | None:
    """Cores' worth of time that the control group of a container has, where that is limited."""
    try:
        with open(_QUOTA, encoding="ascii") as file:
            share, period = file.read().split()
    except (OSError, ValueError):
        return None
    return None if share == "max" else ceil(int(share) / int(period))


class _Library:
    """A loaded BLAS whose number of threads can be set."""

    def __init__(self, name: str, read: Callable[[], int], write: Callable[[int], None]) -> None:
        self.name = name
        self.read = read
        self.write = write
        #: as it was loaded: what the environment asks for is never exceeded
        self.most = read()


class _Owner:
    """The limit, and the libraries that it holds for."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.limit: int | None = None
        self.held: list[int] = []
        #: programs that run, and what several threads are at work on
        self.programs = 0
        self.shared = 0
        #: calls that go on after an interrupt: the number of threads must not change under them
        self.left = 0
        self.libraries: list[_Library] = []
        #: modules that were not loaded yet, or not looked at
        self.unseen = list(_LINKED)

    def found(self) -> list[_Library]:
        """Return the libraries that are loaded by now."""
        for name in self.unseen:
            if name in sys.modules:
                self._look()
                break
        return self.libraries

    def _look(self) -> None:
        for name in tuple(self.unseen):
            if (module := sys.modules.get(name)) is not None:
                self.unseen.remove(name)
                library = _library(name, str(module.__file__))
                if library is not None:
                    self.libraries.append(library)
                    if not self.left:
                        library.write(self.wanted(library))

    def wanted(self, library: _Library) -> int:
        if self.programs and not self.shared:
            return 1
        return min(library.most, self.limit or available(), *self.held)

    def settle(self) -> None:
        alone = self.programs and not self.shared
        for library in self.found():
            if not self.left:
                library.write(1 if alone else self.wanted(library))


def _library(name: str, path: str) -> _Library | None:
    try:
        linked = ctypes.CDLL(path)
    except OSError:
        return None
    for getter, setter in _NAMES:
        read, write = getattr(linked, getter, None), getattr(linked, setter, None)
        if read is not None and write is not None:
            read.argtypes, read.restype = [], ctypes.c_int
            write.argtypes, write.restype = [ctypes.c_int], None
            return _Library(name, read, write)
    return None


_owner = _Owner()


def limit() -> int:
    """Threads that a computation may take."""
    return _owner.limit or available()


def limit_to(count: int | None) -> int:
    """Limit computations of this process to `count` threads, None for all; the limit before."""
    with _owner.lock:
        before = limit()
        _owner.limit = None if count is None else max(1, min(count, available()))
        _owner.settle()
    return before


def blas_threads() -> dict[str, int]:
    """How many threads each BLAS takes now, by the module that is linked with it."""
    with _owner.lock:
        return {library.name: library.read() for library in _owner.found()}


def settle() -> None:
    """Hold every BLAS that is loaded by now to the limit."""
    with _owner.lock:
        _owner.settle()


@contextmanager
def blas_limited(count: int) -> Iterator[None]:
    """Let every BLAS of the process take `count` threads at most while the block runs."""
    with _owner.lock:
        _owner.held.append(count)
        _owner.settle()
    try:
        yield
    finally:
        with _owner.lock:
            _owner.held.remove(count)
            _owner.settle()


class program:  # noqa: N801 - a context, made by its name
    """Keep every BLAS of the process to one thread while a program runs, but for much work."""

    __slots__ = ()

    def __enter__(self) -> None:
        with _owner.lock:
            _owner.programs += 1
            _owner.settle()

    def __exit__(self, *problem: object) -> None:
        with _owner.lock:
            _owner.programs -= 1
            _owner.settle()


@contextmanager
def _sharing() -> Iterator[None]:
    with _owner.lock:
        _owner.shared += 1
        _owner.settle()
    try:
        yield
    finally:
        with _owner.lock:
            _owner.shared -= 1
            _owner.settle()


def leave() -> None:
    """Let a BLAS keep its threads until `returned`: a call goes on that nobody waits for."""
    with _owner.lock:
        _owner.left += 1


def returned() -> None:
    """Note that such a call has ended."""
    with _owner.lock:
        _owner.left -= 1
        _owner.settle()


def left() -> bool:
    """Return whether calls go on that nobody waits for."""
    return _owner.left > 0


_ALONE = nullcontext()


def by_work(multiplications: float) -> AbstractContextManager[None]:
    """For a block that is a product or a factorization of so many multiplications."""
    return _sharing() if multiplications >= MUCH and _owner.programs else _ALONE


def by_steps(order: int) -> AbstractContextManager[None]:
    """For a block that works on a matrix of this order in many short steps, as eigenvalues are.

    Small ones are never shared out, and large ones have enough to share.
    """
    if order <= _SMALLEST:
        return _ALONE
    return blas_limited(1) if order <= _LARGEST else by_work(float(order) ** 3)
