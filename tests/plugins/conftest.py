"""Throwaway packages with builtins."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from runmat_core.builtins import registry

#: ``install(package, module source, version="1.0")``: a package with one module of builtins.
Install = Callable[..., str]

PREAMBLE = """\
import numpy as np
from runmat_core.api import builtin, ir
from runmat_core.api.fusion import Map, Reduction
"""


def documented(source: str) -> str:
    """The source with a docstring in each builtin that has none: a mark without is an error."""
    lacking = re.compile(r"^(@builtin\((?:.|\n)*?\)\ndef .*:\n)(?!    ['\"])", re.MULTILINE)
    return lacking.sub(r"\1    'Help.'\n", source)


def forget() -> None:
    """Forget which packages there are."""
    registry._plugins.cache_clear()
    registry._shadowed.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs packages for one test; sessions find them on the first unknown name."""
    modules: list[str] = []

    def make(
        package: str,
        source: str,
        version: str = "1.0",
        module: str = "",
        group: str = "runmat.builtins",
    ) -> str:
        module = module or f"{package.replace('-', '_')}_builtins"
        folder = tmp_path / package
        info = folder / f"{package.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
        )
        (info / "entry_points.txt").write_text(f"[{group}]\nmain = {module}\n")
        (folder / f"{module.partition(':')[0]}.py").write_text(PREAMBLE + documented(source))
        monkeypatch.syspath_prepend(str(folder))
        modules.append(module.partition(":")[0])
        forget()
        return module

    forget()
    yield make
    forget()
    for module in modules:
        sys.modules.pop(module, None)
