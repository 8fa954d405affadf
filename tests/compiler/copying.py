"""A model of value semantics that copies everything on every assignment.

The model keeps a variable as nested Python lists (arrays), tuples of a list (cells) and dicts
(structs). Each step is MATLAB text together with what it does to the model; at the end the program
prints every variable and the model says what it must have printed.
"""

from __future__ import annotations

import copy
import random
from typing import Any

NAMES = ["a", "b", "c", "d"]

HELPERS = """
function x = push(x, v)
x(end + 1) = v;
end
function n = scribble(x)
x(1) = -1;
n = numel(x);
end
function x = hand_on(x)
x = push(x, 7);
end
function varargout = both(varargin)
varargout = varargin;
varargout{1}(1) = 50;
end
function put_into_global(v)
global G
G = v;
G(1) = 60;
end
function show(v)
if iscell(v)
  fprintf('{');
  for k = 1:numel(v), show(v{k}); end
  fprintf('}');
elseif isstruct(v)
  names = sort(fieldnames(v));
  fprintf('<');
  for k = 1:numel(names), fprintf('%s:', names{k}); show(v.(names{k})); end
  fprintf('>');
else
  fprintf('['); fprintf('%d ', v); fprintf(']');
end
end
"""


class Program:
    """A program being written, with the model of its variables."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.model: dict[str, Any] = {}
        self.text: list[str] = []
        self.handles: dict[str, Any] = {}
        for name in NAMES:
            self.fresh(name)
        for _ in range(self.random.randint(8, 30)):
            self.step()

    def step(self) -> None:
        """Write one step, drawn at random."""
        self.random.choice(STEPS)(self)

    def say(self, line: str) -> None:
        self.text.append(line)

    def name(self) -> str:
        return self.random.choice(NAMES)

    def arrays(self) -> list[tuple[str, list[float]]]:
        """Every place that holds an array: MATLAB text and the model's list."""
        found: list[tuple[str, list[float]]] = []

        def visit(text: str, value: Any) -> None:
            if isinstance(value, list):
                found.append((text, value))
            elif isinstance(value, tuple):
                for k, item in enumerate(value[0], 1):
                    visit(f"{text}{{{k}}}", item)
            else:
                for key, item in value.items():
                    visit(f"{text}.{key}", item)

        for name, value in self.model.items():
            visit(name, value)
        return found

    def of_kind(self, kind: type) -> list[str]:
        return [name for name, value in self.model.items() if isinstance(value, kind)]

    def fresh(self, name: str) -> None:
        values = [float(self.random.randint(0, 9)) for _ in range(self.random.randint(2, 4))]
        self.model[name] = values
        self.say(f"{name} = [{' '.join(f'{v:g}' for v in values)}];")

    # -- steps ------------------------------------------------------------------------------------

    def new(self) -> None:
        self.fresh(self.name())

    def copy(self) -> None:
        x, y = self.name(), self.name()
        self.model[x] = copy.deepcopy(self.model[y])
        self.say(f"{x} = {y};")

    def write(self) -> None:
        places = self.arrays()
        if places:
            text, values = self.random.choice(places)
            k, v = self.random.randint(1, len(values) + 1), self.random.randint(10, 99)
            values[k - 1 : k] = [float(v)]
            self.say(f"{text}({k}) = {v};")

    def write_in_loop(self) -> None:
        name = self.random.choice(self.of_kind(list) or [""])
        if name:
            self.model[name][:2] = [1.0, 2.0]
            self.say(f"for k = 1:2, {name}(k) = k; end")

    def loop_over(self) -> None:
        names = self.of_kind(list)
        if names:
            name = self.random.choice(names)
            seen = [100 + v for v in self.model[name]]
            self.model[name][0] = seen[-1]
            self.say(f"for v = {name}, {name}(1) = 100 + v; end")

    def make_cell(self) -> None:
        x, y, z = self.name(), self.name(), self.name()
        self.model[x] = ([copy.deepcopy(self.model[y]), copy.deepcopy(self.model[z])],)
        self.say(f"{x} = {{{y}, {z}}};")

    def make_struct(self) -> None:
        x, y = self.name(), self.name()
        if isinstance(self.model[x], dict):
            self.model[x]["g"] = copy.deepcopy(self.model[y])
            self.say(f"{x}.g = {y};")
        else:
            self.model[x] = {"f": copy.deepcopy(self.model[y])}
            self.say(f"{x} = struct('f', {{{y}}});")

    def into_cell(self) -> None:
        names = self.of_kind(tuple)
        if names:
            x, y = self.random.choice(names), self.name()
            items = self.model[x][0]
            k = self.random.randint(1, len(items) + 1)
            items[k - 1 : k] = [copy.deepcopy(self.model[y])]
            self.say(f"{x}{{{k}}} = {y};")

    def out_of_place(self) -> None:
        text, values = self.random.choice(self.arrays() or [("", [])])
        if text:
            x = self.name()
            self.model[x] = list(values)
            self.say(f"{x} = {text};")

    def call_push(self) -> None:
        names = self.of_kind(list)
        if names:
            x, y = self.random.choice(names), self.random.choice(names)
            function = self.random.choice(["push({}, 7)", "hand_on({})"])
            self.model[x] = [*self.model[y], 7.0]
            self.say(f"{x} = {function.format(y)};")

    def call_scribble(self) -> None:
        names = self.of_kind(list)
        if names:
            x, y = self.name(), self.random.choice(names)
            self.model[x] = [float(len(self.model[y])), 0.0]
            self.say(f"{x} = [scribble({y}) 0];")

    def call_both(self) -> None:
        names = self.of_kind(list)
        if names:
            x, y, z = self.name(), self.name(), self.random.choice(names)
            first, second = [50.0, *self.model[z][1:]], copy.deepcopy(self.model[y])
            self.model[x] = first
            self.model[y] = second
            self.say(f"[{x}, {y}] = both({z}, {y});")

    def swap(self) -> None:
        x, y = self.name(), self.name()
        first, second = copy.deepcopy(self.model[y]), copy.deepcopy(self.model[x])
        self.model[x] = first
        self.model[y] = second
        self.say(f"[{x}, {y}] = deal({y}, {x});")

    def capture(self) -> None:
        name = f"h{self.random.randint(1, 2)}"
        x = self.name()
        self.handles[name] = copy.deepcopy(self.model[x])
        self.say(f"{name} = @() {x};")

    def call_handle(self) -> None:
        if self.handles:
            name = self.random.choice(sorted(self.handles))
            x = self.name()
            self.model[x] = copy.deepcopy(self.handles[name])
            self.say(f"{x} = {name}();")

    def through_global(self) -> None:
        names = self.of_kind(list)
        if names:
            self.say(f"put_into_global({self.random.choice(names)});")

    def in_try(self) -> None:
        names = self.of_kind(list)
        if names:
            x = self.random.choice(names)
            self.model[x] = [*self.model[x], 7.0]
            self.say(f"try, {x} = push({x}, 7); {x}(0) = 1; catch, end")

    def delete(self) -> None:
        names = [name for name in self.of_kind(list) if len(self.model[name]) > 2]
        if names:
            x = self.random.choice(names)
            del self.model[x][1]
            self.say(f"{x}(2) = [];")

    # -- the end ----------------------------------------------------------------------------------

    def body(self) -> str:
        shows = "".join(f"show({name}); fprintf('\\n');\n" for name in NAMES)
        return "\n".join(self.text) + "\n" + shows

    def expected(self) -> str:
        return "".join(f"{shown(self.model[name])}\n" for name in NAMES)


STEPS = [
    value
    for key, value in vars(Program).items()
    if callable(value)
    and key
    not in ("__init__", "step", "say", "name", "arrays", "of_kind", "fresh", "body", "expected")
]


def shown(value: Any) -> str:
    if isinstance(value, list):
        return "[" + "".join(f"{v:g} " for v in value) + "]"
    if isinstance(value, tuple):
        return "{" + "".join(map(shown, value[0])) + "}"
    return "<" + "".join(f"{key}:{shown(value[key])}" for key in sorted(value)) + ">"
