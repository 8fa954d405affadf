"""The provider: memory of a PyTorch device, and the tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

import numpy as np
import torch

from runmat_core.api.array_provider import ArrayProvider
from runmat_core.api.device import NoDevice
from runmat_core.api.ir import LibraryCall
from runmat_torch.calls import CALLS, MATRICES
from runmat_torch.tables import COMPLEX_OPS, OPS, REDUCERS, SCANS, TYPES, cast


class TorchProvider(ArrayProvider):
    """Arrays are flat tensors on one device: CUDA where there is some, else the CPU."""

    dtypes: Collection[str] = ("bool", "i8", "i16", "i32", "i64", "u8", "f32", "f64", "c64", "c128")
    kind = "device"
    ops = OPS
    complex_ops = COMPLEX_OPS
    casts = ("bool", "i8", "i16", "i32", "i64", "u8", "f32", "f64")
    reducers = REDUCERS
    scans = SCANS
    calls = CALLS
    matrices = MATRICES
    options: ClassVar = {"device": ""}
    preference = -1  # only where the configuration names it: importing PyTorch takes seconds
    backwards = False
    full = (MemoryError, torch.cuda.OutOfMemoryError)
    unfit = (torch.linalg.LinAlgError,)

    def start(self) -> None:
        name = self.settings["device"] or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            self.device = torch.device(name)
            torch.empty(1, device=self.device)
        except (RuntimeError, AssertionError, ValueError) as problem:
            first = str(problem).partition("\n")[0]
            raise NoDevice(f"PyTorch {torch.__version__} has no device '{name}': {first}") from None
        self.driver = f"torch {torch.__version__}, CUDA {torch.version.cuda}"
        self.title = f"PyTorch on the {self.device.type.upper()}"
        self.software = self.device.type == "cpu"
        if self.device.type == "cuda":
            self.title = f"PyTorch on {torch.cuda.get_device_name(self.device)}"
            self.scans = {}  # running sums of CUDA differ from run to run
            self.memory_bytes = torch.cuda.get_device_properties(self.device).total_memory
        if self.device.type == "mps":
            self.dtypes = [t for t in self.dtypes if t not in ("f64", "c64", "c128")]

    def takes(self, call: LibraryCall) -> bool:
        """Leave to the core what PyTorch has not: epilogues, centring, complex matrices."""
        moves = call.name in ("fft", "scatter", "expand", "compact")
        fits = moves or not {"c64", "c128"} & set(call.dtypes)
        return super().takes(call) and fits and not call.attribute("centre")

    # -- memory ---------------------------------------------------------------------------------

    def empty(self, size: int, dtype: np.dtype[Any]) -> Any:
        return torch.empty(size, dtype=getattr(torch, str(dtype)), device=self.device)

    def put(self, host: Any) -> Any:
        return torch.from_numpy(np.array(host)).to(self.device)

    def get(self, memory: Any) -> Any:
        return (memory.clone() if self.device.type == "cpu" else memory.cpu()).numpy()

    def strided(
        self, memory: Any, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]
    ) -> Any:
        return torch.as_strided(memory, shape, strides, offset)

    def scalar(self, value: Any, dtype: str) -> Any:
        if dtype == "u32":  # the words of a draw stay numbers: no device has to be waited for
            return value
        return torch.full((), value, dtype=TYPES[dtype], device=self.device)

    def convert(self, value: Any, dtype: str) -> Any:
        return cast(value, dtype)

    def spread(self, value: Any, shape: tuple[int, ...]) -> Any:
        return value.expand(shape)

    def join(self, parts: Sequence[Any], axis: int) -> Any:
        return torch.cat(tuple(parts), axis)

    def count(self, size: int) -> Any:
        return torch.arange(size, device=self.device)

    def raise_bit(self, status: Any, condition: Any, bit: int) -> None:
        status.view(torch.int32).bitwise_or_(condition.any().to(torch.int32) << bit)

    def wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
