"""Processes that the benchmark starts: workers that answer jobs, and whole runs, start to exit."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from runmat_bench import machine
from runmat_bench.implementations import Options


class WorkerGoneError(Exception):
    """The worker ended or did not answer in time.

    Attributes:
        status: ``error`` or ``timeout``.
    """

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


def environment(threads: int) -> dict[str, str]:
    """Of every process that is measured; `threads` 0 leaves the libraries their own choice."""
    found = dict(os.environ)
    found["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    if threads:
        found.update(dict.fromkeys(machine.THREAD_VARIABLES, str(threads)))
        found["RUNMAT_ACCEL_INPROCESS_THREADS"] = str(threads)
    return found


class Worker:
    """A process that runs one implementation.

    Args:
        name: of the implementation.
        patience: seconds that it has to start.
    """

    def __init__(
        self, name: str, options: Options, threads: int = 0, patience: float = 120
    ) -> None:
        # its words are read only when it fails; a pipe could fill up
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed with the worker
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "runmat_bench.worker",
                name,
                options.device,
                json.dumps(dict(options.settings)),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment(threads),
            text=True,
            start_new_session=True,  # so that its children end with it
        )
        self._answers: queue.Queue[str] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            told = self._answer(patience)
            if "error" in told:
                raise WorkerGoneError("error", told["error"])
        except WorkerGoneError:
            self.close()
            raise

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put("")

    def ask(self, job: Mapping[str, Any], patience: float) -> dict[str, Any]:
        """The answer to a job.

        Raises:
            WorkerGoneError: it died, or took longer than `patience` seconds and was ended.
        """
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # the answers then hold its end
            self._process.stdin.write(json.dumps(job) + "\n")
            self._process.stdin.flush()
        return self._answer(patience)

    def _answer(self, patience: float) -> dict[str, Any]:
        try:
            line = self._answers.get(timeout=patience)
        except queue.Empty:
            self._kill()
            raise WorkerGoneError("timeout", f"no answer within {patience:.0f} s") from None
        if not line:
            code = self._process.wait()
            raise WorkerGoneError("error", f"the process ended with {code}: {self._last_words()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _last_words(self) -> str:
        self._errors.seek(0)
        return self._errors.read()[-500:].strip()

    def close(self) -> None:
        """End it; its children end with their input."""
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            self._process.wait(10)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            self._kill()
        self._errors.close()
        self._listener.join(10)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _kill(self) -> None:
        """End it at once, with the processes that it started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def whole(
    command: Sequence[str],
    threads: int,
    patience: float,
    variables: Mapping[str, str],
    folder: Path | None = None,
) -> tuple[float, str]:
    """Seconds from the start of a process to its exit, and what it printed.

    Args:
        variables: of its environment, besides those of every process.
        folder: that it runs in; None is this process's.

    Raises:
        WorkerGoneError: it failed, or took too long.
    """
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env={**environment(threads), **variables},
            cwd=folder,
            timeout=patience,
        )
    except subprocess.TimeoutExpired:
        raise WorkerGoneError("timeout", f"no exit within {patience:.0f} s") from None
    seconds = time.perf_counter() - start
    if done.returncode:
        raise WorkerGoneError("error", f"exit code {done.returncode}: {done.stderr[-500:].strip()}")
    return seconds, done.stdout
