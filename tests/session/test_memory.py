"""The memory of temporary arrays serves again."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import resource
from runmat_core.session import Session

s = Session(provider="none")
s.run("x = zeros(1, 1e5); for k = 1:3, y = (x + k) .* 2 - x; end")
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
s.run("for k = 1:100, y = (x + k) .* 2 - x; y = abs(y); end")
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts page faults of glibc")
def test_temporary_arrays_take_memory_that_is_there() -> None:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    # each of the 400 arrays has two hundred pages
    assert int(result.stdout) < 8000
