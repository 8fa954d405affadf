"""The LALR(1) parser loop: tokens and tables in, whatever the builders make out.

Lark computes the automaton (`tables`); this loop runs it. Builders are called as rules are reduced,
so no intermediate tree is made, and the stacks are explicit, so nesting costs no Python frames.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from runmat_core.api.tuples import NamedTuple
from runmat_core.syntax.tables import Rule, Tables


class Token(NamedTuple):
    """A token; lines count from one, columns from zero. `text` is what the builders read."""

    kind: str
    text: Any
    line: int
    column: int
    end_column: int


#: Makes the value of a rule from those of its children and its first and last token.
Builder = Callable[[list[Any], Token, Token], Any]


class Reporter(Protocol):
    """Raises the error for the token at `position`, where `kinds` were acceptable."""

    def __call__(self, position: int, kinds: frozenset[str]) -> NoReturn: ...


class _Landing(dict[str, int]):
    """Where the automaton comes to rest after a reduction, by the token that follows.

    A chain of unit rules (a sum that is only a product that is only a name …) changes no value, so
    its length is walked once for each state and token, then looked up.
    """

    def __init__(self, parser: Parser, below: int, origin: str) -> None:
        super().__init__()
        self.parser, self.below, self.origin = parser, below, origin

    def __missing__(self, kind: str) -> int:
        parser = self.parser
        state = parser.gotos[self.below][self.origin]
        while (action := parser.actions[state].get(kind, 0)) < 0:
            rule = parser.rules[~action]
            if rule.action:
                break
            state = parser.gotos[self.below][rule.origin]
        self[kind] = state
        return state


class Parser:
    """An automaton with the builders of its rules; it keeps no state between parses."""

    def __init__(self, tables: Tables, builders: Mapping[str, Builder]) -> None:
        self.actions, self.gotos, self.rules = tables.actions, tables.gotos, tables.rules
        self.start, self.end = tables.start, tables.end
        self.builders = builders
        self._reductions = [self._reduction(rule, builders) for rule in tables.rules]
        self._landings: list[dict[str, _Landing]] = [
            {origin: _Landing(self, state, origin) for origin in row}
            for state, row in enumerate(tables.gotos)
        ]

    @staticmethod
    def _reduction(
        rule: Rule, builders: Mapping[str, Builder]
    ) -> tuple[int, str, Builder | None, tuple[int, ...] | None]:
        builder = builders[rule.action] if rule.action else None
        return rule.length, rule.origin, builder, rule.keep

    def parse(self, tokens: Sequence[Token], report: Reporter) -> Any:
        """Run the automaton over `tokens`, the last of kind ``$END``; `report` raises on error."""
        actions, reductions, landings = self.actions, self._reductions, self._landings
        states = [self.start]
        values: list[Any] = []
        firsts: list[Token] = []  # the first token of each value
        previous = tokens[0]
        for position, token in enumerate(tokens):
            kind = token[0]
            while (action := actions[states[-1]].get(kind)) is None or action < 0:
                if action is None:
                    report(position, frozenset(actions[states[-1]]))
                length, origin, builder, keep = reductions[~action]
                if builder is None:
                    states[-1] = landings[states[-2]][origin][kind]
                    continue
                if length:
                    children = values[-length:]
                    if keep is not None:
                        children = [children[i] for i in keep]
                    first = firsts[-length]
                    del states[-length:], values[-length:], firsts[-length:]
                    values.append(builder(children, first, previous))
                    firsts.append(first)
                else:
                    values.append(builder([], token, token))
                    firsts.append(token)
                states.append(landings[states[-1]][origin][kind])
            states.append(action)
            values.append(token)
            firsts.append(token)
            previous = token
        return values[0]
