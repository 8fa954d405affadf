"""Throwaway packages by the name that tests of providers have, and what sessions end with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.accel.provider_packages import Maker


@pytest.fixture
def package(provider_package: Maker) -> Maker:
    return provider_package


@pytest.fixture(scope="session", autouse=True)
def counted_alike() -> Iterator[None]:
    """Sessions that end have counted the bytes that their providers did."""
    from runmat_core.accel.devices.places import ProviderSet

    close = ProviderSet.close

    def closed(self: ProviderSet) -> None:
        for store in self.stores.values():
            # a provider that failed may not have counted what it was asked for
            if store.own_memory and not store.lost and not self._counters.faults:
                store.flush()
                answer = store.provider.telemetry()
                told = answer.upload_bytes, answer.download_bytes
                if any(told):
                    assert told == (store.uploaded, store.downloaded)
        close(self)

    ProviderSet.close = closed  # type: ignore[method-assign]
    yield
    ProviderSet.close = close  # type: ignore[method-assign]
