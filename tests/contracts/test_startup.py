"""What a warm start may import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

#: each of these costs tens of milliseconds that `disp(1)` has no use for
HEAVY = {
    "lark",
    "pluggy",
    "importlib.metadata",
    "scipy",
    "runmat_core.syntax.ast",
    "prompt_toolkit",
}

PROBE = """
import json, sys
from runmat_core.cli.main import main
code = main(["-e", "disp(1)"])
print(json.dumps([code, sorted(sys.modules)]))
"""


def test_a_warm_start_imports_only_what_it_needs(tmp_path: Path) -> None:
    environment = {**os.environ, "RUNMAT_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", PROBE], capture_output=True, text=True, env=environment
        )
    *printed, report = done.stdout.splitlines()
    code, modules = json.loads(report)
    assert (printed[0].strip(), code) == ("1", 0)
    assert HEAVY.isdisjoint(modules), sorted(HEAVY & set(modules))
