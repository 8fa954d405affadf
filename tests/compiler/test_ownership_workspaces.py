"""Value semantics across workspaces: what code from outside does to the variables of a function.

Scripts, `eval`, `evalin`, `assignin`, nested functions, handles, `cellfun`, recursion, persistent
variables, properties, destructors and errors, against the model that copies everything.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runmat_core import Session
from tests.compiler.copying import HELPERS, NAMES, STEPS, Program, shown

MORE_HELPERS = """
function in_caller(text)
evalin('caller', text);
end
function put_in_caller(name, v)
assignin('caller', name, v);
v(1) = -3;
end
function x = poked(x, name)
evalin('caller', [name '(1) = -5;']);
end
function x = kept_from_caller(name)
x = evalin('caller', name);
x(1) = 31;
end
function x = persisting(v)
persistent P
if nargin > 0, P = v; P(1) = 33; end
x = P;
x(end + 1) = 34;
end
function x = from_global()
global G
x = G;
x(1) = 35;
end
function x = deeper(x, n)
if n > 0
  y = deeper(x, n - 1);
  x(1) = n;
  x(end + 1) = y(1);
end
end
function failing(x)
x(1) = -7;
error('half:way', 'x');
end
function [x, y] = failing_late(x)
x(1) = -8;
y = x;
x(2) = error_in(y);
end
function v = error_in(v)
v(1) = -9;
error('half:way', 'x');
end
function x = first_changed(x)
x(1) = 41;
end
function cleaned(x)
c = onCleanup(@() put_into_global(x)); %#ok<NASGU>
x(1) = 42;
end
function x = named(x)
name = inputname(1);
x(end + 1) = 45;
assignin('caller', name, evalin('caller', name));
evalin('caller', [name '(1) = 46;']);
end
"""
DYING = """classdef Dying < handle
  properties
    v
  end
  events
    Changed
  end
  methods
    function self = Dying(v)
      self.v = v;
    end
    function put(self, k, x)
      self.v(k) = x;
    end
    function delete(self)
      self.v(2) = 44;
      put_into_global(self.v);
      self.v(1) = 0;
    end
  end
end
"""
BOX = """classdef Box < handle
  properties
    v
  end
  methods
    function self = Box(v)
      self.v = v;
    end
    function put(self, k, x)
      self.v(k) = x;
    end
    function x = taken(self)
      x = self.v;
      x(1) = 51;
    end
  end
end
"""
ITEM = """classdef Item
  properties
    v
  end
  methods
    function self = Item(v)
      self.v = v;
    end
    function self = put(self, k, x)
      self.v(k) = x;
    end
    function spoil(self)
      self.v(1) = 52;
      spoil_values
    end
  end
