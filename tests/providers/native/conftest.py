"""The native provider, beside the in-process one whose bits it must give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from runmat_native import NativeProvider
from runmat_native.kernels import NativeKernel

from runmat_core.api.device import StartRequest
from tests.providers.inprocess import conftest as plain

Array = np.ndarray[Any, Any]
new_device = plain.new_device


class Native(plain.Device):
    """The native provider, which compiles a kernel before its first launch."""

    def __init__(self, folder: str = "", **options: int) -> None:
        self.provider = NativeProvider()
        start = StartRequest(
            name="here", options=tuple({"eager": 1, **options}.items()), cache_folder=folder
        )
        told = self.provider.capabilities(start)
        assert told is not None
        self.capabilities = told
        self.ran: list[NativeKernel] = []


@pytest.fixture
def new_native() -> Iterator[Callable[..., Native]]:
    made: list[Native] = []

    def make(folder: str = "", **options: int) -> Native:
        made.append(Native(folder, **options))
        return made[-1]

    yield make
    for device in made:
        device.provider.close()


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How many launches ran as machine code, and how many did not."""
    counts = {"native": 0, "numpy": 0}
    run = NativeKernel.run

    def counted(self: NativeKernel, *arguments: Any) -> Any:
        before = self.native
        told = run(self, *arguments)
        counts["native" if self.native > before else "numpy"] += 1
        return told

    monkeypatch.setattr(NativeKernel, "run", counted)
    return counts


def same(one: Array, other: Array, zeros: bool = True) -> None:
    """Hold arrays to the same bits, but for what NaN carries and, without `zeros`, their signs."""
    assert one.dtype == other.dtype
    assert one.shape == other.shape
    if one.dtype.kind == "f":
        missing = np.isnan(one)
        np.testing.assert_array_equal(missing, np.isnan(other))
        one, other = np.where(missing, 0, one), np.where(missing, 0, other)
        if not zeros:
            one, other = one + 0, other + 0
        one, other = (x.view(f"u{x.itemsize}") for x in (one, other))
    np.testing.assert_array_equal(one, other)
