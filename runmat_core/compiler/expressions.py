"""Expressions: operators, literals, conditions.

Python's operators are MATLAB's on floats and on every value class, so `a + b` becomes just that
wherever the masks exclude two bools; otherwise a class test chooses between the operator and a
helper that knows the rules.
"""

from __future__ import annotations

import ast as py

from runmat_core.compiler.classes import (
    BOOL,
    FLOAT,
    NUMBER,
    OTHER,
    RELATIONS,
    SHORT_CIRCUIT,
    binary_mask,
    unary_mask,
)
from runmat_core.compiler.code import MAX_DEPTH, Code, Emitter, Given, constant, helper, mark
from runmat_core.compiler.folding import fold
from runmat_core.compiler.pyast import (
    both,
    call,
    const,
    either,
    load,
    star,
    template,
    tuple_of,
    walrus,
)
from runmat_core.syntax import ast

_OPERATOR: dict[str, type[py.operator]] = {
    "+": py.Add,
    "-": py.Sub,
    "*": py.Mult,
    ".*": py.Mult,
    "/": py.Div,
    "./": py.Div,
    "&": py.BitAnd,
    "|": py.BitOr,
}
_COMPARISON: dict[str, type[py.cmpop]] = {
    "<": py.Lt,
    "<=": py.LtE,
    ">": py.Gt,
    ">=": py.GtE,
    "==": py.Eq,
    "~=": py.NotEq,
    "!=": py.NotEq,
}
_HELPER = {
    "+": "_plus",
    "-": "_minus",
    "*": "_mtimes",
    ".*": "_times",
    "/": "_mrdivide",
    "./": "_rdivide",
    "\\": "_mldivide",
    ".\\": "_ldivide",
    "^": "_mpower",
    ".^": "_power",
    "&": "_and",
    "|": "_or",
}

_IS_FLOAT = template("X.__class__ is _float_t")
_NOT_BOOL = template("X.__class__ is not _bool_t")
_IS_BOOL = template("X.__class__ is _bool_t")
_IS_TRUE = template("(V) is True or (X is not False and T(X))")
_SCALAR_TRUE = template("(V) is True or (X.__class__ is _float_t and X == X != 0.0)")
_SCALAR_FALSE = template("(V) is False or (X.__class__ is _float_t and X == 0.0)")
_IS_TRUE_SCALAR = template("(V) is True or (X is not False and T(X, O))")


