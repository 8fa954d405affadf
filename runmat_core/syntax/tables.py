"""The parse tables: made from `matlab.lark` by lark, kept beside it as JSON, loaded without lark.

The tables are data for `lalr.Parser`. They are written when the package is built and again whenever
the grammar differs from the one that they were made from.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from runmat_core.api.tuples import NamedTuple

_HERE = Path(__file__).parent
GRAMMAR = _HERE / "matlab.lark"
TABLES = _HERE / "_tables.json"
_FORMAT = 3  # of the file: part of the digest, so that a change makes it stale


class Rule(NamedTuple):
    """A production: `action` names the builder, or is empty where the one child is the value.

    `keep` are the positions of the children that carry meaning, None for all of them.
    """

    origin: str
    length: int
    action: str
    keep: tuple[int, ...] | None


class Tables(NamedTuple):
    """An LALR(1) automaton. An action is the next state, or ``~rule`` to reduce."""

    rules: list[Rule]
    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    start: int
    end: int


@lru_cache(maxsize=1)
def load() -> Tables:
    """Return the tables of the grammar beside this module, rebuilt first when they are stale."""
    digest = _digest()
    with contextlib.suppress(OSError, ValueError):
        data = json.loads(TABLES.read_text(encoding="utf-8"))
        if data["digest"] == digest:
            return _decode(data)
    data = generate()
    with contextlib.suppress(OSError):  # a read-only installation works, only slower
        _write(data)
    return _decode(data)


def build() -> Path:
    """Write the tables unless they are fresh; returns their path."""
    load()
    if not TABLES.exists():
        _write(generate())
    return TABLES


def _digest() -> str:
    return hashlib.sha256(GRAMMAR.read_bytes() + bytes([_FORMAT])).hexdigest()


def generate() -> dict[str, Any]:
    """Run lark's LALR analysis over the grammar; any conflict in it is an error."""
    from lark import Lark
    from lark.lexer import Lexer
    from lark.parsers.lalr_analysis import LALR_Analyzer, Shift

    class NoLexer(Lexer):
        def __init__(self, conf: object) -> None:
            pass

        def lex(self, *args: Any) -> Any:
            raise NotImplementedError

    text = GRAMMAR.read_text(encoding="utf-8")
    grammar = Lark(text, parser="lalr", lexer=NoLexer, start="module")
    analyzer: Any = LALR_Analyzer(grammar.parser.parser_conf, strict=True)
    analyzer.compute_lalr()
    table = analyzer.parse_table
    numbers = _number_states(table, Shift)
    spelling = {t.name: t.pattern.value for t in grammar.terminals if t.pattern is not None}
    origins = {rule.origin.name for rule in grammar.rules}
    rules = {rule: number for number, rule in enumerate(grammar.rules)}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in numbers:
        terminals: dict[str, int] = {}
        nonterminals: dict[str, int] = {}
        for symbol, (action, target) in sorted(table.states[state].items()):
            kind = spelling.get(symbol, symbol)  # the text of a literal, the name of a declared one
            if action is not Shift:
                terminals[kind] = ~rules[target]
            elif symbol in origins:
                nonterminals[symbol] = numbers[target]
            else:
                terminals[kind] = numbers[target]
        actions.append(terminals)
        gotos.append(nonterminals)
    end = numbers[table.end_states["module"]]
    actions[end]["$END"] = end  # to shift the end of the input is to accept it
    return {
        "digest": _digest(),
        "rules": [_rule(rule) for rule in rules],
        "actions": actions,
        "gotos": gotos,
        "start": numbers[table.start_states["module"]],
        "end": end,
    }


def _number_states(table: Any, shift: object) -> dict[int, int]:
    """Lark's states in an order that does not change from run to run."""
    order = [table.start_states["module"]]
    numbers = {order[0]: 0}
    for state in order:
        for _, (action, target) in sorted(table.states[state].items()):
            if action is shift and target not in numbers:
                numbers[target] = len(numbers)
                order.append(target)
    return numbers


def _rule(rule: Any) -> list[Any]:
    origin = str(rule.origin.name)
    keep = [
        i for i, symbol in enumerate(rule.expansion) if not getattr(symbol, "filter_out", False)
    ]
    action = str(rule.alias or origin)
    if not rule.alias and rule.options.expand1 and len(rule.expansion) == 1:
        action = ""
    return [origin, len(rule.expansion), action, keep if len(keep) < len(rule.expansion) else None]


def _decode(data: dict[str, Any]) -> Tables:
    rules = [
        Rule(origin, length, action, None if keep is None else tuple(keep))
        for origin, length, action, keep in data["rules"]
    ]
    return Tables(rules, data["actions"], data["gotos"], data["start"], data["end"])


def _write(data: dict[str, Any]) -> None:
    partial = TABLES.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")
    partial.replace(TABLES)


if __name__ == "__main__":
    print(build())
