"""``arguments`` blocks: defaults, sizes, classes, validators, name-value and repeating inputs."""

from __future__ import annotations

import ast as py

import attrs

from runmat_core.compiler import pyast
from runmat_core.compiler.pyast import (
    assign_name,
    call,
    const,
    expression,
    load,
    statements,
    tuple_of,
)
from runmat_core.compiler.statements import Statements
from runmat_core.syntax import ast

_DEFAULT = statements("try:\n    X\nexcept _Unbound:\n    BODY")
_DEFAULT_OPTION = statements("if X is _U:\n    BODY")
_IF_GIVEN = statements("if X is not _U:\n    BODY")
_REQUIRED = statements("try:\n    X\nexcept _Unbound:\n    raise _missing_argument(N)")
_IF_SET = statements("try:\n    X\nexcept _Unbound:\n    pass\nelse:\n    BODY")
_FOR_EACH = statements("ALL = CELL\nfor P, T in _numbered_items(READ):\n    BODY")
_VALIDATED = statements(
    "try:\n    BODY\nexcept _MatlabError as _e:\n    raise _invalid_argument(_e, LABEL)"
)


@attrs.frozen
class ArgumentGroups:
    """The declarations of a function's ``arguments`` blocks by what they declare."""

    positional: tuple[ast.ArgumentDecl, ...] = ()
    options: tuple[ast.ArgumentDecl, ...] = ()
    repeating: tuple[ast.ArgumentDecl, ...] = ()
    outputs: tuple[ast.ArgumentDecl, ...] = ()

    @property
    def takes_rest(self) -> bool:
        return bool(self.options or self.repeating)

    @property
    def option_names(self) -> list[str]:
        """The name-value arguments that are declared one by one."""
        names = [declared.name.partition(".")[2] for declared in self.options]
        return [name for name in names if not name.startswith("?")]

    @property
    def classes(self) -> dict[str, str]:
        """The classes whose properties are name-value arguments, by their declarations."""
        return {d.name: d.name.partition("?")[2] for d in self.options if "?" in d.name}

    @property
    def structures(self) -> set[str]:
        """The inputs that collect name-value arguments."""
        return {declared.name.partition(".")[0] for declared in self.options}

    @property
    def collected(self) -> set[str]:
        """The inputs that the caller does not pass by position."""
        return self.structures | {declared.name for declared in self.repeating}


