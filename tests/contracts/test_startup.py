"""What a warm start may import."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

#: each of these costs tens of milliseconds that `disp(1)` has no use for
HEAVY = {
    "argparse",
    "attr",
    "hashlib",
    "random",
    "subprocess",
    "tempfile",
    "tomllib",
    "lark",
    "pathlib",
    "pluggy",
    "importlib.metadata",
    "scipy",
    "runmat_core.syntax.ast",
    "prompt_toolkit",
}

#: Modules that a warm `disp(1)` may import beyond those of NumPy, with settings in the environment.
BEYOND = 137

#: Without what only tests read: a variable that is no setting is looked up among former names.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "RUNMAT_REQUIRE_WGPU"}

PROBE = """
import numpy, sys
before = set(sys.modules)
import json
from runmat_core.cli.main import main
code = main(["-e", "disp(1)"])
print(json.dumps([code, sorted(set(sys.modules) - before)]))
"""


def test_a_warm_start_imports_only_what_it_needs(tmp_path: Path) -> None:
    environment = {**ENVIRONMENT, "RUNMAT_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", PROBE], capture_output=True, text=True, env=environment
        )
    *printed, report = done.stdout.splitlines()
    code, modules = json.loads(report)
    assert (printed[0].strip(), code) == ("1", 0)
    assert HEAVY.isdisjoint(modules), sorted(HEAVY & set(modules))
    assert len(modules) <= BEYOND, modules


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
    environment = {**ENVIRONMENT, "RUNMAT_CACHE_DIR": str(tmp_path)}
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
    environment = {**ENVIRONMENT, "RUNMAT_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", CAPTURED], capture_output=True, text=True, env=environment
    )
    modules = json.loads(done.stdout)
    assert "runmat_inprocess" in modules
    # the test kit's device is used only where it is named, and its package says so
    assert not any(name.startswith("runmat_provider_tests") for name in modules)
    assert {"numba", "scipy.special", "numpy.testing"}.isdisjoint(modules)


#: Modules that the first captured statement may import beyond those of a run without providers, and
#: classes of attrs that it may build beside those of the interface of providers.
MODULES, BUILT = 170, 4

FIRST_CAPTURED = """
import json, sys
import attr._make
built, build = [], attr._make._ClassBuilder.build_class
def counted(builder):
    built.append(f"{builder._cls.__module__}.{builder._cls.__qualname__}")
    return build(builder)
