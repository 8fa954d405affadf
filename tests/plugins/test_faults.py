"""What goes wrong in packages with builtins: who is named, and what goes on working."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runmat_core.api.errors import MatlabError
from runmat_core.builtins import registry
from runmat_core.session import Session
from runmat_core.session.config import load

#: See `conftest.install`.
Install = Callable[..., str]

GOOD = """
@builtin("good_double", family="t", lift="map")
def good_double(x):
    "Twice."
    return 2 * x
"""


def error_of(session: Session, code: str) -> MatlabError:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    return raised.value


def assert_alive(session: Session) -> None:
    assert session.eval("1 + 1") == 2.0


# -- packages that cannot be loaded ----------------------------------------------------------------

BROKEN = {
    "missing": ("import no_such_dependency\n", "ModuleNotFoundError: No module named 'no_such_d"),
    "raising": ("raise RuntimeError('no licence')\n", "RuntimeError: no licence"),
    "leaving": ("raise SystemExit(3)\n", "SystemExit: 3"),
    "garbled": ("def f(:\n", "SyntaxError: "),
    "empty": ("x = 1\n", "there are none"),
    "nameless": ("@builtin(family='t')\ndef anonymous(x):\n    return x\n", "has no name"),
    "misnamed": ("@builtin('2x', family='t')\ndef f(x):\n    return x\n", "'2x' is no name"),
    "needy": (
        "@builtin('needy_f', family='t', needs=('gpu',))\ndef f(x, gpu):\n    return x\n",
        "'needy_f' needs 'gpu', which is none of",
    ),
    "several": (
        "@builtin('several_f', family='t', nargout=2)\ndef f(x):\n    return x, x\n",
        "'several_f' has several outputs",
    ),
    "lifted": (
        "@builtin('lifted_f', family='t', lift='up')\ndef f(x):\n    return x\n",
        "'lifted_f' has lift='up', which is none of map, arrays",
    ),
}


#: Marks that name something that there is not, and what the error of a call says.
MARKS = {
    "effects": ("effects='puree'", "x", "effects='puree', which is none of pure, rng, io, state. "
                "Did you mean 'pure'?"),
    "needs": ("needs=('nargot',)", "x", "'nargot', which is none of nargout, interp"),
    "pending": ("pending='veiw'", "x", "Did you mean 'view'?"),
    "captures": ("captures='compose'", "x", "Did you mean 'composition'?"),
    "family": ("family=' '", "x", "has no family"),
    "no family": ("effects='pure'", "x", "has no family"),
    "map": ("fusion=Map(lambda x, y: x)", "x", "takes 2, but the builtin takes 1."),
    "plain": ("fusion=lambda: 1", "x", "takes 0, but the builtin takes 1."),
    "few": ("fusion=lambda x: x", "x, y, z=None", "takes 1, but the builtin takes 2 to 3."),
    "reduction": ("fusion=Reduction(lambda x, y: x)", "x", "a Reduction is of one array"),
    "scan": ("fusion=Scan(lambda x: x)", "x", "lacks the keyword argument reverse"),
    "option": ("efects='pure'", "x", "has the option 'efects', which is none of family, nargin, "
               "nargout, needs, lift, scalar, integers, effects, fusion, gpu, pending, captures, "
               "compose. Did you mean 'effects'?"),
    "call": ("gpu=Call('sovle', len)", "x", "library call 'sovle', which is none of "),
    "nocall": ("gpu='solve'", "x", "gpu='solve', which is no Call(name, read)."),
}  # fmt: skip


@pytest.mark.parametrize("case", MARKS)
def test_a_call_of_a_builtin_whose_mark_is_wrong_says_where(install: Install, case: str) -> None:
    mark, parameters, said = MARKS[case]
    family = "" if "family" in case else "family='t', "
    module = install(
        "toolbox-marks",
        f"from runmat_core.api.fusion import Call, Scan\n{GOOD}\n"
        f"@builtin('wrong_mark', {family}{mark})\ndef wrong_mark({parameters}):\n    'H.'\n",
    )
    session = Session()
    error = error_of(session, "wrong_mark(1)")
    assert error.identifier == "RunMat:plugin:mark"
    assert error.message.startswith(
        "The package 'toolbox-marks 1.0' declares a builtin that cannot"
    )
    assert f"{module}.py:11): " in error.message
    assert "'wrong_mark'" in error.message
    assert said in error.message
    assert session.eval("good_double(2)") == 4.0


def test_a_builtin_without_help_is_an_error(install: Install) -> None:
    install("toolbox-mute", "@builtin('mute', family='t')\ndef mute(x): return x\n")
    error = error_of(Session(), "mute(1)")
    assert error.message.endswith("'mute' has no docstring, which is its help text.")


@pytest.mark.parametrize("group", ["runmat.plugin", "runmat.builtin", "runmat_builtins"])
def test_a_misspelt_entry_point_group_is_named(install: Install, group: str) -> None:
    install("toolbox-group", GOOD, group=group)
    assert (
        f"The package 'toolbox_group 1.0' names the entry point group '{group}', which runmat does "
        "not read; 'runmat.builtins' is the nearest."
    ) in error_of(Session(), "good_double(2)").hint


@pytest.mark.parametrize("package", BROKEN)
def test_a_broken_package_is_told_of_where_a_name_is_missed(install: Install, package: str) -> None:
    source, said = BROKEN[package]
    install(f"toolbox-{package}", source)
    install("toolbox-good", GOOD)
    session = Session()
    error = error_of(session, "some_name(3)")
    assert error.identifier == "MATLAB:UndefinedFunction"
    assert error.message == "Unrecognized function or variable 'some_name'."
    assert f"'toolbox-{package} 1.0'" in error.hint
    assert said in error.hint
    # it spoils nothing else
    assert session.eval("good_double([1 2])").tolist() == [[2.0, 4.0]]
    assert "toolbox" not in session.capture("disp(good_double(4))")
    assert_alive(session)


def test_a_builtin_of_a_package_does_not_end_the_session(install: Install) -> None:
    install(
        "toolbox-leaver",
        "import sys\n@builtin('leaver', family='t')\ndef leaver(x):\n    'x'\n    sys.exit(4)\n",
    )
    session = Session()
    error = error_of(session, "leaver(3)")
    assert error.identifier == "RunMat:plugin:error"
    assert error.message == "Error in 'leaver' of the package 'toolbox-leaver 1.0': SystemExit: 4"
    assert_alive(session)
    # a program may end itself, through callbacks, too
    with pytest.raises(SystemExit):
        session.run("cellfun(@(x) exit(3), {1})")


def test_an_entry_point_that_is_no_module(install: Install) -> None:
    install("toolbox-odd", "thing = 3\n", module="odd_builtins:thing")
    error = error_of(Session(), "some_name")
    assert "'toolbox-odd 1.0' offers builtins in 'odd_builtins:thing', but there are none." in (
        error.hint
    )


def test_unreadable_metadata_does_not_hide_other_packages(install: Install, tmp_path: Path) -> None:
    install("toolbox-good", GOOD)
    install("toolbox-metadata", GOOD)
    points = tmp_path / "toolbox-metadata" / "toolbox_metadata-1.0.dist-info" / "entry_points.txt"
    points.write_text("[runmat.builtins]\nno equals sign\n")
    session = Session()
    assert session.eval("good_double(4)") == 8.0
    assert "The metadata of the package 'toolbox-metadata 1.0' cannot be read" in (
        error_of(session, "some_name").hint
    )


@pytest.mark.parametrize("metadata", [None, b"", b"\xff\xfe"])
def test_metadata_without_a_name(install: Install, tmp_path: Path, metadata: bytes | None) -> None:
    install("toolbox-bare", "raise RuntimeError('no licence')\n")
    file = tmp_path / "toolbox-bare" / "toolbox_bare-1.0.dist-info" / "METADATA"
    if metadata is None:
        file.unlink()
    else:
        file.write_bytes(metadata)
    assert "The package 'toolbox_bare 1.0' offers" in error_of(Session(), "some_name").hint


def test_marks_of_submodules_named_in_an_init_are_found(tmp_path: Path, install: Install) -> None:
    install("toolbox-whole", "", module="whole_toolbox")
    folder = tmp_path / "toolbox-whole"
    (folder / "whole_toolbox.py").unlink()
    (folder / "whole_toolbox").mkdir()
    (folder / "whole_toolbox" / "parts.py").write_text(
        "from runmat_core.api import builtin\n" + GOOD.replace("good_double", "part_double")
    )
    (folder / "whole_toolbox" / "__init__.py").write_text("from .parts import part_double\n")
    try:
        assert Session().eval("part_double(2)") == 4.0
    finally:
        sys.modules.pop("whole_toolbox.parts")


def test_the_same_package_twice_on_the_path_counts_once(install: Install, tmp_path: Path) -> None:
    install("toolbox-good", GOOD)
    again = tmp_path / "again"
    (tmp_path / "toolbox-good").rename(again)
    install("toolbox-good", GOOD.replace("2 * x", "3 * x"), version="2.0")
    sys.path.append(str(again))
    try:
        assert Session().eval("good_double(2)") == 6.0
    finally:
        sys.path.remove(str(again))


# -- names that several have -----------------------------------------------------------------------


@pytest.mark.parametrize("program", ["disp(numel([1 2 3]))", "x = good_double(numel([1 2 3]));"])
def test_the_core_wins_and_says_so_once(install: Install, program: str) -> None:
    """Whether or not something else of the package is used, and before it is imported."""
    install("toolbox-greedy", GOOD + GOOD.replace("good_double", "numel"))
    install("toolbox-modest", GOOD.replace("good_double", "modest"))
    session = Session()
    assert "Warning" not in session.capture("disp(modest(1)); disp(size([1 2 3]));")
    printed = session.capture(f"{program}; disp(numel(1))")
    assert printed.count("Warning") == 1
    assert (
        "The package 'toolbox-greedy 1.0' declares the builtin 'numel', which runmat-core has; "
        "the core's is used."
    ) in printed
    assert session.eval("numel([1 2 3])") == 3.0


def test_what_shadows_nothing_in_the_end_costs_no_warning(install: Install, tmp_path: Path) -> None:
    """A file of the package that its entry point does not reach; files that are no Python."""
    install("toolbox-whole", GOOD, module="whole_toolbox")
    folder = tmp_path / "toolbox-whole"
    (folder / "whole_toolbox").mkdir()
    (folder / "whole_toolbox.py").rename(folder / "whole_toolbox" / "__init__.py")
    (folder / "whole_toolbox" / "apart.py").write_text(GOOD.replace("good_double", "numel"))
    (folder / "whole_toolbox" / "garbled.py").write_text("def f(:")
    (folder / "whole_toolbox" / "computed.py").write_text(GOOD.replace('"good_double"', "name"))
    session = Session()
    assert session.capture("disp(numel([1 2])); disp(good_double(1))").split() == ["2", "2"]


def test_two_packages_with_one_name_are_an_error_where_it_is_used(install: Install) -> None:
    both = GOOD.replace("good_double", "shared_name")
    install("toolbox-one", both + GOOD)
    install("toolbox-two", both)
    session = Session()
    error = error_of(session, "shared_name(2)")
    assert error.identifier == "RunMat:plugin:duplicate"
    assert error.message == (
        "Both packages 'toolbox-one 1.0' and 'toolbox-two 1.0' declare the builtin "
        "'shared_name': uninstall one of them."
    )
    assert session.eval("good_double(2)") == 4.0
    assert "shared_name" not in registry.names()


def test_one_package_with_a_name_twice(install: Install) -> None:
    install("toolbox-twice", GOOD + GOOD.replace("def good_double", "def other"))
    assert error_of(Session(), "good_double(2)").message == (
        "The package 'toolbox-twice 1.0' declares the builtin 'good_double' twice."
    )


# -- host rules ------------------------------------------------------------------------------------

RULES = {
    "raises": ("raise ValueError('odd input')", "ValueError: odd input"),
    "lists": ("return [1, 2]", "TypeError: the host rule returned a list, not an array"),
    "sums": ("return x.sum(keepdims=True)", "ValueError: the host rule returned an array of size"),
    "writes": ("x *= 2; return x", "ValueError: output array is read-only"),
}


@pytest.mark.parametrize("case", RULES)
def test_a_host_rule_that_fails_is_named(install: Install, case: str) -> None:
    body, said = RULES[case]
    name = f"host_{case}"
    install(
        "toolbox-host",
        f"@builtin('{name}', family='t', lift='map')\ndef {name}(x):\n    {body}\n",
    )
    session = Session()
    error = error_of(session, f"x = [1 2 3];\ny = {name}(x);")
    assert error.identifier == "RunMat:plugin:error"
    assert error.message.startswith(f"Error in '{name}' of the package 'toolbox-host 1.0': {said}")
    assert session.capture(f"try, {name}(x); catch e, disp(e.identifier), end").strip() == (
        "RunMat:plugin:error"
    )
    assert session.eval("x").tolist() == [[1.0, 2.0, 3.0]]


def test_a_host_rule_that_fails_late_is_named_on_its_line(install: Install) -> None:
    """Nodes whose kernel nobody takes are computed by host rules when they are asked for."""
    install(
        "toolbox-late",
        "@builtin('host_late', family='t', lift='map', fusion=lambda x: 2 * x)\n"
        "def host_late(x):\n    raise ValueError('odd input')\n",
    )
    config = load().replace(accel__threshold=1, accel__offload__force="rules")
    session = Session(config=config)
    error = error_of(session, "y = host_late([1 2 3]);\ndisp(y)")
    assert error.identifier == "RunMat:plugin:error"
    assert "'host_late' of the package 'toolbox-late 1.0': ValueError: odd input" in error.message
    assert_alive(session)


MISMATCHES = {
    "class": ("lift='map', fusion=lambda x: 2 * x", "x > 0", "a 1x3 logical where", "1x3 double"),
    "size": (
        "lift='arrays', fusion=Reduction(lambda x: ir.reduce(ir.reducers.sum_(x.dtype), x)[0])",
        "x * 2",
        "a 1x3 double where",
        "1x1 double",
    ),
}


@pytest.mark.parametrize("case", MISMATCHES)
def test_a_host_rule_that_gives_something_else_than_its_fusion_spec(
    install: Install, case: str
) -> None:
    mark, body, given, wanted = MISMATCHES[case]
    name = f"mismatch_{case}"
    install(
        "toolbox-mismatch",
        f"@builtin('{name}', family='t', {mark})\ndef {name}(x, dim=None):\n    return {body}\n",
    )
    config = load().replace(accel__threshold=1, accel__offload__force="rules")
    error = error_of(Session(config=config), f"disp({name}([1 2 3]))")
    assert error.identifier == "RunMat:fusion:mismatch"
    assert f"The host rule of '{name}' of the package 'toolbox-mismatch 1.0' gave {given}" in (
        error.message
    )
    assert f"has a {wanted}" in error.message


def test_rules_of_arrays(install: Install) -> None:
    install(
        "toolbox-arrays",
        """
