"""Names, calls, subscripts and fields in expressions.

`f(x)` is a call where `f` is a function and a subscript where it is a variable; where only running
tells, both are emitted behind a test, with the arguments computed once before it. A subscripted
variable may hold a function handle, so its class is tested before it is indexed. Calls stay plain
Python calls of a known number of arguments unless an argument turns out to be a comma list.
"""

from __future__ import annotations

import ast as py
from collections.abc import Callable

from runmat_core.compiler.classes import ANY, FLOAT, OTHER
from runmat_core.compiler.code import Code, EndContext, Given, asking, mark
from runmat_core.compiler.expressions import Expressions
from runmat_core.compiler.folding import fold_span
from runmat_core.compiler.host import CONSTANTS, mangle
from runmat_core.compiler.pyast import (
    after,
    attribute,
    both,
    call,
    const,
    either,
    is_colon_call,
    is_one,
    load,
    star,
    template,
    tuple_of,
    walrus,
    wholes,
)
from runmat_core.syntax import ast

_IS_HANDLE = template("X.__class__ is _Handle")
_FIRST = template("X[0]")
_IS_SINGLE = template("X.__class__ is not _CommaList")
_CALL_HANDLE = template("X.fn")
_CELL_OR_VALUE = template("READ if TEST else CALL")
#: What reads so many subscripts; with ranges among them.
_INDEX_HELPER = {1: "_index1", 2: "_index2", 3: "_index3"}
_PART_HELPER = {1: "_part1", 2: "_part2", 3: "_index3"}


