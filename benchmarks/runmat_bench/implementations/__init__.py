"""What is measured: runmat through its providers, and the libraries that people use instead.

Each module holds the seven cases as somebody who knows the library writes them, the algorithm and
the precision being those of the `.m` program. A module is imported in the process that measures it
and nowhere else.
"""

from __future__ import annotations

import importlib
import importlib.util
import shutil
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs

Metric = tuple[float, ...]
#: Runs a case once and returns its metrics, read back from wherever they were computed.
Run = Callable[[], Metric]


@attrs.frozen
class Options:
    """What a user chooses for the implementations.

    Attributes:
        device: of PyTorch and JAX: ``auto`` is the GPU where there is one, ``cpu`` the processor.
        settings: keys of runmat's configuration.
    """

    device: str = "auto"
    settings: Mapping[str, str] = attrs.Factory(dict)


class Implementation(Protocol):
    """One way to run the cases.

    Attributes:
        warms: whether a first run does more than those after it, such as compiling.
    """

    warms: bool

    def describe(self) -> dict[str, Any]:
        """Where and with what it runs: ``version``, ``device``, ``driver``, ``threads``."""

    def prepare(self, case: str, parameters: Mapping[str, Any]) -> Run:
        """A run of the case; what was prepared before is given back."""

    def counts(self, run: Run) -> dict[str, Any]:
        """What one more run does, as fields of `records.Counts`; not part of any timing."""


@attrs.frozen
class Known:
    """An implementation by name.

    Attributes:
        loader: ``module:function``, called with the name's second part and the options.
        needs: the Python module, or programs any of which will do, that must be there.
        package: how to get it.
    """

    loader: str
    needs: str | tuple[str, ...]
    package: str


_HERE = "runmat_bench.implementations"
KNOWN: Mapping[str, Known] = {
    "numpy": Known(f"{_HERE}.numpy_cases:load", "numpy", "pip install numpy"),
    "torch": Known(f"{_HERE}.torch_cases:load", "torch", "pip install torch"),
    "jax": Known(f"{_HERE}.jax_cases:load", "jax", "pip install jax"),
    "octave": Known(
        f"{_HERE}.octave:load", ("octave-cli", "octave"), "install GNU Octave (octave.org)"
    ),
    "runmat": Known(f"{_HERE}.runmat:load", "runmat_core", "pip install runmat-core"),
}
#: What runs unless something else is asked for.
USUAL = ("numpy", "octave", "torch", "torch-compile", "jax", "runmat")
NAMES_TOLD = (*USUAL, "jax-rbg", "runmat-PROVIDER")


def known(name: str) -> Known:
    """What is known of an implementation: ``torch-compile`` is ``torch`` in another variant.

    Raises:
        KeyError: no such implementation.
    """
    family, _, variant = name.partition("-")
    allowed = {"torch": ("", "compile"), "jax": ("", "rbg")}.get(family, ("",))
    if family not in KNOWN or (family != "runmat" and variant not in allowed):
        raise KeyError(f"no implementation {name}; there are {', '.join(NAMES_TOLD)}")
    return KNOWN[family]


def missing(name: str) -> str:
    """How to get an implementation that is not installed; empty where it is."""
    entry = known(name)
    if isinstance(entry.needs, tuple):
        there = any(shutil.which(program) for program in entry.needs)
    else:
        there = importlib.util.find_spec(entry.needs) is not None
    return "" if there else entry.package


def make(name: str, options: Options) -> Implementation:
    """Start an implementation in this process."""
    module, _, function = known(name).loader.partition(":")
    made: Implementation = getattr(importlib.import_module(module), function)(
        name.partition("-")[2], options
    )
    return made


def variables(settings: Mapping[str, str], provider: str = "") -> dict[str, str]:
    """Environment variables that give runmat's configuration these settings."""
    chosen = {**settings, **({"accel.provider": provider} if provider else {})}
    return {"RUNMAT_" + key.upper().replace(".", "_"): value for key, value in chosen.items()}


def metrics(text: str) -> Metric:
    """The numbers of a program's RESULT line.

    Raises:
        RuntimeError: it printed none.
    """
    for line in text.splitlines():
        if line.startswith("RESULT "):
            return tuple(float(word) for word in line.split()[1:])
    raise RuntimeError(f"no RESULT line in: {text[-2000:]!r}")