end
"""
SPOIL = "self.v(2) = 53; self.v(1) = 54;"


class Wide(Program):
    """A program whose steps also run in other workspaces.

    Attributes:
        files: the scripts and classes that it needs, by file name.
        functions: further local functions.
        printed: what its steps print.
    """

    def __init__(self, seed: int) -> None:
        self.files = {"Box.m": BOX, "Item.m": ITEM, "Dying.m": DYING, "spoil_values.m": SPOIL}
        self.functions: list[str] = []
        self.printed = ""
        self.globals: list[float] | None = None
        self.persistent: list[float] | None = None
        self.box: Any = None
        self.item: Any = None
        self.depth = 0
        super().__init__(seed)

    def step(self) -> None:
        outside = self.depth < 2 and self.random.random() < 0.45
        getattr(self, self.random.choice(WIDE if outside else STEPS).__name__)()

    def through_global(self) -> None:
        names = self.of_kind(list)
        if names:
            name = self.random.choice(names)
            self.globals = [60.0, *self.model[name][1:]]
            self.say(f"put_into_global({name});")

    # -- steps that are written elsewhere -----------------------------------------------------

    def steps_apart(self) -> str:
        """A few steps, as text that is not in the program yet; the model takes them at once."""
        outer, self.text = self.text, []
        known = set(self.handles)
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.step()
        self.depth -= 1
        text, self.text = "\n".join(self.text), outer
        # `h1()` calls a handle only where the text around it says that `h1` is a variable
        self.handles = {name: self.handles[name] for name in known}
        return text

    def file(self, text: str) -> str:
        """The name of a new script."""
        name = f"scr{len(self.files)}"
        self.files[f"{name}.m"] = text
        return name

    def elsewhere(self) -> str:
        """A call that runs a few steps in the workspace in which it stands."""
        text = self.steps_apart()
        line = text.replace("'", "''").replace("\n", " ")
        forms: list[Callable[[], str]] = [
            lambda: self.file(text),
            lambda: f"run('{self.file(text)}')",
            lambda: f"in_caller('{line}')",
            lambda: f"in_caller('{self.file(text)}')",
        ]
        return self.random.choice(forms)() + ";"

    def outside(self) -> None:
        self.say(self.elsewhere())

    def evaluated(self) -> None:
        line = self.steps_apart().replace("'", "''").replace("\n", " ")
        self.say(f"eval('{line}');")

    def borrowing(self) -> None:
        """A function into whose inputs code from outside writes, and its caller's stay."""
        before = copy.deepcopy((self.model, self.handles))
        self.handles = {}
        call = self.elsewhere()
        show = self.random.choice(NAMES)
        self.printed += f"{shown(self.model[show])}\n"
        self.model, self.handles = before
        name = f"borrowing{len(self.functions)}"
        names = ", ".join(NAMES)
        self.functions.append(
            f"\nfunction {name}({names})\n{call}\nshow({show}); fprintf('\\n');\nend\n"
        )
        self.say(f"{name}({names});")

    def nesting(self) -> None:
        """Nested functions write into the variables around them."""
        handles, self.handles = self.handles, {}
        inner = self.steps_apart()
        self.handles = handles
        name = f"nesting{len(self.functions)}"
        names = ", ".join(NAMES)
        handle = self.random.random() < 0.5
        call = "f = @inner; f();" if handle else "inner();"
        self.functions.append(
            f"\nfunction [{names}] = {name}({names})\n{call}\n"
            # a nested function shares the variables that its text mentions
            f"  function inner()\n[{names}] = deal({names});\n{inner}\n  end\nend\n"
        )
        self.say(f"[{names}] = {name}({names});")

    # -- single steps ---------------------------------------------------------------------------

    def assigned_outside(self) -> None:
        names = self.of_kind(list)
        if names:
            x, y = self.name(), self.random.choice(names)
            self.model[x] = list(self.model[y])
            self.say(f"put_in_caller('{x}', {y});")

    def read_outside(self) -> None:
        names = self.of_kind(list)
        if names:
            x, y = self.name(), self.random.choice(names)
            self.model[x] = [31.0, *self.model[y][1:]]
            self.say(f"{x} = kept_from_caller('{y}');")

    def poked_capture(self) -> None:
        """What a handle holds stays, whatever runs in the workspace of its call."""
        names = self.of_kind(list)
        if names:
            x, y = self.name(), self.random.choice(names)
            value = list(self.model[y])
            self.say(f"p = @() poked({y}, '{y}'); p(); {x} = p();")
            self.model[x] = value

    def through_cellfun(self) -> None:
        names = self.of_kind(list)
        if names:
            x, y, z = self.name(), self.random.choice(names), self.random.choice(names)
            made = [[41.0, *self.model[y][1:]], [41.0, *self.model[z][1:]]]
            f = self.random.choice(["@first_changed", "@(q) first_changed(q)"])
            self.say(f"{x} = cellfun({f}, {{{y}, {z}}}, 'UniformOutput', false);")
            self.model[x] = (made,)

    def persisted(self) -> None:
        names = self.of_kind(list)
        x = self.name()
        if names and (self.persistent is None or self.random.random() < 0.5):
            y = self.random.choice(names)
            self.persistent = [33.0, *self.model[y][1:]]
            self.say(f"{x} = persisting({y});")
        elif self.persistent is not None:
            self.say(f"{x} = persisting();")
        else:
            return
        self.model[x] = [*self.persistent, 34.0]

    def out_of_global(self) -> None:
        if self.globals is not None:
            x = self.name()
            self.model[x] = [35.0, *self.globals[1:]]
            self.say(f"{x} = from_global();")

    def recursing(self) -> None:
        names = self.of_kind(list)
        if names:
            x, y, n = self.name(), self.random.choice(names), self.random.randint(1, 3)
            value = list(self.model[y])
            result = value
            for level in range(1, n + 1):
                result = [float(level), *value[1:], result[0]]
            self.model[x] = list(result)
            self.say(f"{x} = deeper({y}, {n});")

    def half_way(self) -> None:
        names = self.of_kind(list)
        if names:
            x = self.random.choice(names)
            call = self.random.choice(
                [f"failing({x});", f"[{x}, {x}] = failing_late({x});", f"{x} = error_in({x});"]
            )
            self.say(f"try, {call} catch, end")

    def write_then_fail(self) -> None:
        """What was written before the error stays written."""
        names = self.of_kind(list)
        if names:
            x, y = self.random.choice(names), self.name()
            self.model[y] = list(self.model[x])
            self.model[x][0] = 43.0
            self.say(f"{y} = {x}; try, {x}(1) = 43; {x}(0) = 1; catch, end")

    def cleaned(self) -> None:
        names = self.of_kind(list)
        if names:
            x = self.random.choice(names)
            self.globals = [60.0, *self.model[x][1:]]
            self.say(f"cleaned({x});")

    # -- properties -----------------------------------------------------------------------------

    def boxed(self) -> None:
        names = self.of_kind(list)
        if self.depth or not names:
            return
        x, y = self.name(), self.random.choice(names)
        if self.box is None:
            self.box = list(self.model[y])
            self.say(f"box = Box({y});")
        self.box[:] = [*self.model[y]]
        self.say(f"box.v = {y}; other = box; other.v(1) = 55; put(box, 2, 56);")
        self.box[:2] = [55.0, 56.0]
        self.model[x] = [51.0, *self.box[1:]]
        self.say(f"{x} = box.taken(); box.v(end + 1) = 57;")

    def valued(self) -> None:
        names = self.of_kind(list)
        if self.depth or not names:
            return
        x, y = self.random.sample(NAMES, 2) if len(names) > 1 else (names[0], self.name())
        source = self.random.choice(names)
        first = list(self.model[source])
        second = list(first)
        second[:2] = [58.0, 59.0]
        self.say(f"item = Item({source}); twin = item; twin.v(1) = 58; twin = put(twin, 2, 59);")
        self.say(f"spoil(item); spoil(twin); {x} = item.v; {y} = twin.v; twin.v(1) = 0;")
        self.model[x], self.model[y] = first, second

    def named(self) -> None:
        """The variable that an input came from is written by its name."""
        names = self.of_kind(list)
        if len(names) > 1:
            x, y = self.random.sample(names, 2)
            self.model[y] = [*self.model[x], 45.0]
            self.model[x][0] = 46.0
            self.say(f"{y} = named({x});")

    def dying(self) -> None:
        """A callback writes a property, and a destructor does when the object goes."""
        names = self.of_kind(list)
        if self.depth or not names:
            return
        x, y = self.name(), self.random.choice(names)
        value = list(self.model[y])
        self.say(f"gone = Dying({y});")
        self.say("heard = addlistener(gone, 'Changed', @(s, e) put(s, 1, 61));")
        self.say(f"{x} = gone.v; notify(gone, 'Changed'); seen = gone.v;")
        self.say("clear heard gone; show(seen); fprintf('\\n');")
        self.printed += f"{shown([61.0, *value[1:]])}\n"
        self.globals = [60.0, 44.0, *value[2:]]
        self.model[x] = value

    # -- the end --------------------------------------------------------------------------------

    def expected(self) -> str:
        return self.printed + super().expected()


