"""Passages: runs of statements whose effect on the graph may be remembered, and their code.

Whether one is remembered is decided while it runs (`accel.capture.passages`). Here it is told which
statements could be: several that only assign, one after the other, at the top level of a function
or a file. They get a test around them that costs a few nanoseconds as long as none of what they
assign turns out to be pending.
"""

from __future__ import annotations

import ast as py
from collections.abc import Iterable, Iterator
from itertools import islice

import attrs

from runmat_core.compiler import loops, pyast
from runmat_core.compiler.classes import ANY, OTHER
from runmat_core.compiler.control import Control
from runmat_core.compiler.host import mangle
from runmat_core.compiler.pyast import call, const, load, place, statements, template, tuple_of
from runmat_core.compiler.scopes import Scope, base_of, walk
from runmat_core.syntax import ast

#: Fewest operations of a passage.
LEAST = 4
#: So many of the variables that it assigned last tell whether it captured something.
TESTED = 3
_ARITHMETIC = (ast.Binary, ast.Unary, ast.Postfix)
_OPERATIONS = (*_ARITHMETIC, ast.Index, ast.Matrix)
#: Names by which a condition asks whether an input was given.
_ASK_FOR_INPUTS = frozenset({"exist", "isempty", "nargin"})
#: Statements after which everything that they assign is surely there.
_STRAIGHT = (ast.Assign, ast.MultiAssign, ast.OpAssign)

_ENTER = statements(
    "T = P.enter(V) if P else None\n"
    "if R is None:\n"
    "    BODY\n"
    "    if P:\n        P.leave(V)\n"
    "    elif P is None and TEST:\n        NOTE\n"
    "else:\n    STORE\n"
    "    T = None\n"
    "    if P.due:\n        P.start()"
)
_IS_PENDING = template("V.__class__ is _Deferred")
_IN_DICT = template("_w[K].__class__ is _Deferred")


@attrs.frozen
class StatementRun:
    """A run of statements.

    Attributes:
        reads: the variables that it may read before it assigns them, and names that may be such.
        writes: the variables that it assigns, in the order of their last assignments.
        unsure: those of them that it may leave as they are.
    """

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    unsure: tuple[str, ...]


#: A statement with the names that it assigns where it only assigns, else with None.
Named = tuple[ast.Stmt, tuple[str, ...] | None]


def parts(body: Iterable[ast.Stmt], scope: Scope) -> Iterator[list[Named]]:
    """`body` in runs of statements, of which all or none could be part of a passage.

    A statement that gives an input its default is in none: what it calls may be anything, which
    would keep the rest from being remembered, and it takes next to no time.
    """
    run: list[Named] = []
    for statement in body:
        found = loops.plain_names((statement,), scope, statement.span.line)
        apart = isinstance(found, loops.Refusal) or _gives_default(statement)
        writes = None if isinstance(found, loops.Refusal) or apart else found[0]
        if run and (writes is None) is not (run[-1][1] is None):
            yield run
            run = []
        run.append((statement, writes))
    if run:
        yield run


def _gives_default(statement: ast.Stmt) -> bool:
    """Return whether a statement sets variables that were not given, without arithmetic."""
    if not isinstance(statement, ast.If):
        return False
    conditions = [condition for condition, _ in statement.clauses]
    names = {one.id for one in walk(conditions) if isinstance(one, ast.Name)}
    if names.isdisjoint(_ASK_FOR_INPUTS):
        return False
    bodies = [*[body for _, body in statement.clauses], statement.orelse or ()]
    return not any(isinstance(one, _ARITHMETIC) for body in bodies for one in walk(body))


def passage_of(named: list[Named], scope: Scope) -> StatementRun | None:
    """Return what a run of statements reads and writes.

    Return None if it does more than assign, or is too short to be worth it.
    """
    run = [statement for statement, _ in named]
    if len(run) < 2:
        return None
    operations = (None for one in walk(run) if isinstance(one, _OPERATIONS))
    if sum(1 for _ in islice(operations, LEAST)) < LEAST:
        return None
    last: dict[str, None] = {}
    for _, writes in named:
        if writes is None:
            return None
        for name in writes:
            last.pop(name, None)
            last[name] = None
    there: set[str] = set()
    reads = _read_first(run, scope, there)
    return StatementRun(tuple(reads), tuple(last), tuple([n for n in last if n not in there]))


