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


#: A script of builtins that most programs have some of.
COMMON = r"""
x = rand(3); y = abs(x) + exp(x) - mod(x, 2); z = max(x(:)); [m, k] = min(sum(x, 2));
q = sort(x(:)); u = unique([3 1 3]); f = find(x > 0.5); a = any(x) & all(isnan(x) == 0);
c = cumsum(x); v = mean(x); w = std(x(:)); r = round(floor(x) + ceil(sqrt(x)));
t = double('a') + int32(3); s = num2str(3.5); p = sprintf('%d,', 1:3); b = strsplit(p, ',');
g = regexprep(strrep('abc', 'b', 'x'), 'x', 'y'); d = regexp('a1', '\d', 'match');
n = cellfun(@numel, b); h = repmat('-', 1, 5); l = linspace(0, 1, 5); o = norm(l); e = strcmp(s, p);
i = sscanf('1 2', '%d'); fprintf('%d\n', numel(n));
"""


def test_common_builtins_import_nothing_for_acceleration(tmp_path: Path) -> None:
    """Their fusion specs are data; what reads these comes with the first captured operation."""
    script = tmp_path / "common.m"
    script.write_text(COMMON)
    probe = PROBE.replace('["-e", "disp(1)"]', f"[{str(script)!r}]")
    environment = {**os.environ, "RUNMAT_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", probe], capture_output=True, text=True, env=environment
        )
    *printed, report = done.stdout.splitlines()
    code, modules = json.loads(report)
    assert (printed, code) == (["4"], 0), done.stderr
    unwanted = {"attr", "runmat_core.api.ir.kernel", "runmat_core.accel.graph.node", "scipy"}
    assert unwanted.isdisjoint(modules), sorted(unwanted & set(modules))


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
