"""Threads that share the blocks of a launch.

NumPy lets go of the interpreter lock inside a ufunc, so threads run blocks at the same time if
blocks are large: at 64k elements and more the lock is held a small part of the time.
"""

from __future__ import annotations

import itertools
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api import threads

#: While blocks run, a thread that waits for the interpreter lock asks for it after this many
#: seconds (Python's 5 ms are as long as dozens of blocks).
SWITCH_INTERVAL = 5e-5


LINE = 64


class _Switching:
    """Sets the interval while any pool of the process runs, and then what it was before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._before = 0.0

    def __enter__(self) -> None:
        with self._lock:
            if self._running == 0:
                self._before = sys.getswitchinterval()
                sys.setswitchinterval(min(self._before, SWITCH_INTERVAL))
            self._running += 1

    def __exit__(self, *problem: object) -> None:
        with self._lock:
            self._running -= 1
            if self._running == 0:
                sys.setswitchinterval(self._before)


_switching = _Switching()


class Worker:
    """What belongs to one thread: memory for blocks, and the status bits that it set.

    Attributes:
        number: 0 for the thread that calls.
        status: bits of guards, gathered when a launch ends.
    """

    def __init__(self, number: int, slab_bytes: int) -> None:
        self.number = number
        self.status = 0
        self._slab_bytes = slab_bytes
        self._slabs: list[np.ndarray[Any, Any]] = []

    def slab(self, number: int, nbytes: int) -> np.ndarray[Any, Any]:
        """Bytes for the register called `number`, shared by all kernels that this thread runs.

        What does not fit a slab is memory of its own, which goes with its user.
        """
        if nbytes > self._slab_bytes:
            return _aligned(nbytes)
        while len(self._slabs) <= number:
            self._slabs.append(_aligned(self._slab_bytes))
        return self._slabs[number][:nbytes]


def _aligned(nbytes: int) -> np.ndarray[Any, Any]:
    """Memory that starts at a cache line."""
    memory = np.empty(nbytes + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start : start + nbytes]


class _Job:
    """Tasks numbered from zero, which threads take until none is left."""

    def __init__(self, count: int, task: Callable[[Worker, int], None]) -> None:
        self.count = count
        self.task = task
        self.take = itertools.count().__next__  # one bytecode: threads never get the same number
        self.failure: BaseException | None = None
        self._lock = threading.Lock()
        self._busy = 0
        self._closed = False
        self._done = threading.Lock()
        self._done.acquire()

    def work(self, worker: Worker) -> None:
        try:
            while self.failure is None and (number := self.take()) < self.count:
                self.task(worker, number)
        except BaseException as problem:
            self.failure = problem

    def help(self, worker: Worker) -> None:
        """Take part, unless everything was taken before this thread woke up."""
        with self._lock:
            if self._closed:
                return
            self._busy += 1
        self.work(worker)
        with self._lock:
            self._busy -= 1
            if self._closed and not self._busy:
                self._done.release()

    def finish(self) -> None:
        """Wait for those who take part; who comes later has nothing to do.

        Waking up takes as long as a short task, and many times that where something else, such as
        the idle thread of a BLAS, keeps the core busy.
        """
        with self._lock:
            self._closed = True
            busy = self._busy
        if busy:
            self._done.acquire()
        self.task = _nothing  # who wakes up late keeps no array alive


def _nothing(worker: Worker, number: int) -> None:
    """Finish a job that is done."""


class Pool:
    """Runs numbered tasks on the calling thread and up to ``threads - 1`` others.

    Threads start with the first job that has work for them, and end with `close`.
    """

    def __init__(self, threads: int, slab_bytes: int) -> None:
        self.workers = [Worker(k, slab_bytes) for k in range(max(threads, 1))]
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._process = os.getpid()

    def run(self, count: int, task: Callable[[Worker, int], None]) -> None:
        """Call ``task(worker, number)`` once for each number below `count`, in any order.

        Raises:
            Exception: the first one that a task raised; tasks not yet taken are left out.
        """
        helpers = min(len(self.workers), count, threads.limit()) - 1
        if helpers < 1:
            for number in range(count):
                task(self.workers[0], number)
            return
        self._start()
        job = _Job(count, task)
        with _switching:
            for _ in range(helpers):
                self._jobs.put(job)
            job.work(self.workers[0])
            job.finish()
        if job.failure is not None:
            raise job.failure

    def close(self) -> None:
        """End the threads."""
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def take_status(self) -> int:
        """Return the bits that guards set since the last call."""
        bits = 0
        for worker in self.workers:
            bits |= worker.status
            worker.status = 0
        return bits

    def _start(self) -> None:
        if self._process != os.getpid():  # a fork has the list of threads, but not the threads
            self._process = os.getpid()
            self._threads.clear()
            self._jobs = queue.SimpleQueue()
        if not self._threads:
            for worker in self.workers[1:]:
                thread = threading.Thread(
                    target=self._serve, args=(worker,), name=f"runmat-{worker.number}", daemon=True
                )
                thread.start()
                self._threads.append(thread)

    def _serve(self, worker: Worker) -> None:
        # as in the thread that calls: kernels tell of their domain by guards, not by warnings
        with np.errstate(all="ignore"):
            while (job := self._jobs.get()) is not None:
                job.help(worker)
                del job  # what its tasks hold is not to live on while this thread waits