def _read_first(body: Iterable[ast.Stmt], scope: Scope, there: set[str]) -> dict[str, None]:
    """Return the names that statements may read before they assign them.

    Args:
        there: what is surely assigned; takes what these statements surely assign.
    """
    reads: dict[str, None] = {}
    for statement in body:
        if isinstance(statement, _STRAIGHT):
            used = _used(statement)
            reads.update(dict.fromkeys(sorted(used - there)))
            there.update(
                base.id for t in _targets(statement) if (base := base_of(t)).__class__ is ast.Name
            )
        elif isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
            inner = {one.id for one in walk((statement.iterable,)) if isinstance(one, ast.Name)}
            reads.update(dict.fromkeys(sorted(inner - there)))
            reads.update(_read_first(statement.body, scope, there | {statement.target.id}))
        else:
            found = loops.plain_names((statement,), scope, statement.span.line)
            assert not isinstance(found, loops.Refusal)
            reads.update(dict.fromkeys(sorted({*found[0], *found[1]} - there)))
    return reads


def _used(statement: ast.Stmt) -> set[str]:
    """Return the names in an assignment but for targets that it assigns as a whole."""
    used: set[str] = set()
    targets = _targets(statement)
    whole = {id(t) for t in targets if isinstance(t, ast.Name)}
    for one in walk((statement,)):
        if isinstance(one, ast.Name) and (
            id(one) not in whole or isinstance(statement, ast.OpAssign)
        ):
            used.add(one.id)
    return used


def _targets(statement: ast.Stmt) -> tuple[ast.Expr, ...]:
    if isinstance(statement, ast.Assign | ast.OpAssign):
        return (statement.target,)
    return statement.targets if isinstance(statement, ast.MultiAssign) else ()


class Passages(Control):
    """Generates the statements of a function or a file with its passages."""

    def whole(self, body: ast.Block) -> list[py.stmt]:
        """Return the Python statements of the body of a function or a file."""
        scope = self.scope
        if not self.unit.filename or scope.nested or scope.parent:
            return self.block(body)
        made: list[py.stmt] = []
        for named in parts(body, scope):
            made += self._passage(named)
        return made

    def _passage(self, named: list[Named]) -> list[py.stmt]:
        found = passage_of(named, self.scope)
        run = [statement for statement, _ in named]
        self.unit.met = set()
        made = self.block(run)
        if found is None:
            return made
        own = [name for name in found.writes if self.place_of(name) == self.own_place(name)]
        tested = [
            name
            for name in found.writes
            if name in self.defined and self.masks.get(name, ANY) & OTHER
        ][-TESTED:]
        others = self.scope.global_names | self.scope.persistent_names
        renamed = any(n in others or mangle(n) != n for n in (*found.reads, *found.writes))
        if len(own) != len(found.writes) or not tested or renamed:
            return made
        return self._around(run, found, made, tested)

    def _around(
        self, run: list[ast.Stmt], found: StatementRun, made: list[py.stmt], tested: list[str]
    ) -> list[py.stmt]:
        """Statements with the test around them."""
        self.temporaries += 1
        result = f"_r{self.temporaries}"
        self.temporaries -= 1
        name = self.unit.new_passage()
        dynamic = self.scope.dynamic
        variables = load("_w") if dynamic else call("_locals")
        tests = [_IN_DICT(K=const(n)) if dynamic else _IS_PENDING(V=load(n)) for n in tested]
        note = call(
            "_note_passage",
            call("_globals"),
            const(name),
            tuple_of([const(n) for n in found.reads]),
            tuple_of([const(n) for n in found.writes]),
            tuple_of([const(n) for n in found.unsure]),
            tuple_of([const(n) for n in self._callees()]),
        )
        targets = py.Tuple([self.target(n) for n in found.writes], pyast.STORE)
        code = _ENTER(
            T=pyast.store(result),
            R=load(result),
            P=load(name),
            V=variables,
            BODY=made,
            TEST=tests[0] if len(tests) == 1 else py.BoolOp(py.Or(), tests),
            NOTE=[pyast.expression(note)],
            STORE=[py.Assign([targets], load(result))],
        )
        place(code, run[0].span)
        return code

    def _callees(self) -> list[str]:
        """Return the global names in a passage's code that may be functions, or their cells."""
        cells, infos = self.unit.cells, self.unit.infos
        # functions that stand below this one have no code yet
        below = {mangle(name) for name in self.unit.local_functions}
        known = [name for name in self.unit.met if name in cells or name in infos or name in below]
        return sorted(name for name in known if "~loop" not in name)
