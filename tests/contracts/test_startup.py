"""What a warm start may import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

#: each of these costs tens of milliseconds that `disp(1)` has no use for
HEAVY = {
    "argparse",
    "attr",
    "hashlib",
    "lark",
    "pathlib",
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


CAPTURED = """
import json, sys
from runmat_core import Session
s = Session()
s.run("x = rand(1000); y = sum(x(:).^2 + 1);")
assert s["y"] > 1e6
s.close()
print(json.dumps(sorted(sys.modules)))
"""


def test_a_captured_statement_imports_no_provider_that_is_not_chosen(tmp_path: Path) -> None:
    environment = {**os.environ, "RUNMAT_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", CAPTURED], capture_output=True, text=True, env=environment
    )
    modules = json.loads(done.stdout)
    assert "runmat_inprocess" in modules
    # the test kit's device is used only where it is named, and its package says so
    assert not any(name.startswith("runmat_provider_tests") for name in modules)
    assert {"numba", "scipy.special", "numpy.testing"}.isdisjoint(modules)


CLASSES = """
import json, sys
from runmat_core import Session
s = Session(cwd=sys.argv[1])
s.run("c = Counter; c.add(); m = ?Counter; isa(c, 'handle');")
assert s.eval("c.N") == 1
print(json.dumps(sorted(sys.modules)))
"""


def test_a_program_without_tests_loads_nothing_of_the_test_framework(tmp_path: Path) -> None:
    (tmp_path / "Counter.m").write_text(
        "classdef Counter < handle\nproperties\nN = 0\nend\nmethods\n"
        "function add(c), c.N = c.N + 1; end\nend\nend\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", CLASSES, str(tmp_path)], capture_output=True, text=True
    )
    loaded = json.loads(done.stdout)
    assert "runmat_core.values.objects.instance" in loaded
    assert not [name for name in loaded if "builtins.testing" in name or name.startswith("xml")]
