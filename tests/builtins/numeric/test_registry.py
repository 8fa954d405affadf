"""The index, the registry and the adapters that it binds."""

from __future__ import annotations

import sys
import types
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runmat_core.api import BuiltinSpec, MatlabError, builtin
from runmat_core.builtins import index, registry
from runmat_core.values import Array, from_numpy


def bound(function: Any, interp: Any = None) -> Any:
    return registry.bind(function.__runmat_builtin__, interp)


@pytest.fixture
def copied_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index over a folder of its own with two modules."""
    (tmp_path / "math").mkdir()
    (tmp_path / "math" / "one.py").write_text(
        '@builtin("first", "alias", family="x")\ndef first(): ...\n'
    )
    (tmp_path / "two.py").write_text('@builtin("second", family="x")\ndef second(): ...\n')
    monkeypatch.setattr(index, "ROOT", tmp_path)
    monkeypatch.setattr(index, "INDEX_FILE", tmp_path / "_index.json")
    return tmp_path


def test_the_index_names_the_module_of_every_mark(copied_index: Path) -> None:
    assert index.load() == {
        "first": "runmat_core.builtins.math.one",
        "alias": "runmat_core.builtins.math.one",
        "second": "runmat_core.builtins.two",
    }
    assert [(e.name, e.line) for e in index.entries()] == [
        ("first", 1),
        ("alias", 1),
        ("second", 1),
    ]


def test_the_index_follows_its_sources(copied_index: Path) -> None:
    index.load()
    (copied_index / "two.py").write_text('@builtin("renamed", family="x")\ndef second(): ...\n')
    assert "renamed" in index.load()
    assert "second" not in index.load()
    (copied_index / "math" / "one.py").unlink()
    assert index.load().keys() == {"renamed"}


def test_a_half_written_module_keeps_its_names(copied_index: Path) -> None:
    index.load()
    (copied_index / "two.py").write_text('@builtin("second", family="x")\ndef second(:\n')
    assert "second" in index.load()


def test_a_damaged_index_is_made_again(copied_index: Path) -> None:
    index.build().write_text("{")
    assert "second" in index.load()


def test_no_name_is_marked_twice() -> None:
    counts = Counter(entry.name for entry in index.entries())
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_indexed_name_is_found() -> None:
    for name in registry.names():
        spec = registry.find(name)
        assert spec is not None, name
        assert name in spec.names


def test_unknown_names_are_none_and_suggested_for() -> None:
    assert registry.find("no_such_builtin") is None
    assert registry.suggest("lenght")[0] == "length"
    assert registry.suggest("Zeros")[0] == "zeros"
    assert "my_count" in registry.suggest("my_cuont", also=("my_count",))


@builtin("one", family="test")
def one(x: Any) -> Any:
    return x


@builtin("upto", family="test")
def upto(x: Any, y: Any = "none") -> Any:
    return (x, y)


@builtin("many", family="test", nargout=None, needs=("nargout",))
def many(*args: Any, nargout: int) -> Any:
    return (len(args), nargout, *args)[: max(nargout, 2)]


@builtin("five", family="test")
def five(a: Any, b: Any, c: Any, d: Any, e: Any = 0) -> Any:
    return (a, b, c, d, e)


@builtin("none", family="test", nargout=0, needs=("interp",))
def none(*, interp: Any) -> None:
    interp.append("called")


def test_arguments_reach_the_host_rule() -> None:
    assert bound(one)(1, 2.0) == 2.0
    assert bound(upto)(1, 1.0) == (1.0, "none")
    assert bound(upto)(0, 1.0, 2.0) == (1.0, 2.0)
    assert bound(many)(3, 1, 2, 3, 4, 5, 6) == (6, 3, 1)
    assert bound(five)(1, 1, 2, 3, 4) == (1, 2, 3, 4, 0)
    calls: list[str] = []
    bound(none, calls)(0)
    assert calls == ["called"]


def test_fewer_outputs_than_asked_for_are_an_error() -> None:
    with pytest.raises(MatlabError) as raised:
        bound(many)(4, 1)
    assert raised.value.identifier == "MATLAB:unassignedOutputs"
    assert '"many"' in raised.value.message


@pytest.mark.parametrize(
    ("function", "nargout", "count", "identifier"),
    [
        (one, 1, 0, "MATLAB:minrhs"),
        (one, 1, 2, "MATLAB:maxrhs"),
        (one, 2, 1, "MATLAB:maxlhs"),
        (upto, 1, 0, "MATLAB:minrhs"),
        (upto, 1, 3, "MATLAB:maxrhs"),
        (five, 1, 3, "MATLAB:minrhs"),
        (five, 1, 6, "MATLAB:maxrhs"),
        (none, 1, 0, "MATLAB:maxlhs"),
        (none, 0, 1, "MATLAB:maxrhs"),
    ],
)
def test_wrong_counts_are_errors(function: Any, nargout: int, count: int, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        bound(function, [])(nargout, *[1.0] * count)
    assert raised.value.identifier == identifier


def test_a_python_exception_becomes_an_internal_error_that_names_the_builtin() -> None:
    @builtin("broken", family="test")
    def broken(x: Any) -> Any:
        return x["missing"]

    with pytest.raises(MatlabError) as raised:
        bound(broken)(1, {})
    assert raised.value.identifier == "RunMat:internal"
    assert "broken" in raised.value.message
    assert isinstance(raised.value.__cause__, KeyError)


def test_running_out_of_memory_is_a_matlab_error() -> None:
    @builtin("greedy", family="test")
    def greedy() -> Any:
        raise MemoryError

    with pytest.raises(MatlabError) as raised:
        bound(greedy)(1)
    assert raised.value.identifier == "MATLAB:nomem"


def test_exceptions_of_compiled_code_pass() -> None:
    @builtin("calls", family="test")
    def calls(function: Any) -> Any:
        return function()

    code = types.FunctionType(compile("unset_name", "f.m", "eval"), {"_s": None})
    with pytest.raises(NameError):
        bound(calls)(1, code)
    with pytest.raises(RecursionError):
        bound(calls)(1, lambda: (_ for _ in ()).throw(RecursionError))


def test_scalar_rules_come_first_and_may_decline() -> None:
    @builtin(
        "halved", family="test", lift="map", scalar=lambda x: "fast" if x > 0 else NotImplemented
    )
    def halved(x: Any) -> Any:
        return x / 2

    call = bound(halved)
    assert call(1, 4.0) == "fast"
    assert call(1, -4.0) == -2.0
    assert call(1, True) == 0.5
    with pytest.raises(MatlabError) as raised:
        call(1, 4.0, 5.0)
    assert raised.value.identifier == "MATLAB:maxrhs"


def test_lifted_rules_keep_classes_and_expand_from_the_left() -> None:
    @builtin("added", family="test", lift="map")
    def added(x: Any, y: Any) -> Any:
        return x + y

    call = bound(added)
    single = from_numpy(np.ones((3, 1), np.float32))
    pages = from_numpy(np.ones((1, 1, 3)))
    result = call(1, single, pages)
    assert isinstance(result, Array)
    assert result.class_name == "single"
    assert result.shape == (3, 1, 3)
    with pytest.raises(MatlabError) as raised:
        call(1, from_numpy(np.ones((2, 1), np.int8)), 1.0)
    assert raised.value.identifier == "MATLAB:UndefinedFunction"


def test_plugins_are_loaded_once_on_the_first_unknown_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "toolbox-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toolbox\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[runmat.builtins]\ntoolbox = toolbox_builtins\n")
    (tmp_path / "toolbox_builtins.py").write_text(
        "from runmat_core.api import builtin\n"
        '@builtin("from_toolbox", family="toolbox")\n'
        "def from_toolbox(x):\n    'Help.'\n    return x + 1\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "_specs", dict(registry._specs))
    registry._plugins.cache_clear()
    try:
        assert registry.find("sin") is not None
        assert "toolbox_builtins" not in sys.modules
        spec = registry.find("from_toolbox")
        assert isinstance(spec, BuiltinSpec)
        assert registry.bind(spec, None)(1, 2.0) == 3.0
        assert "from_toolbox" in registry.names()
    finally:
        registry._plugins.cache_clear()
        sys.modules.pop("toolbox_builtins", None)
