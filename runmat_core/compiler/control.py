"""Control flow: branches, loops, errors.

A `for` over a range is a Python `for` over floats. Long ``elseif`` chains become groups, and blocks
nested deeper than CPython allows move to functions of their own.
"""

from __future__ import annotations

import ast as py

import attrs

from runmat_core.compiler import loops, pyast
from runmat_core.compiler.classes import ANY, FLOAT, OTHER
from runmat_core.compiler.code import Given
from runmat_core.compiler.conditional import conditional, until_break
from runmat_core.compiler.counted import Counted, counted
from runmat_core.compiler.host import mangle
from runmat_core.compiler.pyast import (
    assign_name,
    call,
    const,
    load,
    place,
    statements,
    template,
    walrus,
)
from runmat_core.compiler.runtime.loops import FLAGS, TRIP
from runmat_core.compiler.statements import Statements, leaves, target_name
from runmat_core.syntax import ast

#: ``elseif`` clauses in one nested Python ``if``.
MAX_CLAUSES = 40

_FOR = statements(
    "if (S).__class__ is _Empty:\n    EMPTY\nelse:\n    ENTRY\n    for T in I:\n        BODY"
)
_EACH = statements("for T in I:\n    BODY")
_IF = statements("if C:\n    BODY\nelse:\n    ORELSE")
_WHILE = statements("while C:\n    BODY")
_FOREVER = statements("while True:\n    BODY")
_BREAK_UNLESS = statements("if C:\n    pass\nelse:\n    break")
_BREAK_IF = statements("if C:\n    break")
_TRY = statements("try:\n    BODY\nexcept _Exception as _e:\n    X = _s.caught(_e)")
_HANDLER = statements("if X is not None:\n    BODY")
_FINALLY = statements("try:\n    BODY\nfinally:\n    CLEANUP")
_CASE_NUMBER = template("X == V if X.__class__ is _float_t else _case(X, V)")


#: Numbers of a literal range that stand in the code as they are.
_FEW = 16


def _few(node: ast.Range) -> tuple[float, ...] | None:
    """Return the elements of a range of a few literal whole numbers; None for any other."""
    start, stop = node.start, node.stop
    if node.step is not None or not (
        isinstance(start, ast.Number) and isinstance(stop, ast.Number)
    ):
        return None
    first, last = start.value, stop.value
    if not (isinstance(first, float) and isinstance(last, float) and first.is_integer()):
        return None
    if not first <= last < first + _FEW:
        return None
    return tuple(map(float, range(int(first), int(last) + 1)))