@builtin("kinds", family="t", lift="arrays")
def kinds(*values):
    return [f"{type(v).__name__} {getattr(v, 'dtype', '')}" for v in values]

@builtin("given", family="t", lift="arrays", nargout=None, needs=("nargout",))
def given(x, *, nargout):
    more = ["a", 1], {"f": [2]}
    return (x, x[:, ::-1], 3, True, "text", 1j, np.float32(2), *more)[:max(nargout, 1)]

@builtin("gives", family="t", lift="arrays")
def gives(what):
    return {"none": None, "set": {1}, "object": np.array([{1}])}[what]
""",
    )
    session = Session()
    assert session.eval("kinds(1, 'ab', \"cd\", true, int8([1 2]), single(2), {1})") == [
        "ndarray float64",
        "str ",
        "str ",
        "ndarray bool",
        "ndarray int8",
        "ndarray float32",
        "CellArray ",
    ]
    session.run("x = [1 2 3]; [a, b, c, d, e, f, g, h, k] = given(x); a(1) = 9; b(1) = 8;")
    shown: dict[str, Any] = {name: session.eval(name) for name in "xabcdefgh"}
    assert shown["x"].tolist() == [[1, 2, 3]]
    assert shown["a"].tolist() == [[9, 2, 3]]
    assert shown["b"].tolist() == [[8, 2, 1]]
    kinds = "class(c), class(d), class(e), class(f), class(g), class(h), class(k.f)"
    assert session.eval(f"{{{kinds}}}") == [
        "double",
        "logical",
        "char",
        "double",
        "single",
        "cell",
        "cell",
    ]
    for what in ("none", "set", "object"):
        error = error_of(session, f"gives('{what}')")
        assert "'gives' of the package 'toolbox-arrays 1.0': TypeError: the host rule returned" in (
            error.message
        )


def test_rules_of_values_may_return_what_python_has(install: Install) -> None:
    install(
        "toolbox-values",
        """