attr._make._ClassBuilder.build_class = counted
from runmat_core.cli.main import main
code = main(["-e", "x = rand(1, 1e6); disp(sum(x .* 2 + 1) > 0)"])
print(json.dumps([code, built, list(sys.modules)]))
"""


def test_the_first_captured_statement_builds_few_classes_and_imports_few_modules(
    tmp_path: Path,
) -> None:
    """Building a class of attrs takes as long as importing two modules."""
    imported = {}
    for provider in ("none", "inprocess"):
        environment = {
            **ENVIRONMENT,
            "RUNMAT_CACHE_DIR": str(tmp_path),
            "RUNMAT_ACCEL_PROVIDER": provider,
            "RUNMAT_ACCEL_START_AFTER": "0",
        }
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", FIRST_CAPTURED],
                capture_output=True,
                text=True,
                env=environment,
            )
        *printed, report = done.stdout.splitlines()
        code, built, modules = json.loads(report)
        assert (printed[0].strip(), code) == ("1", 0), done.stderr
        imported[provider] = set(modules)
    more = imported["inprocess"] - imported["none"]
    assert "runmat_inprocess" in more
    assert len(more) <= MODULES, sorted(more)
    # requests and kernels are what authors of providers meet, and are attrs throughout
    internal = [name for name in built if not name.startswith("runmat_core.api.")]
    assert len(internal) <= BUILT, internal
    unused = {"difflib", "tomllib", "runmat_core.accel.planning.step"}
    assert unused.isdisjoint(more), sorted(unused & more)


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


#: Calls that programs make every day; none of them may import a package of SciPy in full.
EVERYDAY = """
A = [4 1; 1 3]; x = A \\ [1; 2]; [1 2; 3 4; 5 6] \\ [1; 2; 3]; [1 2; 0 4] \\ [1; 2]; [1; 2]' / A;
chol(A); lu(A); [L, U, P] = lu(A); qr(A); [Q, R, E] = qr(A); inv(A); det(A); pinv(A); rank(A);
[~, D] = eig(A); svd(A); null(A); orth(A); cond(A); norm(A); kron(A, A); trace(A);
conv([1 2], [1 3]); conv(1:300, 1:300); conv2(A, A); conv2(rand(40), rand(20)); convn(A, A);
deconv([1 5 6], [1 2]); filter(1, [1 -0.5], 1:5); filter([1 2], 1, [1 2; 3 4]); filter2(A, A);
fft(1:8); ifft(1:8); fft2(A); y = fft(rand(1, 20000)); fftshift(1:4); roots([1 -3 2]);
erf([0.1 2]); erfc([0.1 2]); gamma([0.5 9.5]); gammaln([2 50]); beta(2, [1 2]); erfinv([0.1 0.2]);
interp1(1:4, [1 4 9 16], 2.5); interp1(1:4, [1 4 9 16], 2.5, 'spline'); pchip(1:4, 1:4, 2.5);
interp1(1:4, [1 4 9 16], 2.5, 'pchip'); spline(1:5, 1:5, 2.5); makima(1:5, 1:5, 2.5);
interp2(magic(4), 1.5, 2.5); polyfit(1:4, [1 4 9 16], 2); polyval([1 2], 3); cumtrapz(1:4);
fzero(@cos, [1 2]); fminbnd(@cos, 2, 4); fminsearch(@(x) x^2, 1); integral(@exp, 0, 1);
[t, u] = ode45(@(t, y) -y, [0 1], 1); [t, u] = ode15s(@(t, y) -y, [0 1], 1); histc(1:4, 1:4);
median(1:4); std(1:4); sort([3 1 2]); unique([3 1 1]); mode([1 1 2]); accumarray([1; 2; 1], 1);
"""

EVERYDAY_PROBE = """
import json, sys
from runmat_core import Session
found = {}
with Session(provider="none") as s:
    for line in sys.argv[1].splitlines():
        s.run(line)
        for name, module in list(sys.modules.items()):
            if name.startswith("scipy.") and name[6] != "_" and hasattr(module, "__path__"):
                found.setdefault(name, line)
import scipy.linalg, scipy.signal, scipy.special
import numpy.testing
numpy.testing.assert_allclose(scipy.special.erf(0.5), 0.5204998778130465)
numpy.testing.assert_allclose(scipy.linalg.lu(numpy.eye(2))[2], numpy.eye(2))
numpy.testing.assert_allclose(scipy.signal.lfilter([1], [1], [2.0]), [2.0])
print(json.dumps(found))
"""


def test_everyday_calls_import_no_package_of_scipy_in_full() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERYDAY_PROBE, EVERYDAY],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {}


SPARSE_PROBE = """
import json, sys
from runmat_core import Session
with Session(provider="none") as s:
    s.run("A = sparse([4 1; 1 3]); A \\\\ [1; 2]; A' * A; A(1, 2) = 5; nnz(A); full(A); A .* 2;")
    s.run("A = spdiags(ones(50, 1) * [-1 2 -1], -1:1, 50, 50) + speye(50); x = A \\\\ rand(50, 1);")
    s.run("x = sprand(60, 60, 0.2) + speye(60); y = x \\\\ rand(60, 1);")
print(json.dumps([m for m in sys.modules]))
"""


def test_a_sparse_matrix_imports_one_package_without_what_that_only_names() -> None:
    done = subprocess.run([sys.executable, "-c", SPARSE_PROBE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    modules = json.loads(done.stdout)
    assert "scipy.sparse" in modules
    unused = ("scipy.linalg", "scipy.special", "numpy.testing._private", "numpy.f2py.f2py2e")
    assert set(unused).isdisjoint(modules)


def test_scipy_is_imported_in_one_place() -> None:
    """Elsewhere an import would load what `libraries.package` leaves to be loaded later."""
    root = Path(__file__).parents[2] / "runmat_core"
    plain = re.compile(r"^\s*(from|import) scipy\b", re.MULTILINE)
    found = [path for path in root.rglob("*.py") if plain.search(path.read_text("utf-8"))]
    assert found == []
