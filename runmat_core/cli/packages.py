"""Subcommands that are packages of their own: ``runmat bench`` and ``runmat docs``."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence

#: By subcommand: the module whose ``main`` takes the arguments, its package, and what it is.
PACKAGES = {
    "bench": ("runmat_bench.cli", "runmat-bench", "the benchmark"),
    "docs": ("runmat_docs.cli", "runmat-docs", "what makes the pages"),
}


def hand_over(command: str, arguments: Sequence[str]) -> int:
    """Hand the arguments over to the package; say what it is called where it is missing."""
    module, package, meaning = PACKAGES[command]
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        sys.stderr.write(f"runmat: {meaning} is not installed; pip install {package}\n")
        return 2
    code: int = importlib.import_module(module).main(arguments)
    return code