class ArgumentBlocks(Statements):
    """Generates the checks of inputs on entry, and of outputs on exit."""

    def argument_groups(self, node: ast.Function) -> ArgumentGroups:
        positional: list[ast.ArgumentDecl] = []
        options: list[ast.ArgumentDecl] = []
        repeating: list[ast.ArgumentDecl] = []
        outputs: list[ast.ArgumentDecl] = []
        for block in node.arguments:
            for declared in block.declarations:
                if block.kind == "Output":
                    outputs.append(declared)
                elif block.repeating:
                    repeating.append(declared)
                elif "." in declared.name:
                    options.append(declared)
                else:
                    positional.append(declared)
        return ArgumentGroups(*map(tuple, (positional, options, repeating, outputs)))

    def known_options(self, groups: ArgumentGroups) -> py.expr:
        """Return the names of the name-value arguments."""
        known: py.expr = tuple_of([const(name) for name in groups.option_names])
        if groups.classes:
            properties = [self.class_named(name) for name in groups.classes.values()]
            known = call("_option_names", known, *properties)
        return known

    def class_named(self, name: str) -> py.expr:
        """Return the value of ``?name``."""
        return self.shared(self.expr(ast.MetaClass(name)))

    def past_optional(self, groups: ArgumentGroups, parameters: list[str]) -> list[py.stmt]:
        """Return what takes a name for one where an optional input could stand."""
        given = [declared.default is not None for declared in groups.positional]
        if not groups.options or True not in given or len(given) != len(parameters):
            return []
        inputs = tuple_of([load(name) for name in parameters])
        names = self.known_options(groups)
        moved = call("_past_optional", inputs, load("_rest"), const(given.index(True)), names)
        targets = py.Tuple([pyast.store(name) for name in (*parameters, "_rest")], py.Store())
        return [py.Assign([targets], moved)]

    def check_arguments(self, groups: ArgumentGroups) -> None:
        """Fill in defaults and check the inputs in the order of their declarations."""
        self.prelude = self.out
        for position, declared in enumerate(groups.positional, 1):
            self.positional(declared, position)
        if groups.repeating:
            self.repeating(groups)
        if groups.options:
            self.options(groups)

    def positional(self, declared: ast.ArgumentDecl, position: int) -> None:
        name = declared.name
        if name == "~":
            return
        label = const(self.scope.subject or position)
        if declared.default is None:
            self.out += _REQUIRED(X=[expression(self.read(name))], N=const(position))
        else:
            outer, self.out = self.out, []
            self.prelude = self.out
            self.store(ast.Name(name), self.shared(self.expr(declared.default)))
            body, self.out = self.out, outer
            self.prelude = self.out
            self.out += _DEFAULT(X=[expression(self.read(name))], BODY=body)
        self.defined.add(name)
        checked = self.converted(declared, self.read(name), label)
        if checked is not None:
            self.out.append(pyast.assign(self.target(name), checked))
        self.validate(declared, self.read(name), label)

    def options(self, groups: ArgumentGroups) -> None:
        """``opts.Name``: the rest of the arguments are names and values."""
        classes = groups.classes
        known = self.known_options(groups)
        self.out.append(assign_name("_pairs", call("_name_values", load("_rest"), known)))
        for structure in sorted(groups.structures):
            self.out.append(pyast.assign(self.target(structure), call("_empty_struct")))
            self.defined.add(structure)
        for declared in groups.options:
            structure, _, field = declared.name.partition(".")
            if declared.name in classes:
                own = tuple_of([const(name) for name in groups.option_names])
                of = self.class_named(classes[declared.name])
                made = call("_put_properties", self.read(structure), load("_pairs"), own, of)
                self.out.append(pyast.assign(self.target(structure), made))
                continue
            value = self.temporary()
            taken = call("_take_option", load("_pairs"), const(field))
            self.out.append(assign_name(value, taken))
            if declared.default is not None:
                default = assign_name(value, self.shared(self.expr(declared.default)))
                self.out += _DEFAULT_OPTION(X=load(value), BODY=[default])
            outer, self.out = self.out, []
            checked = self.converted(declared, load(value), const(field))
            if checked is not None:
                self.out.append(assign_name(value, checked))
            old = self.read(structure)
            self.out.append(
                pyast.assign(
                    self.target(structure), call("_put_field", load(value), old, const(field))
                )
            )
            # after that, for validators that name the field
            self.validate(declared, load(value), const(field))
            body, self.out = self.out, outer
            self.out += _IF_GIVEN(X=load(value), BODY=body)

    def repeating(self, groups: ArgumentGroups) -> None:
        """Each repeating input becomes a cell row of the values at its place in every group."""
        count = len(groups.repeating)
        for place, declared in enumerate(groups.repeating):
            values = call("_repeated", load("_rest"), const(place), const(count))
            self.out.append(pyast.assign(self.target(declared.name), values))
            self.defined.add(declared.name)
            size, class_name = self._requirements(declared)
            if size is not None or class_name is not None:
                cell = self.read(declared.name)
                checked = call(
                    "_convert_each", cell, size or const(None), class_name or const(None)
                )
                self.out.append(pyast.assign(self.target(declared.name), checked))
            if declared.validators:
                self.validate_each(declared)

    def validate_each(self, declared: ast.ArgumentDecl) -> None:
        """Validate every value of a repeating input; a validator that names it sees one value."""
        position, value, values = self.temporary(), self.temporary(), self.temporary()
        outer, self.out = self.out, []
        self.out.append(pyast.assign(self.target(declared.name), load(value)))
        self.validate(declared, load(value), load(position))
        body, self.out = self.out, outer
        self.out += _FOR_EACH(
            ALL=pyast.store(values),
            CELL=self.read(declared.name),
            READ=load(values),
            P=pyast.store(position),
            T=pyast.store(value),
            BODY=body,
        )
        self.out.append(pyast.assign(self.target(declared.name), load(values)))

    def check_outputs(self, groups: ArgumentGroups) -> list[py.stmt]:
        """Return what converts and validates the outputs that are set."""
        outer, self.out = self.out, []
        made: list[py.stmt] = []
        for declared in groups.outputs:
            value, label = self.read(declared.name), const(declared.name)
            checked = self.converted(declared, value, label)
            if checked is not None:
                self.out.append(pyast.assign(self.target(declared.name), checked))
            self.validate(declared, value, label)
            if self.out:
                made += _IF_SET(X=[expression(value)], BODY=self.out)
            self.out = []
        self.out = outer
        return made

    def converted(
        self, declared: ast.ArgumentDecl, value: py.expr, label: py.expr
    ) -> py.expr | None:
        """Return the value as the declared size and class, None where nothing is declared."""
        size, class_name = self._requirements(declared)
        if size is None and class_name is None:
            return None
        return call(
            "_convert_argument", value, label, size or const(None), class_name or const(None)
        )

    def _requirements(self, declared: ast.ArgumentDecl) -> tuple[py.expr | None, py.expr | None]:
        size = None
        if declared.size is not None:
            size = tuple_of(
                [
                    const(int(d.value.real) if isinstance(d, ast.Number) else None)
                    for d in declared.size
                ]
            )
        return size, const(declared.class_name) if declared.class_name else None

    def validate(self, declared: ast.ArgumentDecl, value: py.expr, label: py.expr) -> None:
        """Call the validators; a function with arguments is given exactly those."""
        if not declared.validators:
            return
        outer, self.out = self.out, []
        for validator in declared.validators:
            if isinstance(validator, ast.Name):
                node: py.expr = py.Call(self.function(validator.id), [const(0), value], [])
            elif isinstance(validator, ast.Field) and (name := self.dotted(validator)):
                node = py.Call(self._dotted_function(name), [const(0), value], [])
            else:
                node = self.postfix(validator, const(0)).node
            self.out.append(expression(node))
        body, self.out = self.out, outer
        self.out += _VALIDATED(BODY=body, LABEL=label)


def parameter_names(names: list[str | None], collected: set[str]) -> list[str | None]:
    """Return the inputs that are passed by position."""
    return [name for name in names if name not in collected]
