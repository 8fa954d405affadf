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


@pytest.mark.parametrize("name", sorted(SPECS))
def test_every_builtin_has_a_summary_an_example_and_related_names(name: str) -> None:
    doc = SPECS[name].host.__doc__ or ""
    assert doc.strip(), f"{name} has no help text"
    summary = doc.strip().splitlines()[0]
    assert summary.endswith("."), f"{name}: the summary is a sentence: {summary!r}"
    assert doctests.collect(doc), f"{name} has no >> example"
    assert re.search(r"^\s*See also: \S", doc, re.MULTILINE), f"{name} names nothing related"


def test_related_names_exist() -> None:
    known = {*registry.names(), *site.LANGUAGE}
    wrong = {
        name: missing
        for name, spec in SPECS.items()
        if (missing := [other for other in blocks.block_of(spec).related if other not in known])
    }
    assert not wrong


@pytest.mark.parametrize("name", sorted(SPECS))
def test_examples_print_what_they_say(name: str) -> None:
    with doctests.own_folder() as folder:
        failures = doctests.run(SPECS[name].host.__doc__ or "", Session(cwd=folder))
    assert not failures, "\n" + "\n".join(map(str, failures))


def test_marks_say_nothing_that_there_is_not() -> None:
    assert not {name: found for name, spec in SPECS.items() if (found := problems(spec))}


def test_the_table_of_library_calls_names_all() -> None:
    names = re.findall(r"^(\w+) +\S", calls.__doc__ or "", re.MULTILINE)
    table = set(names[names.index("matmul") :])
    assert table - {"name"} == {n for n in calls.CALLS if not n.endswith((calls.PAGES, calls.TOLD))}