class Control(Statements):
    """Generates control flow."""

    # -- branches ---------------------------------------------------------------------------------

    def on_If(self, node: ast.If) -> None:
        """Clauses in groups: a group that decides nothing leaves a flag set for the next."""
        clauses = list(node.clauses)
        undecided = self.temporary() if len(clauses) > MAX_CLAUSES else ""
        before = set(self.defined)
        ends: list[set[str]] = []
        for start in range(0, len(clauses), MAX_CLAUSES):
            group = clauses[start : start + MAX_CLAUSES]
            last = start + MAX_CLAUSES >= len(clauses)
            outer, self.out = self.out, []
            tail: list[py.stmt] = []
            if last:
                tests = self._tests(group, ends)
                if node.orelse is not None:
                    tail, after = self.branch(node.orelse)
                    ends.append(after)
            else:
                tests = self._tests(group, ends)
                tail = [assign_name(undecided, const(True))]
            made, self.out = [*self.out, *_if_chain(tests, tail)], outer
            if undecided:
                made.insert(0, assign_name(undecided, const(False)))
            if start:
                made = _IF(C=load(undecided), BODY=made, ORELSE=[])
            self.out.extend(made)
        if node.orelse is None:
            ends.append(before)
        self.defined = set.intersection(*ends) if ends else before

    def _tests(
        self, clauses: list[tuple[ast.Expr, ast.Block]], ends: list[set[str]]
    ) -> list[tuple[py.expr, list[py.stmt]]]:
        made = []
        for count, (condition, body) in enumerate(clauses):
            self.prelude = None if count or ends else self.out
            test = self.condition(condition)
            self.prelude = self.out
            block, after = self.branch(body)
            if not leaves(body):
                ends.append(after)
            place([test], condition.span)
            made.append((test, block))
        return made

    def on_Switch(self, node: ast.Switch) -> None:
        subject = self.temporary()
        self.out.append(assign_name(subject, call("_switch", self.value(node.subject).node)))
        clauses = [
            (_Case(load(subject), condition, span=condition.span), body)
            for condition, body in node.cases
        ]
        self.on_If(ast.If(tuple(clauses), node.otherwise, span=node.span))

    def condition(self, node: ast.Expr) -> py.expr:
        if isinstance(node, _Case):
            return self.case(node)
        return super().condition(node)

    def case(self, node: _Case) -> py.expr:
        if isinstance(node.value, ast.Cell) and len(node.value.rows) == 1:
            # alternatives are compared one by one: no cell is made
            tests = [
                self.case(_Case(node.subject, item, span=item.span)) for item in node.value.rows[0]
            ]
            return py.BoolOp(py.Or(), tests) if len(tests) > 1 else tests[0]
        value = self.expr(node.value)
        if value.many:
            return call("_case_any", node.subject, value.node)
        if value.mask == FLOAT and value.simple:
            return _CASE_NUMBER(X=node.subject, V=value.node)
        return call("_case", node.subject, value.node)

    # -- loops ------------------------------------------------------------------------------------

    def on_For(self, node: ast.For) -> None:
        if self.is_deep():
            self.outline(node)
            return
        if node.key is not None:
            self.for_fields(node, node.key)
            return
        captured = self.capturable(node)
        ahead = self.run_ahead(until_break(node)) if captured is None else None
        parts: list[py.expr] = []
        plain = captured is None and ahead is None
        items = self.iterator(node.iterable, None if plain else parts)
        source, item = self.temporary(), self.temporary()
        flag = "" if plain else self.temporary()
        before = set(self.defined)
        name = target_name(node.target)
        with self.nested(loops=1):
            if isinstance(node.target, ast.Name):
                target = self.target(node.target.id)
                self.defined.add(node.target.id)
                body = self.block(node.body)
            else:
                target = pyast.store(item)
                first = ast.Assign(node.target, Given(load(item)), span=node.target.span)
                body = self.block((first, *node.body))
        entry: list[py.stmt] = []
        if captured is not None:
            dynamic = self.scope.dynamic
            body += self.attempt(captured, flag, parts, self.defined, source=source)
            entry = loops.before_all(captured, source, self.temporary(), parts, dynamic)
        elif ahead is not None and self.tested(ahead, self.defined)[0]:
            body += self.attempt(ahead, flag, parts, self.defined, "_ahead", source)
        self.defined = before
        nothing = Given(pyast.attribute(load(source), "value"))
        empty = self.block((ast.Assign(node.target, nothing, span=node.target.span),))
        self.defined = before | ({name} if name else set())
        self.out += _FOR(
            S=walrus(source, items),
            EMPTY=empty,
            ENTRY=entry,
            T=target,
            I=load(source),
            BODY=body or [py.Pass()],
        )
        self.out.append(assign_name(source, const(None)))

    def for_fields(self, node: ast.For, key: ast.Expr) -> None:
        """``for [value, key] = struct``, in the octave dialect."""
        item = self.temporary()
        fields = call("_fields", self.value(node.iterable).node)
        parts = [py.Subscript(load(item), const(k), pyast.LOAD) for k in (0, 1)]
        first = [
            ast.Assign(target, Given(part), span=target.span)
            for target, part in zip((node.target, key), parts, strict=True)
        ]
        before = set(self.defined)
        with self.nested(loops=1):
            body = self.block((*first, *node.body))
        self.defined = before
        self.out += _EACH(T=pyast.store(item), I=fields, BODY=body)

    def iterator(self, node: ast.Expr, keep: list[py.expr] | None = None) -> py.expr:
        """Return what a ``for`` iterates: an iterator, or an `_Empty` with the variable's value.

        Args:
            keep: takes expressions that give start, step and stop again, or the array.
        """
        if isinstance(node, ast.Range):
            few = _few(node) if keep is None else None
            if few is not None:
                return pyast.tuple_of([const(number) for number in few])
            parts = [self.value(part).node for part in (node.start, node.stop)]
            if node.step is not None:
                parts.insert(1, self.value(node.step).node)
        elif keep is None:
            # what lists the elements at once need not hold the array
            parts = [self.value(node).node]
        else:
            parts = [self.shared(self.expr(node))]
        if keep is not None:
            names = [self.temporary() for _ in parts]
            parts = [walrus(name, part) for name, part in zip(names, parts, strict=True)]
            keep += [load(name) for name in names]
        helper = f"_range{len(parts)}" if isinstance(node, ast.Range) else "_iterate"
        return call(helper, *parts)

    def capturable(self, node: ast.For) -> loops.Capturable | None:
        """Return a loop that may become a kernel, with a twin of its body; None for any other."""
        if self.twin or self.outlined or self.tries:
            return None
        found = loops.screen(node, self.scope)
        if isinstance(found, loops.Refusal):
            return None
        variable, writes, reads = found
        if any(self.place_of(name) != self.own_place(name) for name in (variable, *writes)):
            return None
        if any(mangle(name) != name for name in reads):
            return None
        if not any(map(self.may_be_array, writes)):
            return None
        return loops.Capturable(variable, writes, reads, self.twin_of(node))

    def may_be_array(self, name: str) -> bool:
        """Whether a variable may be an array in a loop that begins here.

        In a script only the text is asked: nothing but speed depends on the answer.
        """
        if self.scope.dynamic and name in self.defined:
            return bool(self.likely.get(name, ANY) & OTHER)
        return bool(self.masks.get(name, ANY) & OTHER)

    def own_place(self, name: str) -> tuple[str, str]:
        """Where a variable is that only this function or script holds."""
        return ("_w", name) if self.scope.dynamic else ("local", name)

    def twin_of(self, node: ast.For) -> str:
        """Define a twin of a loop's body, a function over a dict of variables; its name."""
        raise NotImplementedError

    def attempt(
        self,
        loop: loops.Capturable,
        flag: str,
        parts: list[py.expr],
        defined: set[str],
        helper: str = "_loop",
        source: str = "",
    ) -> list[py.stmt]:
        """Return the end of the body of a loop that may become a kernel.

        Args:
            flag: a temporary that no statement of the body uses.
            parts: what `helper` takes to count the trips.
            defined: what is surely bound there.
            source: the temporary with what a ``for`` iterates; else empty.
        """
        dynamic = self.scope.dynamic
        tested, unsure = self.tested(loop, defined)
        self.out += loops.before_first(loop, flag, helper)
        result = self.temporary()
        return loops.after_first(loop, flag, result, parts, tested, dynamic, helper, unsure, source)

    def tested(self, loop: loops.Capturable, defined: set[str]) -> tuple[list[str], bool]:
        """The written variables that may be arrays, and whether one may be unbound after a trip.

        Args:
            defined: what is surely bound there.
        """
        large = [n for n in loop.writes if self.masks.get(n, ANY) & OTHER]
        sure = [n for n in large if self.scope.dynamic or n in defined]
        # variables of inner loops and branches, which may have no trips, are looked at last
        return [*sure, *[n for n in large if n not in sure]], len(large) > len(sure)

    def on_While(self, node: ast.While) -> None:
        if self.is_deep():
            self.outline(node)
            return
        outer, self.out = self.out, []
        self.prelude = self.out
        test = self.condition(node.condition)
        place([test], node.condition.span)
        hoisted, self.out = self.out, outer
        counter = counted(node)
        captured = None if counter is None else self.capturable(counter.loop)
        plain = captured is None and not hoisted
        ahead = self.run_ahead(conditional(node)) if plain else None
        flag = "" if captured is None and ahead is None else self.temporary()
        with self.nested(loops=1):
            body, after = self.branch(node.body)
        if ahead is not None and self.tested(ahead, after)[0]:
            body += self.attempt(ahead, flag, [], after, "_ahead")
        if counter is not None and captured is not None:
            parts = self.counting(counter, captured)
            tested, unsure = self.tested(captured, after)
            if not hoisted and not unsure and loops.is_innermost(node.body):
                with self.nested(loops=1):
                    rest, _ = self.branch(node.body)
                result, dynamic = self.temporary(), self.scope.dynamic
                self.out += loops.once_by_itself(
                    test, body, rest, captured, result, parts, tested, dynamic
                )
                return
            body += self.attempt(captured, flag, parts, after, "_counted")
        if hoisted:
            self.out += _FOREVER(BODY=[*hoisted, *_BREAK_UNLESS(C=test), *body])
        else:
            self.out += _WHILE(C=test, BODY=body or [py.Pass()])

    def run_ahead(self, flagged: ast.For | None) -> loops.Capturable | None:
        """Return a loop whose trips may be run ahead in batches, with a twin of its body."""
        found = None if flagged is None else self.capturable(flagged)
        if found is None:
            return None
        own = {TRIP, FLAGS}
        if not any(self.may_be_array(name) for name in found.writes if name not in own):
            return None
        writes, reads = (
            tuple(name for name in names if name not in own)
            for names in (found.writes, found.reads)
        )
        return attrs.evolve(found, variable="", writes=writes, reads=reads)

    def counting(self, counter: Counted, captured: loops.Capturable) -> list[py.expr]:
        """Return what tells the trips of a ``while`` that counts.

        Before it goes the attempt on all.
        """
        step = self.value(counter.step).node
        told = None if counter.told is None else py.Constant(counter.told)  # type: ignore[arg-type]
        bound = self.value(counter.bound).node if told is None else told
        how: list[py.expr] = [const(counter.relation), const(counter.ahead)]
        # before the first trip nothing is known to have a value
        ends = [_named(counter.step), told or _named(counter.bound)]
        if None not in ends:
            parts = [*filter(None, ends), *how]
            self.out += loops.before_all(
                captured, "", self.temporary(), parts, self.scope.dynamic, "_counted_entry"
            )
        return [step, bound, *how]

    def on_DoUntil(self, node: ast.DoUntil) -> None:
        if self.is_deep():
            self.outline(node)
            return
        with self.nested(loops=1):
            # `continue` goes to the condition
            self.until = node.condition
            body = self.block(node.body)
        outer, self.out = self.out, body
        test = self.condition(node.condition)
        self.out = outer
        self.out += _FOREVER(BODY=[*body, *_BREAK_IF(C=test)])

    def on_Break(self, node: ast.Break) -> None:
        self.out.append(py.Break() if self.loops else self.signal("break"))

    def on_Continue(self, node: ast.Continue) -> None:
        if self.until is not None:
            self.out += _BREAK_IF(C=self.condition(self.until))
        self.out.append(py.Continue() if self.loops else self.signal("continue"))

    def on_Return(self, node: ast.Return) -> None:
        self.leave()

    # -- errors -----------------------------------------------------------------------------------

    def on_Try(self, node: ast.Try) -> None:
        """Run the handler outside the ``except``, when what the error held has been let go."""
        if self.is_deep():
            self.outline(node)
            return
        error = self.temporary()
        with self.nested(tries=1):
            body, after = self.branch(node.body)
        before = set(self.defined)
        outer, self.out = self.out, []
        if node.identifier is not None:
            self.out.append(pyast.assign(self.target(node.identifier), load(error)))
            self.defined.add(node.identifier)
        self.out.append(assign_name(error, const(None)))
        for statement in node.handler or ():
            self.statement(statement)
        handler, self.out = self.out, outer
        self.defined = self.defined & after if not leaves(node.handler or ()) else after
        self.defined |= before
        self.out.append(assign_name(error, const(None)))
        self.out += _TRY(BODY=body or [py.Pass()], X=pyast.store(error))
        self.out += _HANDLER(X=load(error), BODY=handler)

    def on_UnwindProtect(self, node: ast.UnwindProtect) -> None:
        if self.is_deep():
            self.outline(node)
            return
        with self.nested(tries=1):
            body, after = self.branch(node.body)
        with self.nested():
            cleanup = self.block(node.cleanup)
        self.defined |= after
        self.out += _FINALLY(BODY=body or [py.Pass()], CLEANUP=cleanup or [py.Pass()])


@attrs.frozen
class _Case(ast.Expr):
    """The test of one ``case``."""

    subject: py.expr
    value: ast.Expr


def _named(one: ast.Expr) -> py.expr | None:
    """Return a number, or the name of a variable as text; None for anything else."""
    if isinstance(one, ast.Name):
        return const(one.id)
    if isinstance(one, ast.Number) and isinstance(one.value, float):
        return const(one.value)
    return None


def _if_chain(tests: list[tuple[py.expr, list[py.stmt]]], orelse: list[py.stmt]) -> list[py.stmt]:
    for test, body in reversed(tests):
        orelse = _IF(C=test, BODY=body or [py.Pass()], ORELSE=orelse)
    return orelse
