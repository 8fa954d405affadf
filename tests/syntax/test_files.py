"""Functions, files, arguments blocks and classes."""

from __future__ import annotations

import pytest

from runmat_core.syntax import MatlabSyntaxError, ast, parse

HEADERS = {
    "f": ("f", [], []),
    "f()": ("f", [], []),
    "f(x)": ("f", ["x"], []),
    "y = f(x)": ("f", ["x"], ["y"]),
    "[] = f(x)": ("f", ["x"], []),
    "[a,b]=f(x,~,varargin)": ("f", ["x", None, "varargin"], ["a", "b"]),
    "[a b] = f": ("f", [], ["a", "b"]),
    "varargout = f(varargin)": ("f", ["varargin"], ["varargout"]),
    "v = get.Prop(obj)": ("get.Prop", ["obj"], ["v"]),
    "[a, ...\n b] = f(x, ...\n y)": ("f", ["x", "y"], ["a", "b"]),
    "f(x) % comment": ("f", ["x"], []),
    "f(x);": ("f", ["x"], []),
}


@pytest.mark.parametrize("ending", ["", "\nend"])
@pytest.mark.parametrize("header", HEADERS)
def test_headers(header, ending):
    (function,) = parse(f"function {header}\n body;{ending}").functions
    inputs = [parameter.name for parameter in function.inputs]
    assert (function.name, inputs, list(function.outputs)) == HEADERS[header]
    assert len(function.body) == 1


@pytest.mark.parametrize(
    "source",
    ["function r = f(x), r = x; end", "function r = f(x) r = x; end", "function f, r = x; end"],
)
def test_functions_on_one_line(source):
    (function,) = parse(source).functions
    assert [type(statement) for statement in function.body] == [ast.Assign]