@builtin("count_of", family="t")
def count_of(x):
    return int(x.data.size)

@builtin("both_of", family="t", nargout=2, needs=("nargout",))
def both_of(x, *, nargout):
    return np.arange(3), "more"

@builtin("say_of", family="t", nargout=0, needs=("interp",))
def say_of(x, *, interp):
    interp.write("said\\n")
""",
    )
    session = Session()
    assert session.eval("class(count_of([1 2 3]))") == "double"
    assert session.eval("both_of([1 2])").tolist() == [[0, 1, 2]]
    assert session.eval("both_of([1 2])", nargout=2)[1] == "more"
    assert session.capture("say_of(1)") == "said\n"


# -- names -----------------------------------------------------------------------------------------


def test_misspelled_names_of_packages_are_suggested(install: Install) -> None:
    install("toolbox-good", GOOD)
    session = Session()
    assert error_of(session, "good_duoble(2)").hint == "Did you mean good_double?"
    assert "numel" in error_of(session, "nummel(2)").hint


def test_help_knows_builtins_of_packages(install: Install) -> None:
    install("toolbox-good", GOOD)
    assert "Twice." in Session().capture("help good_double")


MODULES = """
import json, sys
from runmat_core import Session
session = Session()
try:
    session.run(sys.argv[1])