class Expressions(Emitter):
    """Generates expressions; calls and subscripts are in `subscripts`."""

    def expr(self, node: ast.Expr) -> Code:
        """Return the code of `node`, which may be a comma list where `many` says so."""
        self.depth += 1
        try:
            code = mark(self._expr(node), node)
            if self.depth > MAX_DEPTH and self.depth % MAX_DEPTH == 0:
                code = self.settle(self.single(code))
            return code
        finally:
            self.depth -= 1

    def _expr(self, node: ast.Expr) -> Code:
        match node:
            case ast.Name() | ast.Index() | ast.Field() | ast.DynamicField() | ast.SuperCall():
                return self.postfix(node, const(1))
            case ast.Number() | ast.IntegerLiteral() | ast.Char() | ast.String():
                return self.literal(node)
            case ast.Binary():
                return self.chain(node)
            case ast.Unary(op=op, operand=operand):
                return self.unary(op, self.value(operand))
            case ast.Postfix(op=op, operand=operand):
                return self.transpose(op, self.value(operand))
            case ast.Range(start=start, step=step, stop=stop):
                recipe = fold(node)
                if recipe is not None:
                    return Code(self.unit.constant(recipe), OTHER, fresh=False, simple=True)
                parts = [self.value(p).node for p in (start, step, stop) if p is not None]
                return helper("_colon", *parts, mask=NUMBER)
            case ast.Matrix() | ast.NumberMatrix():
                return self.matrix(node)
            case ast.Cell():
                return self.cell(node)
            case ast.End():
                return self.end()
            case ast.AnonymousFunction():
                return self.anonymous(node)
            case ast.FunctionHandle():
                return self.handle(node)
            case ast.Colon():
                return Code(load("_COLON"), OTHER, simple=True)
            case ast.Assignment():
                return self.assignment(node)
            case Given(node=made):
                return Code(made)
            case ast.MetaClass(name=name):
                return self.call_function("meta.class.fromName", (ast.Char(name),), const(1))
            case _:
                return helper("_unsupported", const(type(node).__name__))

    def assignment(self, node: ast.Assignment) -> Code:
        """Return the value of an assignment inside an expression."""
        raise NotImplementedError

    def literal(self, node: ast.Expr) -> Code:
        if isinstance(node, ast.Number) and isinstance(node.value, float):
            return constant(node.value)
        recipe = fold(node)
        assert recipe is not None
        return Code(self.unit.constant(recipe), OTHER, fresh=False, simple=True)

    # -- operators --------------------------------------------------------------------------------

    def chain(self, node: ast.Binary) -> Code:
        """Return a left-deep chain of operators, however long."""
        links: list[ast.Binary] = []
        first: ast.Expr = node
        while isinstance(first, ast.Binary):
            links.append(first)
            first = first.left
        lazy = next((i for i, link in enumerate(links) if link.op in SHORT_CIRCUIT), None)
        if lazy is None:
            code = self.value(first)
        else:
            code = Code(self.short_circuit(links[lazy]), BOOL)
            links = links[:lazy]
        for count, link in enumerate(reversed(links), 1):
            code = mark(self.binary(link.op, code, self.value(link.right)), link)
            if count % MAX_DEPTH == 0:
                code = self.settle(code)
        return code

    def binary(self, op: str, a: Code, b: Code) -> Code:
        mask = binary_mask(op, a.mask, b.mask)
        if op in RELATIONS:
            return Code(py.Compare(a.node, [_COMPARISON[op]()], [b.node]), mask)
        if op in ("+", "-", "*"):
            return Code(self._sum_or_product(op, a, b), mask)
        if op == ".*":
            return Code(self._elementwise_product(a, b), mask)
        if op in ("/", "./"):
            return Code(self._quotient(op, a, b), mask)
        if op in ("^", ".^") and _is_two(b.node):
            tests: list[py.expr] = []
            x = self.once(a, tests)
            product = _operator("*", x, x)
            power = call(_HELPER[op], x, b.node)
            return Code(either(both(*tests, _IS_FLOAT(X=x)), product, power), NUMBER)
        if op in ("&", "|") and a.mask == b.mask == BOOL:
            return Code(_operator(op, a.node, b.node), BOOL)
        return helper(_HELPER[op], a.node, b.node, mask=mask)

    def _sum_or_product(self, op: str, a: Code, b: Code) -> py.expr:
        if not a.mask & b.mask & BOOL:
            return _operator(op, a.node, b.node)
        tests: list[py.expr] = []
        x, y = self.once(a, tests), self.once(b, tests)
        guard = _NOT_BOOL(X=x)
        return either(both(*tests, guard), _operator(op, x, y), call(_HELPER[op], x, y))

    def _elementwise_product(self, a: Code, b: Code) -> py.expr:
        if FLOAT in (a.mask, b.mask):
            return _operator("*", a.node, b.node)
        tests: list[py.expr] = []
        x, y = self.once(a, tests), self.once(b, tests)
        scalars = both(*tests, _IS_FLOAT(X=x))
        return either(scalars, _operator("*", x, y), call("_times", x, y))

    def _quotient(self, op: str, a: Code, b: Code) -> py.expr:
        if isinstance(b.node, py.Constant) and b.node.value:
            return _operator(op, a.node, b.node)
        tests: list[py.expr] = []
        x, y = self.once(a, tests), self.once(b, tests)
        if op == "./" and b.mask != FLOAT:
            tests.append(_IS_FLOAT(X=y))
        return either(both(*tests, y), _operator(op, x, y), call(_HELPER[op], x, y))

    def unary(self, op: str, a: Code) -> Code:
        mask = unary_mask(op, a.mask)
        if isinstance(a.node, py.Constant) and a.mask == FLOAT and op != "~":
            number = a.node.value
            assert isinstance(number, float)
            return constant(-number if op == "-" else number)
        if op == "-":
            if not a.mask & BOOL:
                return Code(py.UnaryOp(py.USub(), a.node), mask)
            return self._guarded(_NOT_BOOL, py.USub(), "_uminus", a, mask)
        if op == "~":
            if a.mask == BOOL:
                return Code(py.UnaryOp(py.Not(), a.node), BOOL)
            return self._guarded(_IS_BOOL, py.Not(), "_not", a, mask)
        return a if a.mask == FLOAT else helper("_uplus", a.node, mask=mask)

    def _guarded(self, test: object, op: py.unaryop, name: str, a: Code, mask: int) -> Code:
        tests: list[py.expr] = []
        x = self.once(a, tests)
        assert callable(test)
        guard = both(*tests, test(X=x))
        return Code(either(guard, py.UnaryOp(op, x), call(name, x)), mask)

    def transpose(self, op: str, a: Code) -> Code:
        if not a.mask & OTHER:
            return a
        tests: list[py.expr] = []
        x = self.once(a, tests)
        function = load("_ctranspose" if op == "'" else "_transpose")
        return Code(either(both(*tests, _IS_FLOAT(X=x)), x, py.Call(function, [x], [])), a.mask)

    # -- conditions -------------------------------------------------------------------------------

    def condition(self, node: ast.Expr) -> py.expr:
        """Return a Python test for ``if`` and ``while``: non-empty and all non-zero.

        There ``|`` and ``&`` do not evaluate the right side when the left one decides.
        """
        if isinstance(node, ast.Binary) and node.op in SHORT_CIRCUIT:
            return self.short_circuit(node)
        if isinstance(node, ast.Binary) and node.op in ("|", "&"):
            left = self._lazy(node.left)
            outer, self.prelude = self.prelude, None
            right = self._lazy(node.right)
            self.prelude = outer
            if left.mask == right.mask == BOOL:
                test = py.Or() if node.op == "|" else py.And()
                return py.BoolOp(test, [left.node, right.node])
            x = self.temporary()
            first = self.truth(Code(walrus(x, left.node), left.mask))
            joined = call("_or" if node.op == "|" else "_and", load(x), right.node)
            rest = self.truth(Code(joined, BOOL | OTHER))
            return py.BoolOp(py.Or() if node.op == "|" else py.And(), [first, rest])
        return self.truth(self.value(node))

    def _lazy(self, node: ast.Expr, depth: int = 0) -> Code:
        """Return an operand of ``|`` or ``&`` in a condition, where scalars decide, too."""
        if not (isinstance(node, ast.Binary) and node.op in ("|", "&")) or depth > MAX_DEPTH:
            return self.value(node)
        left = self._lazy(node.left, depth + 1)
        outer, self.prelude = self.prelude, None
        right = self._lazy(node.right, depth + 1)
        self.prelude = outer
        either, decided = (py.Or(), True) if node.op == "|" else (py.And(), False)
        if left.mask == right.mask == BOOL:
            return Code(py.BoolOp(either, [left.node, right.node]), BOOL)
        x = self.temporary()
        decides = (_SCALAR_TRUE if decided else _SCALAR_FALSE)(V=walrus(x, left.node), X=load(x))
        joined = call("_or" if decided else "_and", load(x), right.node)
        return Code(py.IfExp(decides, const(decided), joined), BOOL | OTHER)

    def truth(self, code: Code) -> py.expr:
        """Return the test of a value."""
        if code.mask == BOOL:
            return code.node
        x = self.temporary()
        return _IS_TRUE(V=walrus(x, code.node), X=load(x), T=load("_truth"))

    def short_circuit(self, node: ast.Binary) -> py.expr:
        """``&&`` and ``||``, chains of one operator flattened."""
        operands: list[ast.Expr] = []
        pending: list[ast.Expr] = [node]
        while pending:
            operand = pending.pop()
            if isinstance(operand, ast.Binary) and operand.op == node.op:
                pending += [operand.right, operand.left]
            else:
                operands.append(operand)
        tests = [self._scalar_truth(operands[0], node.op)]
        outer, self.prelude = self.prelude, None
        tests += [self._scalar_truth(operand, node.op) for operand in operands[1:]]
        self.prelude = outer
        return py.BoolOp(py.And() if node.op == "&&" else py.Or(), tests)

    def _scalar_truth(self, node: ast.Expr, op: str) -> py.expr:
        if isinstance(node, ast.Binary) and node.op in SHORT_CIRCUIT:
            return self.short_circuit(node)
        code = self.value(node)
        if code.mask == BOOL:
            return code.node
        x = self.temporary()
        return _IS_TRUE_SCALAR(
            V=walrus(x, code.node), X=load(x), T=load("_scalar_truth"), O=const(op)
        )

    # -- matrices and cells -----------------------------------------------------------------------

    def matrix(self, node: ast.Matrix | ast.NumberMatrix) -> Code:
        recipe = fold(node)
        if recipe is not None:
            if recipe[0] == "double":
                return constant(recipe[1])
            return Code(self.unit.constant(recipe), OTHER, fresh=False, simple=True)
        assert isinstance(node, ast.Matrix)
        if len(node.rows) == 1:
            return Code(self._row([self.expr(element) for element in node.rows[0]]))
        rows = []
        width = len(node.rows[0])
        if width > 1 and all(len(row) == width for row in node.rows):
            elements = [self.expr(element) for row in node.rows for element in row]
            if not any(code.many for code in elements):
                return helper("_block", const(width), *[code.node for code in elements])
            parts = [elements[k : k + width] for k in range(0, len(elements), width)]
            return helper("_vertcat", *[self._row(part) for part in parts])
        for row in node.rows:
            elements = [self.expr(element) for element in row]
            alone = len(elements) == 1 and not elements[0].many
            rows.append(elements[0].node if alone else self._row(elements))
        return helper("_vertcat", *rows)

    def _row(self, elements: list[Code]) -> py.expr:
        if len(elements) == 2 and not any(code.many for code in elements):
            return call("_horzcat2", elements[0].node, elements[1].node)
        return call("_horzcat", *self.spread(elements))

    def cell(self, node: ast.Cell) -> Code:
        recipe = fold(node)
        if recipe is not None:
            return Code(self.unit.constant(recipe), OTHER, fresh=False, simple=True)
        rows: list[py.expr] = []
        for row in node.rows:
            elements = [self.expr(element) for element in row]
            if any(code.many for code in elements):
                rows.append(call("_owned", tuple_of(self.spread(elements))))
            else:
                rows.append(tuple_of([self.shared(code) for code in elements]))
        if len(rows) < 2:
            return helper("_cell_row", rows[0] if rows else tuple_of([]), mask=OTHER)
        return helper("_cell_rows", *rows, mask=OTHER)

    def spread(self, codes: list[Code]) -> list[py.expr]:
        """Arguments for a helper that takes any number: comma lists spread out."""
        if not any(code.many for code in codes):
            return [code.node for code in codes]
        return [star(call("_flat", *[code.node for code in codes]))]

    def end(self) -> Code:
        """``end``: for names that may be functions, the innermost one that is a variable."""
        code: py.expr = call("_no_end")
        for context in self.ends:
            context.used = True
            value = call("_end", context.value, const(context.position), const(context.count))
            code = value if context.bound is None else either(context.bound, value, code)
        return Code(code, FLOAT)


def _operator(op: str, a: py.expr, b: py.expr) -> py.BinOp:
    return py.BinOp(a, _OPERATOR[op](), b)


def _is_two(node: py.expr) -> bool:
    return isinstance(node, py.Constant) and node.value == 2.0 and node.value is not True
