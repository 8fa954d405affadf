"""The libraries that run the programs, each imported by its own process alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from benchmarks.arrays.cases import Case

Run = Callable[[], list[float]]
SIDES = ("runmat", "runmat-none", "numpy", "torch", "torch-compile", "jax")


class Side(Protocol):
    """A library that is ready to run programs."""

    def describe(self) -> str:
        """Return version and device."""
        ...

    def prepare(self, case: Case, profile: str, cls: str) -> Run:
        """Return what runs the program once and brings its numbers to the host."""
        ...

    def counts(self, run: Run) -> dict[str, int]:
        """Run once more and return what was counted."""
        ...


class Runmat:
    """A session for each program; `provider` empty: as configured."""

    def __init__(self, provider: str = "") -> None:
        from runmat_core.session import config

        self.config = config.load()
        if provider:
            self.config = self.config.replace(accel__provider=provider)
        self.session: Any = None

    def describe(self) -> str:
        from runmat_core import Session, __version__

        session = Session(config=self.config)
        session.run("y = sum(sum(exp(rand(2000, 2000, 'single'))));")
        session["y"]  # starts the provider
        known = {} if session.telemetry is None else session.telemetry.as_dict()["providers"]
        session.close()
        devices = [str(each["device"]) for each in known.values()]
        return f"runmat {__version__} on {', '.join(devices) or 'host rules'}"

    def prepare(self, case: Case, profile: str, cls: str) -> Run:
        from runmat_core import Session

        if self.session is not None:
            self.session.close()
        self.session = session = Session(config=self.config, cwd=str(case.folder))
        n, steps = case.sizes[profile]
        text = f"r = {case.name}({n}, {steps}, '{cls}');"

        def run() -> list[float]:
            session.run(text)
            return [float(one) for one in np.ravel(np.asarray(session["r"]))]

        return run

    def counts(self, run: Run) -> dict[str, int]:
        telemetry = self.session.telemetry
        if telemetry is None:
            return {}
        telemetry.clear()
        before = telemetry.totals()
        run()
        after = telemetry.totals()
        telemetry.stop()
        names = ("runs", "kernels", "calls", "by_rules", "upload_bytes", "download_bytes")
        return {name: after[name] - before.get(name, 0) for name in names if name in after}


class Peer:
    """Base of the libraries written for Python."""

    def counts(self, run: Run) -> dict[str, int]:
        return {}


class NumPy(Peer):
    def describe(self) -> str:
        return f"NumPy {np.__version__}"

    def prepare(self, case: Case, profile: str, cls: str) -> Run:
        dtype = np.float32 if cls == "single" else np.float64
        run = case.twins().with_numpy(np, *case.sizes[profile], dtype)
        return lambda: [float(one) for one in run()]


class Torch(Peer):
    """PyTorch, on the GPU where there is one; `compiled`: the step through ``torch.compile``."""

    def __init__(self, compiled: bool) -> None:
        import torch

        torch.set_float32_matmul_precision("highest")
        self.torch: Any = torch
        self.wrap = torch.compile if compiled else lambda function: function
        self.device = "cuda" if torch.cuda.is_available() else "cpu"

    def describe(self) -> str:
        self.torch.ones(1, device=self.device).sum().item()
        on = self.torch.cuda.get_device_name(0) if self.device == "cuda" else "cpu"
        return f"PyTorch {self.torch.__version__} on {on}"

    def prepare(self, case: Case, profile: str, cls: str) -> Run:
        dtype = self.torch.float32 if cls == "single" else self.torch.float64
        sizes = case.sizes[profile]
        run = case.twins().with_torch(self.torch, *sizes, dtype, self.device, self.wrap)
        return lambda: run().tolist()


class Jax(Peer):
    """JAX, programs jitted as a whole."""

    def __init__(self) -> None:
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax

        jax.config.update("jax_default_matmul_precision", "highest")
        self.jax: Any = jax

    def describe(self) -> str:
        self.jax.numpy.ones(1).sum().item()
        return f"JAX {self.jax.__version__} on {self.jax.devices()[0].device_kind}"

    def prepare(self, case: Case, profile: str, cls: str) -> Run:
        self.jax.config.update("jax_enable_x64", cls == "double")
        dtype = self.jax.numpy.float32 if cls == "single" else self.jax.numpy.float64
        run = case.twins().with_jax(self.jax, *case.sizes[profile], dtype)
        return lambda: [float(one) for one in self.jax.device_get(run())]


def make(name: str) -> Side:
    """Return the library of this name.

    Raises:
        ImportError: it is not installed.
    """
    makers: dict[str, Callable[[], Side]] = {
        "runmat": Runmat,
        "runmat-none": lambda: Runmat("none"),
        "numpy": NumPy,
        "torch": lambda: Torch(compiled=False),
        "torch-compile": lambda: Torch(compiled=True),
        "jax": Jax,
    }
    return makers[name]()
