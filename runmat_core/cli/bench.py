"""``runmat bench``: the benchmark, which is a package of its own."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence

MODULE = "runmat_bench.cli"
PACKAGE = "runmat-bench"


def bench(arguments: Sequence[str]) -> int:
    """Hand the arguments over to the package; say what it is called where it is missing."""
    if importlib.util.find_spec(MODULE.partition(".")[0]) is None:
        sys.stderr.write(f"runmat: the benchmark is not installed; pip install {PACKAGE}\n")
        return 2
    code: int = importlib.import_module(MODULE).main(arguments)
    return code
