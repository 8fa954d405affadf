"""What programs are told of classes and packages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runmat_core import Session

ACCOUNT = """
classdef Account < handle
    % Account  Money.
    % It has a balance.
    properties (SetAccess = private)
        Balance (1,:) double = 4
    end
    properties (Constant, Hidden)
        Rate = 0.1
    end
    properties (Dependent, SetAccess = {?Account})
        Rich
    end
    events
        Over
    end
    methods
        function obj = Account(b), end
        function [a, b] = two(obj, x, varargin), a = 1; b = 2; end
        function v = get.Rich(obj), v = true; end
    end
    methods (Static, Access = protected)
        function make(), end
    end
end
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder: Path = tmp_path_factory.mktemp("meta")
    (folder / "Account.m").write_text(ACCOUNT)
    deep = folder / "+alg" / "+deep"
    deep.mkdir(parents=True)
    (deep / "g.m").write_text("function y = g(x), y = x; end\n")
    (folder / "+alg" / "f.m").write_text("% a function\nfunction y = f(x), y = x; end\n")
    (folder / "+alg" / "C.m").write_text("% a class\nclassdef C\nend\n")
    made = Session(cwd=folder)
    made.run(
        "m = ?Account; p = m.PropertyList; f = m.MethodList; k = meta.package.fromName('alg');"
    )
    made.run("two = f(strcmp({f.Name}, 'two')); a = Account(1);")
    return made


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("{class(m), class(p), class(f), class(m.EventList), class(k)}",
         ["meta.class", "meta.property", "meta.method", "meta.event", "meta.package"]),
        ("[isa(m, 'matlab.metadata.Class') isa(p, 'matlab.metadata.Property') isa(f, 'handle')]",
         [[1, 1, 1]]),
        ("[size(p), size(f(1)), size(m.EnumerationMemberList)]", [[3, 1, 1, 1, 0, 1]]),
        ("{p.Name}", ["Balance", "Rate", "Rich"]),
        ("[p.Constant; p.Hidden; p.Dependent]", [[0, 1, 0], [0, 1, 0], [0, 0, 1]]),
        ("{p(1).GetAccess, p(1).SetAccess, p(3).SetAccess{1}.Name}",
         ["public", "private", "Account"]),
        ("{p(1).DefiningClass.Name, p(1).Validation.Class.Name, p(1).DefaultValue}",
         ["Account", "double", 4]),
        ("[p(1).Validation.Size.Length]", [[1, None]]),
        ("isempty(p(2).Validation)", True),
        ("func2str(p(3).GetMethod)", "Account/get.Rich"),
        ("any(strcmp({f.Name}, 'Account')) && any(strcmp({f.Name}, 'empty'))", True),
        ("two.InputNames'", ["obj", "x", "varargin"]),
        ("two.OutputNames'", ["a", "b"]),
        ("f(strcmp({f.Name}, 'make')).Access", "protected"),
        ("f(strcmp({f.Name}, 'notify')).DefiningClass.Name", "handle"),
        ("m.SuperclassList.Name", "handle"),
        ("{m.Properties{1}.Name, m.Methods{1}.Name, m.SuperClasses{1}.Name}",
         ["Balance", "Account", "handle"]),
        ("{m.Description, m.DetailedDescription}", ["Account  Money.", " It has a balance."]),
        ("findobj(p, 'Constant', true).Name", "Rate"),
        ("findprop(a, 'Balance') == p(1)", True),
        ("isempty(findprop(a, 'none'))", True),
        ("isequal(metaclass(a), m, matlab.metadata.Class.fromName('Account'))", True),
        ("size(meta.class.fromName('none'))", [[0, 0]]),
        ("arrayfun(@(one) one.Constant, p)", [[0], [1], [0]]),
        ("numel([?Account, ?handle])", 2),
        ("{k.FunctionList.Name, k.ClassList.Name, k.PackageList.Name}", ["f", "alg.C", "alg.deep"]),
        ("k.PackageList.FunctionList.Name", "g"),
        ("k.PackageList.ContainingPackage.Name", "alg"),
        ("k.ClassList.ContainingPackage.Name", "alg"),
        ("cellfun(@(one) {one.Name}, meta.package.getAllPackages)", ["alg"]),
        ("isempty(meta.package.fromName('none'))", True),
    ],
)  # fmt: skip
def test_what_is_told(expression: str, value: Any, session: Session) -> None:
    found = session.eval(expression)
    if hasattr(found, "tolist"):
        found = [[None if x != x else x for x in row] for row in found.tolist()]
    assert found == value


def test_lists_show_the_names_of_properties(session: Session) -> None:
    assert "  3×1 property array with properties:\n\n    Name\n" in session.capture("p")
    assert "  method with properties:\n" in session.capture("two")
    assert "InputNames: {3×1 cell}" in session.capture("two")