class Subscripts(Expressions):
    """Generates names, calls and subscripts; ``nargout`` is what the outermost call is to give."""

    def postfix(self, node: ast.Expr, nargout: py.expr) -> Code:
        match node:
            case ast.Name(id=name):
                return self.name(name, nargout)
            case ast.Index(base=base, kind="()", args=args):
                return self.parenthesis(base, args, nargout)
            case ast.Index(base=base, kind="{}", args=args):
                return self.brace(base, args)
            case ast.Field(base=base, name=name):
                dotted = self.dotted(node)
                if dotted is not None:
                    return self.dotted_call(dotted, None, nargout)
                return Code(self.field_of(self.base(base).node, name, nargout), ANY, many=True)
            case ast.DynamicField(base=base, name=name):
                key = self.value(name).node
                return Code(call("_dynamic_field", self.base(base).node, key), ANY, many=True)
            case ast.SuperCall():
                return self.super_call(node, nargout)
            case _:
                return self.value(node)

    def field_of(self, base: py.expr, name: str, nargout: py.expr) -> py.expr:
        """``base.name``, which may be a method and is told how many outputs it is asked for."""
        if is_one(nargout):
            return call("_field", base, const(name))
        return call("_outputs_of_field", base, const(name), nargout)

    def super_call(self, node: ast.SuperCall, nargout: py.expr) -> Code:
        """``obj@Super(args)`` in a constructor, else ``method@Super(args)``."""
        given = node.args or ()
        superclass = const(node.superclass)
        if node.method == self.scope.constructed:
            function = call("_super_constructor", load("_class"), superclass)
            given = (ast.Name(node.method), *given)
        else:
            function = call("_super_method", load("_class"), const(node.method), superclass)
        codes = self.arguments(given, colon=const_char(self))

        def build(nodes: list[py.expr]) -> py.expr:
            return py.Call(function, [nargout, *nodes], [])

        return Code(self.with_arguments(codes, build, []))

    # -- names ------------------------------------------------------------------------------------

    def name(self, name: str, nargout: py.expr) -> Code:
        status = self.status(name)
        if status == "variable":
            code = self.variable(name)
            return code if self.is_plain(name) or not self.calls else self.detached(code)
        function = self.name_call(name, nargout)
        if status == "function":
            return function
        node = _CELL_OR_VALUE(READ=self.read(name), TEST=self.is_bound(name), CALL=function.node)
        return Code(node, ANY, fresh=False)

    def detached(self, code: Code) -> Code:
        """Return a variable that a call in the same statement may write to, as its own value."""
        return Code(self.shared(code), code.mask, pure=True)

    def name_call(self, name: str, nargout: py.expr) -> Code:
        """Return the call of a function without arguments."""
        if self.scope.kind in ("function", "nested") and name in ("nargin", "nargout"):
            return Code(load(f"_{name}"), FLOAT, simple=True)
        if name in CONSTANTS and self.is_external(name) and is_one(nargout):
            return Code(self.constant_or_call(self.unit.cell(name, self.imports)))
        return Code(py.Call(self.function(name), [nargout], []))

    def is_external(self, name: str) -> bool:
        return self.nested_key(name) is None and name not in self.unit.local_functions

    def function(self, name: str) -> py.expr:
        """Return the callable of a function name: nested, local to the file, or behind a cell."""
        nested = self.nested_key(name)
        if nested is not None:
            return load(nested)
        if name in self.unit.local_functions:
            return load(mangle(name))
        return attribute(load(self.unit.cell(name, self.imports)), "fn")

    # -- calls and subscripts ---------------------------------------------------------------------

    def parenthesis(
        self,
        base: ast.Expr,
        args: tuple[ast.Expr, ...],
        nargout: py.expr,
        inner: bool = False,
    ) -> Code:
        """``base(args)``; `inner`: a field or subscript follows."""
        dotted = self.dotted(base)
        if dotted is not None:
            return self.dotted_call(dotted, args, nargout, inner)
        if isinstance(base, ast.Name):
            status = self.status(base.id)
            if status == "function":
                return self.call_function(base.id, args, nargout)
            if status == "either":
                return self.call_or_index(base.id, args, nargout, inner)
            return self.index(self.variable(base.id), args, nargout, inner)
        return self.index(self.called(base, inner), args, nargout, inner)

    def call_function(self, name: str, args: tuple[ast.Expr, ...], nargout: py.expr) -> Code:
        function = self.function(name)
        codes = self.arguments(args, colon=const_char(self))

        def build(nodes: list[py.expr]) -> py.expr:
            return py.Call(function, [nargout, *nodes], [])

        return Code(self.with_arguments(codes, build, []))

    def call_or_index(
        self, name: str, args: tuple[ast.Expr, ...], nargout: py.expr, inner: bool
    ) -> Code:
        """Return a name that is a variable or a function."""
        variable = Code(self.read(name), ANY, fresh=False)
        bound, function = self.is_bound(name), self.function(name)
        return self._either(bound, variable, function, args, nargout, inner)

    def _either(
        self,
        bound: py.expr,
        variable: Code,
        function: py.expr,
        args: tuple[ast.Expr, ...],
        nargout: py.expr,
        inner: bool = False,
    ) -> Code:
        """Return a subscript when `bound` holds, else a call: the arguments are computed before."""
        colon = either(bound, load("_COLON"), const_char(self))
        end = EndContext(variable.node, len(args), bound, early=True)
        codes = self.subscripts(args, end, colon)
        spans = any(code.span for code in codes)
        tests: list[py.expr] = []
        nodes = [
            # a temporary would go on holding what it was given, so variables are read in place
            code
            if code.pure
            else Code(self.once(code, tests), code.mask, simple=True, many=code.many)
            for code in codes
        ]

        def build(nodes: list[py.expr]) -> py.expr:
            index = self._index(variable, nodes, nargout, [], spans, inner)
            whole = wholes(nodes) if spans else nodes
            return either(bound, index, py.Call(function, [nargout, *whole], []))

        return Code(self.with_arguments(nodes, build, tests))

    def index(
        self, base: Code, args: tuple[ast.Expr, ...], nargout: py.expr, inner: bool = False
    ) -> Code:
        """Return a subscript of a value, or a call where it is a handle."""
        tests: list[py.expr] = []
        x = self.once(base, tests)
        codes = self.subscripts(args, EndContext(x, len(args), early=base.simple), load("_COLON"))
        held = Code(x, base.mask, fresh=False, simple=True)
        if any(code.many for code in codes):
            node = self.with_arguments(
                codes, lambda nodes: self._index(held, nodes, nargout, [], inner=inner), tests
            )
        else:
            nodes = [self.once(code, tests) for code in codes]
            spans = any(code.span for code in codes)
            node = self._index(held, nodes, nargout, tests, spans, inner)
        return Code(node if base.simple else released(node, [x]))

    def _index(
        self,
        base: Code,
        nodes: list[py.expr],
        nargout: py.expr,
        tests: list[py.expr],
        spans: bool = False,
        inner: bool = False,
    ) -> py.expr:
        """``base(nodes)`` after `tests`; the nodes may be used twice, and may be `spans`."""
        if base.simple:
            x = base.node
        else:
            tests = [*tests]
            x = self.once(base, tests)
        given = wholes(nodes) if spans else nodes
        handle = py.Call(_CALL_HANDLE(X=x), [nargout, *given], [])
        is_handle = both(*tests, _IS_HANDLE(X=x))
        read = asking(self.read_element(x, nodes, spans, inner), x, given, nargout)
        node = either(is_handle, handle, read)
        return released(node, [x]) if base.fresh and not base.simple else node

    def read_element(self, x: py.expr, nodes: list[py.expr], spans: bool, inner: bool) -> py.expr:
        if inner:
            return call("_inner_part" if spans else "_inner_index", x, tuple_of(nodes))
        name = (_PART_HELPER if spans else _INDEX_HELPER).get(len(nodes))
        if name is None or any(isinstance(node, py.Starred) for node in nodes):
            return call("_part" if spans else "_index", x, tuple_of(nodes))
        return call(name, x, *nodes)

    def brace(self, base: ast.Expr, args: tuple[ast.Expr, ...], inner: bool = False) -> Code:
        tests: list[py.expr] = []
        held = self.base(base)
        x = self.once(held, tests)
        end = EndContext(x, len(args))
        codes = self.arguments(args, end, load("_COLON"))
        if not end.used:
            # the base is computed in place: nothing else needs it
            x, tests = held.node, []

        def build(nodes: list[py.expr]) -> py.expr:
            if inner:
                return call("_inner_brace", x, tuple_of(nodes))
            if len(nodes) == 1 and not isinstance(nodes[0], py.Starred):
                return call("_brace1", x, nodes[0])
            return call("_brace", x, tuple_of(nodes))

        if any(code.many for code in codes):
            x = self.once(held, tests := []) if not end.used else x
        node = self.with_arguments(codes, build, tests)
        return Code(released(node, [x]) if tests else node, ANY, many=True)

    def called(self, node: ast.Expr, inner: bool) -> Code:
        """Return the value that parentheses apply to; `inner`: more follows them."""
        place = "_inner_" if inner else "_"
        if isinstance(node, ast.Field):
            name: py.expr = const(node.name)
            return Code(call(f"{place}member", self.base(node.base).node, name), fresh=False)
        if isinstance(node, ast.DynamicField):
            held, name = self.base(node.base).node, self.value(node.name).node
            return Code(call(f"{place}dynamic_member", held, name), fresh=False)
        return self.base(node)

    def base(self, node: ast.Expr) -> Code:
        """Return the value that a field or braces apply to."""
        if isinstance(node, ast.Name) and self.status(node.id) == "variable":
            return self.variable(node.id)
        # a class may have a say in all that follows it, so what is not the end is told so
        if isinstance(node, ast.Field) and self.dotted(node) is None:
            held = self.base(node.base).node
            return mark(Code(call("_inner_field", held, const(node.name))), node)
        if isinstance(node, ast.DynamicField):
            held, name = self.base(node.base).node, self.value(node.name).node
            return mark(Code(call("_inner_dynamic_field", held, name)), node)
        if isinstance(node, ast.Index) and node.kind == "()":
            return self.single(mark(self.parenthesis(node.base, node.args, const(1), True), node))
        if isinstance(node, ast.Index):
            return self.single(mark(self.brace(node.base, node.args, True), node))
        return self.value(node)

    # -- dotted names -----------------------------------------------------------------------------

    def dotted(self, node: ast.Expr) -> list[str] | None:
        """Return the parts of ``a.b.c`` when ``a`` may be a package, class or function."""
        parts: list[str] = []
        while isinstance(node, ast.Field):
            parts.append(node.name)
            node = node.base
        if not parts or not isinstance(node, ast.Name) or self.status(node.id) == "variable":
            return None
        return [node.id, *reversed(parts)]

    def dotted_call(
        self,
        parts: list[str],
        args: tuple[ast.Expr, ...] | None,
        nargout: py.expr,
        inner: bool = False,
    ) -> Code:
        """``a.b.c`` or ``a.b.c(args)`` where ``a`` is not known to be a variable."""
        root = parts[0]
        function = self._dotted_function(parts)
        maybe = self.status(root) == "either"
        bound = self.is_bound(root) if maybe else None
        value: py.expr = self.read(root) if maybe else const(None)
        for part in parts[1:-1]:
            value = call("_inner_field", value, const(part))
        if args is None:
            value = self.field_of(value, parts[-1], nargout)
            plain = py.Call(function, [nargout], [])
            node = plain if bound is None else either(bound, value, plain)
            return Code(node, ANY, fresh=False, many=maybe)
        value = call("_inner_member" if inner else "_member", value, const(parts[-1]))
        if bound is None:
            codes = self.arguments(args, colon=const_char(self))
            return Code(
                self.with_arguments(
                    codes, lambda nodes: py.Call(function, [nargout, *nodes], []), []
                )
            )
        return self._either(bound, Code(value), function, args, nargout, inner)

    def _dotted_function(self, parts: list[str]) -> py.expr:
        if self.is_external(parts[0]):
            return attribute(load(self.unit.cell(".".join(parts), self.imports)), "fn")
        fields = [const(part) for part in parts[1:]]
        return call("_with_fields", self.function(parts[0]), *fields)

    # -- arguments --------------------------------------------------------------------------------

    def subscripts(self, args: tuple[ast.Expr, ...], end: EndContext, colon: py.expr) -> list[Code]:
        """Return the codes of what a value is read by.

        Ranges are spans unless there are comma lists.
        """
        spans: list[py.expr] = []
        given: list[ast.Expr] = []
        for arg in args:
            recipe = fold_span(arg)
            if recipe is None:
                given.append(arg)
            else:
                spans.append(self.unit.constant(recipe))
                given.append(Given(spans[-1], span=arg.span))
        codes = self.arguments(tuple(given), end, colon)
        many = any(code.many for code in codes)
        for code in codes:
            if any(code.node is node for node in spans):
                if many:
                    code.node = call("_whole", code.node)
                code.span = code.simple = not many
            elif is_colon_call(code.node) and not many:
                code.node.func = load("_span")
                code.span = True
        return codes

    def arguments(
        self,
        args: tuple[ast.Expr, ...],
        end: EndContext | None = None,
        colon: py.expr | None = None,
    ) -> list[Code]:
        """Return the codes of call arguments or subscripts.

        `colon` is what a lone ``:`` becomes.
        """
        codes: list[Code] = []
        outer_prelude = self.prelude
        for position, arg in enumerate(args):
            if isinstance(arg, ast.Colon):
                assert colon is not None
                codes.append(Code(colon, OTHER, simple=True))
            elif isinstance(arg, ast.NamedArgument):
                text = self.unit.constant(("string", arg.name))
                codes += [Code(text, OTHER, fresh=False, simple=True), self.value(arg.value)]
            elif end is not None:
                end.position = position
                self.ends.append(end)
                if not end.early:
                    # what mentions the indexed value is not to be computed before it
                    self.prelude = None
                codes.append(self.expr(arg))
                self.ends.pop()
            else:
                codes.append(self.expr(arg))
            self.prelude = outer_prelude
        return codes

    def with_arguments(
        self,
        codes: list[Code],
        build: Callable[[list[py.expr]], py.expr],
        tests: list[py.expr],
    ) -> py.expr:
        """`build` applied to the arguments; comma lists among them are spread out when met.

        `tests` are true expressions to evaluate first.
        """
        if not any(code.many for code in codes):
            node = build([code.node for code in codes])
            return after(tests, node)
        tests = [*tests]
        nodes = [self.once(code, tests) for code in codes]
        plain = [_IS_SINGLE(X=node) for node, code in zip(nodes, codes, strict=True) if code.many]
        spread = star(call("_flat", *nodes))
        node = either(both(*tests, *plain), build(nodes), build([spread]))
        return released(node, [n for n, code in zip(nodes, codes, strict=True) if code.many])


def released(node: py.expr, temporaries: list[py.expr]) -> py.expr:
    """`node`, after which `temporaries` let go of their values.

    What came out of a field or an element shares its buffer; a temporary that kept it would make
    the next write to that field copy the buffer.
    """
    names = [name.id for name in temporaries if isinstance(name, py.Name)]
    return _FIRST(X=py.Tuple([node, *(walrus(name, const(None)) for name in names)], py.Load()))


def const_char(emitter: Expressions) -> py.expr:
    """Return the char ``':'`` that a lone colon is as a function's argument."""
    return emitter.unit.constant(("char", ":"))
