"""Rules about every builtin, which name none: documented, with examples that run."""

from __future__ import annotations

import re

import pytest
from runmat_docs import blocks, site

from runmat_core.api import BuiltinSpec
from runmat_core.api.ir import calls
from runmat_core.builtins import registry
from runmat_core.builtins.declared import problems
from runmat_core.session import Session, doctests

SPECS: dict[str, BuiltinSpec] = {}
for _name in registry.names():
    _spec = registry.find(_name)
    assert _spec is not None, _name
    SPECS.setdefault(_spec.name, _spec)


def _wrong(doc: str) -> str:
    """Return what is wrong with a help text, empty if nothing is."""
    if not doc.strip():
        return "no help text"
    if not doc.strip().splitlines()[0].endswith("."):
        return "the summary is no sentence"
    if not doctests.collect(doc):
        return "no >> example"
    return "" if re.search(r"^\s*See also: \S", doc, re.MULTILINE) else "names nothing related"


def test_every_builtin_has_a_summary_an_example_and_related_names() -> None:
    assert len(SPECS) > 1000
    wrong = {name: _wrong(spec.host.__doc__ or "") for name, spec in SPECS.items()}
    assert {name: text for name, text in wrong.items() if text} == {}


def test_related_names_exist() -> None:
    known = {*registry.names(), *site.LANGUAGE}
    wrong = {
        name: missing
        for name, spec in SPECS.items()
        if (missing := [other for other in blocks.block_of(spec).related if other not in known])
    }
    assert not wrong


#: Builtins by the module that holds them.
MODULES: dict[str, list[str]] = {}
for _name, _spec in sorted(SPECS.items()):
    MODULES.setdefault(_spec.host.__module__, []).append(_name)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_examples_print_what_they_say(module: str) -> None:
    failures = []
    for name in MODULES[module]:
        with doctests.own_folder() as folder:
            session = Session(cwd=folder)
            failures += map(str, doctests.run(SPECS[name].host.__doc__ or "", session))
    assert not failures, "\n" + "\n".join(failures)


def test_marks_say_nothing_that_there_is_not() -> None:
    assert not {name: found for name, spec in SPECS.items() if (found := problems(spec))}


def test_the_table_of_library_calls_names_all() -> None:
    names = re.findall(r"^(\w+) +\S", calls.__doc__ or "", re.MULTILINE)
    table = set(names[names.index("matmul") :])
    assert table - {"name"} == {n for n in calls.CALLS if not n.endswith((calls.PAGES, calls.TOLD))}