WIDE = [
    Wide.outside,
    Wide.evaluated,
    Wide.borrowing,
    Wide.borrowing,
    Wide.nesting,
    Wide.assigned_outside,
    Wide.read_outside,
    Wide.poked_capture,
    Wide.through_cellfun,
    Wide.persisted,
    Wide.out_of_global,
    Wide.recursing,
    Wide.half_way,
    Wide.write_then_fail,
    Wide.cleaned,
    Wide.boxed,
    Wide.valued,
    Wide.named,
    Wide.dying,
]


def check(seed: int, as_function: bool, folder: Path) -> None:
    program = Wide(seed)
    body = program.body()
    place = folder / f"p{seed}{as_function}"
    place.mkdir()
    # scripts see no local functions of the code that runs them
    for function in (HELPERS + MORE_HELPERS + "".join(program.functions)).split("\nfunction ")[1:]:
        found = re.search(r"(\w+)\(", function)
        assert found is not None
        (place / f"{found[1]}.m").write_text(f"function {function}")
    main = f"function main_text()\n{body}end\n" if as_function else body
    for name, content in {**program.files, "main_text.m": main}.items():
        (place / name).write_text(content)
    session = Session(cwd=place)
    assert session.capture("main_text") == program.expected(), place


@pytest.mark.sweep(4)
@pytest.mark.parametrize("as_function", [True, False], ids=["fast-locals", "workspace"])
@pytest.mark.parametrize("start", range(0, 60, 10))
def test_random_programs(start: int, as_function: bool, tmp_path: Path) -> None:
    for seed in range(start, start + 10):
        check(seed, as_function, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("as_function", [True, False], ids=["fast-locals", "workspace"])
def test_thousands_of_random_programs(as_function: bool, tmp_path: Path) -> None:
    for seed in range(1000, 3000):
        check(seed, as_function, tmp_path)