FILES = {
    "functions with end": (
        "function f\nif x, y, end\nend\nfunction g\nz\nend",
        ("function", 0, ["f", "g"]),
    ),
    "functions without end": (
        "function f\nif x, y, end\nfunction g\nwhile 1\nz\nend\n",
        ("function", 0, ["f", "g"]),
    ),
    "script with functions": (
        "x = 1;\ny = f(x)\nfunction r = f(x)\nr = x;\nend",
        ("script", 2, ["f"]),
    ),
    "script with functions first": (
        "function r = f(x)\nr = x;\nend\nx = f(1)",
        ("script", 1, ["f"]),
    ),
    "script": ("x = 1;", ("script", 1, [])),
    "one function with loops and no end": (
        "function f\nfor k=1:3\nfor j=1:3\nend\nend",
        ("function", 0, ["f"]),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_files(name):
    source, expected = FILES[name]
    module = parse(source)
    names = [function.name for function in module.functions]
    assert (module.kind, len(module.body), names) == expected


def test_nested_functions():
    source = """\
function outer(x)
    y = inner(x);
    function r = inner(a)
        r = a + x;
        function deeper
        end
    end
    disp(y)
end
function other
end
"""
    module = parse(source)
    assert [function.name for function in module.functions] == ["outer", "other"]
    outer = module.functions[0]
    kinds = [type(statement).__name__ for statement in outer.body]
    assert kinds == ["Assign", "Function", "ExprStmt"]
    inner = outer.body[1]
    assert isinstance(inner, ast.Function)
    assert [type(statement).__name__ for statement in inner.body] == ["Assign", "Function"]


HELP = {
    "after the header": "function f(x)\n% F  does it.\n%   Really.\n\n% not this\nx\nend",
    "block comment": "function f(x)\n%{\n F  does it.\n   Really.\n%}\nend",
    "before the header": "% not this\n\n% F  does it.\n%   Really.\nfunction f(x)\nx\nend",
    "long header": "function [a, ...\n  b] = f(x)\n% F  does it.\n%   Really.\nend",
}


@pytest.mark.parametrize("name", HELP)
def test_help(name):
    module = parse(HELP[name])
    expected = " F  does it.\n   Really."
    assert module.functions[0].help == expected
    assert module.help == expected


def test_help_of_a_script_is_its_first_comment():
    assert parse("\n\n% Shows\n% things\n\n% more\nx = 1;").help == " Shows\n things"
    assert parse("x = 1;").help == ""


ARGUMENTS = """\
function out = f(a, b, opts, varargin)
    % help
    arguments
        a (1,:) double {mustBePositive, mustBeMember(a,[1 2])} = 3
        b % any
        c.d string = "x";
        opts.Name (1,1) string = "n"
        opts.?pkg.Class
    end
    arguments (Repeating)
        varargin {mustBeNumeric}
    end
    arguments (Output)
        out (:,:,3) double
    end
    arguments.x = 1;
end
"""


def test_arguments_blocks(outlined):
    (function,) = parse(ARGUMENTS).functions
    assert len(function.body) == 1
    first, second, third = map(outlined, function.arguments)
    assert first == (
        "ArgumentsBlock",
        "Input",
        False,
        [
            (
                "ArgumentDecl",
                "a",
                ["1", ":"],
                "double",
                ["mustBePositive", "mustBeMember(a,[1,2])"],
                "3",
            ),
            ("ArgumentDecl", "b", None, None, [], None),
            ("ArgumentDecl", "c.d", None, "string", [], '"x"'),
            ("ArgumentDecl", "opts.Name", ["1", "1"], "string", [], '"n"'),
            ("ArgumentDecl", "opts.?pkg.Class", None, None, [], None),
        ],
    )
    assert second[1:3] == ("Input", True)
    assert second[3] == [("ArgumentDecl", "varargin", None, None, ["mustBeNumeric"], None)]
    assert third[1:3] == ("Output", False)
    assert third[3] == [("ArgumentDecl", "out", [":", ":", "3"], "double", [], None)]


def test_attributes_of_arguments_blocks_are_checked():
    with pytest.raises(MatlabSyntaxError, match="'Other' is no attribute"):
        parse("function f(x)\narguments (Other)\nx\nend\nend")


CLASS = """\
classdef (Sealed, ConstructOnLoad = true, ~Hidden) Account < handle & pkg.Base
    % Account  Holds money.
    properties
        Balance (1,1) double {mustBeNonnegative} = 0
        Name
        List = {1, 'a'}
    end
    properties (Access = private, Constant)
        Limit = 100;
    end
    events (ListenAccess = 'public')
        Overdrawn
        Closed
    end
    enumeration
        Open (1, 'o')
        Shut
    end
    methods
        function obj = Account(varargin)
            obj = obj@pkg.Base(varargin{:});
            deposit@handle(obj, 3);
            properties = 3;
        end
        function v = get.Balance(obj)
            v = obj.Balance;
        end
        function set.Balance(obj, v)
            obj.Balance = v;
        end
    end
    methods (Static, Access = {?Account, ?pkg.Other})
        r = elsewhere(a, b)
        [x, y] = both(obj);
        simple
    end
end
function helper
end
"""


def test_classdef(outlined):
    module = parse(CLASS)
    assert module.kind == "class"
    assert [function.name for function in module.functions] == ["helper"]
    classdef = module.classdef
    assert classdef is not None
    assert (classdef.name, classdef.superclasses) == ("Account", ("handle", "pkg.Base"))
    assert classdef.help == module.help == " Account  Holds money."
    assert outlined(classdef.attributes) == [
        ("Attribute", "Sealed", None, False),
        ("Attribute", "ConstructOnLoad", "true", False),
        ("Attribute", "Hidden", None, True),
    ]
    public, private, events, enumeration, methods, static = classdef.blocks
    assert outlined(public) == (
        "PropertiesBlock",
        [],
        [
            ("Property", "Balance", ["1", "1"], "double", ["mustBeNonnegative"], "0"),
            ("Property", "Name", None, None, [], None),
            ("Property", "List", None, None, [], "{1,'a'}"),
        ],
    )
    assert outlined(private)[1] == [
        ("Attribute", "Access", "private", False),
        ("Attribute", "Constant", None, False),
    ]
    assert outlined(events)[2] == ["Overdrawn", "Closed"]
    assert outlined(enumeration)[2] == [["Open", ["1", "'o'"]], ["Shut", []]]
    assert isinstance(methods, ast.MethodsBlock)
    names = [method.name for method in methods.methods]
    assert names == ["Account", "get.Balance", "set.Balance"]
    constructor = methods.methods[0]
    assert isinstance(constructor, ast.Function)
    values = [getattr(statement, "value", None) for statement in constructor.body]
    assert values[0] == ast.SuperCall(
        "obj", "pkg.Base", (ast.Index(ast.Name("varargin"), "{}", (ast.Colon(),)),)
    )
    assert isinstance(values[1], ast.SuperCall)
    assert isinstance(static, ast.MethodsBlock)
    assert outlined(static)[2] == [
        ("MethodSignature", "elsewhere", [("Parameter", "a"), ("Parameter", "b")], ["r"]),
        ("MethodSignature", "both", [("Parameter", "obj")], ["x", "y"]),
        ("MethodSignature", "simple", [], []),
    ]
    assert static.attributes[1].value == ast.Cell(
        ((ast.MetaClass("Account"), ast.MetaClass("pkg.Other")),)
    )


def test_an_empty_class():
    module = parse("classdef A\nend")
    assert module.classdef == ast.ClassDef("A", (), (), ())
