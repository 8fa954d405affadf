"""Classes of handles that packages bring: subscripts, properties, comparison, display."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core import MatlabError, Session

SOURCE = '''
from runmat_core.api.errors import MatlabError
from runmat_core.api.objects import Handle

class Lamp(Handle):
    made = 0

    def __init__(self, bright):
        Lamp.made += 1
        self.values = {"Bright": bright, "Data": 1.0}
        self.id = float(Lamp.made)
        self.deleted = False

    def class_names(self):
        return (type(self).__name__.lower() + ".Kind", "lamp.Base", "handle")

    def property_names(self):
        return tuple(self.values)

    def get_property(self, name):
        if name not in self.values:
            raise MatlabError("lamp:none", f"no {name}")
        return self.values[name]

    def set_property(self, name, value):
        self.get_property(name)
        self.values[name] = value

    def method(self, name):
        return {"twice": lambda nargout, x: 2 * x}.get(name)

    def delete(self):
        self.deleted = True

    def is_valid(self):
        return not self.deleted

    def number(self):
        return self.id

class Torch(Lamp):
    pass

@builtin("lamp", family="lamps", needs=("interp",))
def lamp(bright, *, interp):
    """Lamp."""
    return Lamp(bright)

@builtin("torch", family="lamps")
def torch(bright):
    """Torch."""
    return Torch(bright)

@builtin("alllamps", family="lamps", needs=("interp",))
def alllamps(count, *, interp):
    """Lamps."""
    return np.array([Lamp(float(k)) for k in range(int(count))], dtype=object)

@builtin("brightness", family="lamps", needs=("interp",))
def brightness(value, *, interp):
    """Sum."""
    found = interp.to_python(value)
    return sum(item.values["Bright"] for item in np.ravel(np.array(found, dtype=object)))
'''


@pytest.fixture
def session(install: Any) -> Session:
    install("runmat-lamps", SOURCE)
    return Session()


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("a = lamp(3); b = a; b.Bright = 4; disp(a.Bright)", "4"),
        ("a = lamp(3); a.Data(3) = 5; disp(a.Data)", "1     0     5"),
        ("v = alllamps(3); disp(size(v)), disp(v(2).Bright)", "1     3\n     1"),
        ("v = alllamps(3); v(2).Bright = 9; disp([v.Bright])", "0     9     2"),
        ("v = [lamp(1) lamp(2)]; v(4) = lamp(3); disp(isvalid(v))", "1   1   0   1"),
        ("v = [lamp(1) lamp(2)]; v(1) = []; disp(v.Bright)", "2"),
        ("disp(class([lamp(1) torch(2)])), disp(class(torch(1)))", "lamp.Base\ntorch.Kind"),
        ("a = lamp(1); disp([a == a, a == lamp(1), isequal(a, a)])", "1   0   1"),
        ("v = alllamps(2); disp(v == v(2)), disp(any(v ~= v'))", "0   1\n   1   1"),
        ("a = lamp(1); n = double(a); disp(a == n)", "1"),
        ("a = lamp(1); z = zeros(1, 2); z(2) = a; disp(z(2) == a)", "1"),
        ("a = lamp(1); delete(a); disp(isvalid(a)), a", "0\na = \n  handle to deleted Kind"),
        ("a = lamp(2); disp(brightness([a lamp(5)])), disp(a.twice(4))", "7\n     8"),
        ("a = lamp(2)", "a = \n  Kind with properties:\n    Bright: 2\n      Data: 1"),
        ("v = alllamps(2)", "v = \n  1×2 Kind array"),
        ("disp(isprop(alllamps(2), 'Data')), disp(isa(torch(1), 'lamp.Base'))", "1   1\n   1"),
        ("s.h = lamp(1); s.h.Bright = 7; c = {s.h}; disp(c{1}.Bright)", "7"),
        ("v = alllamps(2); v(2) = 5;", None),
    ],
)  # fmt: skip
def test_programs(session: Session, code: str, printed: str | None) -> None:
    if printed is None:
        with pytest.raises(MatlabError):
            session.run(code)
        return
    shown = session.capture("format compact\n" + code)
    assert shown.strip().replace(" \n", "\n") == printed.replace(" \n", "\n")


def test_bad_properties_are_the_packages_errors(session: Session) -> None:
    for code in ("a = lamp(1); a.None", "a = lamp(1); a.None = 1;"):
        with pytest.raises(MatlabError) as caught:
            session.run(code)
        assert caught.value.identifier == "lamp:none"


def test_python_sees_the_object(session: Session) -> None:
    session.run("a = lamp(3); v = [a lamp(4)];")
    one = session["a"]
    assert one.values["Bright"] == 3.0
    assert session["v"].shape == (1, 2)
    assert session["v"][0, 0] is one
    session["w"] = one
    assert session.eval("w == a") is True
    assert isinstance(session["v"], np.ndarray)
