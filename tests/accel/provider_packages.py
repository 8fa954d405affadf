"""Packages with providers that are made for the purpose, and configurations that choose them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

from runmat_core.accel.devices.providers import installed

#: Makes a package with a provider: ``package(name, says=..., edits=...)``.
Maker = Callable[..., Path]


def answer(kind: str = "device", **fields: object) -> str:
    """The statement by which a provider tells its capabilities."""
    further = "".join(f", {name}={value!r}" for name, value in fields.items())
    return f"return Capabilities(name='a device', kind={kind!r}, dtypes=frozenset(){further})"


def module_of(name: str) -> Any:
    """The class that the module of a provider holds."""
    return sys.modules[installed()[name].value.partition(":")[0]].Made


class Settings:
    """A configuration made of the values given."""

    def __init__(self, **values: Any) -> None:
        self.values = {"accel.provider": "auto", "accel.fallback": "inprocess"}
        self.set = {f"accel.{key}" for key in values}
        self.values.update({f"accel.{key}": value for key, value in values.items()})

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def source(self, key: str) -> str:
        return "argument" if key in self.set else "default"

    def providers(self) -> tuple[str, ...]:
        return ()

    def options(self, provider: str) -> tuple[tuple[str, Hashable], ...]:
        return (("for", provider),)


HOST = answer("host")
NOWHERE = "return None"
BROKEN = "raise RuntimeError('no driver')"
