"""The parse tables fit the grammar, and the grammar fits the tree."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import attrs

from runmat_core.syntax import ast, builders, parser, tables


def test_tables_are_fresh():
    path = tables.build()
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(tables.generate()))


def test_generation_does_not_depend_on_hash_seeds():
    code = (
        "import json, hashlib; from runmat_core.syntax import tables; "
        "print(hashlib.sha256(json.dumps(tables.generate()).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_stale_tables_are_made_again(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "TABLES", tmp_path / "_tables.json")
    tables.load.cache_clear()
    try:
        made = tables.load()
        assert tables.TABLES.exists()
        tables.TABLES.write_text(tables.TABLES.read_text().replace('"digest":"', '"digest":"0'))
        tables.load.cache_clear()
        assert tables.load() == made
        tables.TABLES.write_text("{ cut off")
        tables.load.cache_clear()
        assert tables.load() == made
    finally:
        monkeypatch.undo()
        tables.load.cache_clear()


def test_parsing_needs_no_lark():
    code = (
        "import sys; from runmat_core.syntax import parse; parse('x = 1;'); "
        "assert not any(name.split('.')[0] in ('lark', 'numpy') for name in sys.modules)"
    )
    tables.build()
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_rule_has_a_builder_and_every_builder_a_rule():
    assert parser is not None  # importing it registers the builders
    actions = {rule.action for rule in tables.load().rules if rule.action}
    assert actions == set(builders.BUILDERS)


def test_nodes_have_their_names_in_the_grammar():
    grammar = tables.GRAMMAR.read_text(encoding="utf-8")
    nodes = [node for node in vars(ast).values() if isinstance(node, type) and attrs.has(node)]
    # Made by the builders of other rules: a table row or an alternative of another node.
    elsewhere = {"Span", "Expr", "Stmt", "ArgumentDecl", "Property"}
    for node in nodes:
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", node.__name__).lower()
        if node.__name__ not in elsewhere:
            snake = {"class_def": "classdef"}.get(snake, snake)
            assert re.search(rf"(^\??{snake}:|-> {snake}$)", grammar, re.MULTILINE), snake
