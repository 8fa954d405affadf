"""Threads for what C does without Python: drivers take tens of milliseconds to compile a shader.

Whoever needs a result that no thread has begun on computes it, and others while it waits, so few
threads hold nothing up. A thread ends as soon as nothing is left to begin.
"""

from __future__ import annotations

import math
import os
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Any

#: The most threads.
MOST = 8


class Job:
    """Work that any thread may do.

    Attributes:
        until: when to begin on it no more unless somebody waits for it.
        begun: whether one does it, or has done it.
        done: set when it is over.
        result, problem: what came of it.
    """

    __slots__ = ("begun", "done", "problem", "result", "until", "work")

    def __init__(self, work: Callable[[], Any], until: float) -> None:
        self.work: Callable[[], Any] | None = work
        self.until = until
        self.begun = False
        self.done = threading.Event()
        self.result: Any = None
        self.problem: BaseException | None = None

    def run(self) -> None:
        """Do the work."""
        assert self.work is not None
        try:
            self.result = self.work()
        except BaseException as problem:
            self.problem = problem
        finally:
            self.work = None
            self.done.set()


class Workers:
    """Does jobs in the order in which they were handed in, those last that nobody waits for.

    Args:
        most: how many threads there may be.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = min(MOST, (os.cpu_count() or 1) - 1) if most is None else most
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._idle: deque[Job] = deque()
        self._threads: set[threading.Thread] = set()
        self._busy = 0  # of the threads
        self._closed = False

    def begin(self, work: Callable[[], Any], until: float | None = None) -> Job:
        """Hand in a job that somebody will wait for.

        Args:
            until: given where nobody may: when it is worth while no more, by the monotonic clock.
        """
        job = Job(work, math.inf if until is None else until)
        with self._lock:
            (self._waiting if until is None else self._idle).append(job)
            # who waits does one of them
            wanted = max(len(self._waiting) - 1, 0) + len(self._idle)
            threads = len(self._threads)
            if not self._closed and threads < min(wanted + self._busy, self._most):
                # waited for at the end of the process, which must not find it compiling
                thread = threading.Thread(target=self._run, name="runmat-shaders")
                self._threads.add(thread)
                thread.start()
        return job

    def finish(self, job: Job) -> Any:
        """Return the result of a job; until it is there, do others that are waited for."""
        with self._lock:
            other, job.begun = None if job.begun else job, True
        while other is not None or not job.done.is_set():
            if other is not None:
                other.run()
            with self._lock:
                other = None if job.done.is_set() else self._first(self._waiting)
            if other is None:
                job.done.wait()
        if job.problem is not None:
            raise job.problem
        return job.result

    def close(self) -> None:
        """Begin on no more jobs; return when those that threads do are over."""
        with self._lock:
            self._closed = True
            threads = tuple(self._threads)
        for thread in threads:
            thread.join()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            job.run()
            with self._lock:
                self._busy -= 1

    def _next(self) -> Job | None:
        """Return a job that nobody has begun on; None where the thread is to end."""
        with self._lock:
            if not self._closed and threading.main_thread().is_alive():
                job = self._first(self._waiting) or self._first(self._idle)
                if job is not None:
                    self._busy += 1
                    return job
            self._threads.discard(threading.current_thread())
        return None

    @staticmethod
    def _first(jobs: deque[Job]) -> Job | None:
        """Take the first job that nobody has begun on."""
        while jobs:
            job = jobs.popleft()
            if not job.begun and monotonic() < job.until:
                job.begun = True
                return job
        return None