except Exception as error:
    print(error)
inner = [name for name in sys.modules if name.startswith("runmat_") and "." in name]
print(json.dumps(sorted({name.split(".")[0] for name in inner})))
"""


@pytest.mark.parametrize(
    ("program", "loaded"),
    [
        ("no_such_function_at_all(1)", []),
        ("if exist('no_such_function_at_all'), end", []),
        ("kurtosis(1:4);", ["runmat_stats"]),
        ("h = figure;", ["runmat_plot"]),
    ],
)
def test_a_name_loads_its_own_package_alone(program: str, loaded: list[str]) -> None:
    """The plugins developed with the core, all of them installed here, whose names are known."""
    done = subprocess.run(
        [sys.executable, "-c", MODULES, program], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout.splitlines()[-1])
    plugins = {path.name for path in (Path(__file__).parents[2] / "plugins").glob("*/runmat_*")}
    assert [name for name in found if name in plugins] == loaded


PROBE = """
import json, os, sys
opened = []
def note(event, args):
    if event == "open" and str(args[0]).endswith("entry_points.txt"):
        opened.append(str(args[0]))
sys.addaudithook(note)
from runmat_core.cli.main import main
code = main(["-e", sys.argv[1]])
print(json.dumps([opened, "runmat_core.builtins.plugins" in sys.modules]))
"""


@pytest.mark.parametrize(("program", "looks"), [("disp(1)", False), ("good_double(1);", True)])
def test_a_second_process_looks_for_packages_when_a_name_is_unknown(
    install: Install, tmp_path: Path, program: str, looks: bool
) -> None:
    install("toolbox-good", GOOD)
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path / "toolbox-good"),
        "RUNMAT_CACHE_DIR": str(tmp_path / "cache"),
    }
    for _ in range(2):  # the first one looks which names of the core packages have, too
        done = subprocess.run(
            [sys.executable, "-c", PROBE, program], capture_output=True, text=True, env=environment
        )
    opened, loaded = json.loads(done.stdout.splitlines()[-1])
    assert bool(opened) == looks
    assert loaded == looks
