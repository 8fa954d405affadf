"""The programs themselves in GNU Octave, a process of its own that waits for requests.

A run is timed from the request to its answer, as for the others: the pipe takes microseconds.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

from runmat_bench import machine
from runmat_bench.cases import PROGRAMS
from runmat_bench.implementations import Metric, Options, Run, metrics

OWN = PROGRAMS / "octave"


class Octave:
    """A running interpreter; end of input ends it."""

    warms = False

    def __init__(self) -> None:
        program = shutil.which("octave-cli") or shutil.which("octave") or "octave-cli"
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
        found = re.search(r"\d+\.\d+\.\d+", told.stdout)
        self.version = found.group() if found else "unknown"
        self.process = subprocess.Popen(
            [program, "--norc", "--no-gui", "--quiet", str(OWN / "serve.m")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        # the programs written for Octave hide the others
        self.ask(f"addpath('{PROGRAMS}'); addpath('{OWN}');")

    def ask(self, request: str) -> str:
        """Run statements; what they printed.

        Raises:
            RuntimeError: they failed, with Octave's message, or Octave is gone.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        # Octave looks at the character after a line before it gives the line out
        self.process.stdin.write(request + "\n\n")
        self.process.stdin.flush()
        printed: list[str] = []
        for line in self.process.stdout:
            if line.startswith("DONE "):
                return "".join(printed)
            if line.startswith("FAILED "):
                raise RuntimeError(line.removeprefix("FAILED ").strip())
            printed.append(line)
        raise RuntimeError("Octave ended: " + "".join(printed)[-500:])

    def describe(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "device": machine.processor(),
            "threads": machine.threads(),
        }

    def prepare(self, case: str, parameters: Mapping[str, Any]) -> Run:
        self.ask("clear -x request_ started_; " + assignments(parameters))

        def run() -> Metric:
            return metrics(self.ask(f"rand('twister', 0); randn('twister', 0); {case};"))

        return run

    def counts(self, run: Run) -> dict[str, Any]:
        return {}


def assignments(parameters: Mapping[str, Any]) -> str:
    """Statements that set the parameters, for a program in MATLAB syntax."""
    return " ".join(
        f"{name} = '{value}';" if isinstance(value, str) else f"{name} = {value};"
        for name, value in parameters.items()
    )


def load(variant: str, options: Options) -> Octave:
    return Octave()
