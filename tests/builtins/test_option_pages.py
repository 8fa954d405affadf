"""Options of functions that read text and numbers, as their pages describe them, one by one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session

SAME: dict[str, str] = {
    "textscan": r"""
        textscan('1;2|3', '%f', 'Delimiter', ';|')      = {[1; 2; 3]}
        textscan('0.41 8.24 3.57', '%3.1f %*1d')        = {[0.4; 8.2; 3.5]}
        textscan('0.123456', '%5.2f')                   = {[0.12; 3456]}
        textscan('1D5 2d3', '%f', 'ExpChars', 'D')      = {[1e5; 2]}
        textscan('1x2 3', '%f', 'ExpChars', 'x')        = {[100; 3]}
        textscan('1e2 3', '%f', 'ExpChars', 'D')        = {1}
        textscan('a,,b', '%s', 'Delimiter', ',')        = {{'a'; ''; 'b'}}
        textscan('1,NA,3', '%f', 'Delimiter', ',', 'TreatAsEmpty', 'NA') = {[1; NaN; 3]}
        textscan('1,,3', '%f', 'Delimiter', ',', 'EmptyValue', -1)       = {[1; -1; 3]}
        textscan('1 /* c */ 2', '%f', 'CommentStyle', {'/*', '*/'})      = {[1; 2]}
        textscan('Fe,2;Cu,3', '%s %f', 'Delimiter', ',', 'EndOfLine', ';') = {{'Fe'; 'Cu'}, [2; 3]}
        textscan('1,,2', '%f %f', 'Delimiter', ',', 'MultipleDelimsAsOne', 1) = {1, 2}
        textscan('1 2 3', '%f %f %f', 'CollectOutput', true)             = {[1 2 3]}
        textscan('a b', '%s', 'TextType', 'string')     = {["a"; "b"]}
        textscan(sprintf('h\n1 2'), '%f %f', 'HeaderLines', 1)           = {1, 2}
        textscan(sprintf('1 2\n4 x'), '%f %f', 'ReturnOnError', true)    = {[1; 4], 2}
        textscan('101 0b11', '%b')                      = {uint64([5; 3])}
        textscan('300', '%d8')                          = {int8(127)}
        textscan('3+4i', '%f')                          = {3+4i}
    """,
    "jsondecode": r"""
        jsondecode('[null, null]')                      = [NaN; NaN]
        jsondecode('[1, null]')                         = [1; NaN]
        jsondecode('["a", null]')                       = {'a'; []}
        jsondecode('[1, Inf, -Inf, NaN]')               = [1; Inf; -Inf; NaN]
        jsondecode('{"a": Inf, "b": "-Inf, Inf]"}')     = struct('a', Inf, 'b', '-Inf, Inf]')
        jsondecode('{" b c ": 1, "": 2}')               = struct('bC', 1, 'x', 2)
        jsondecode('[{"a/b": 1}, {"a+b": 2}]')          = struct('a_b', {1; 2})
        jsondecode('[[{"a": 1}, {"a": 2}], [{"a": 3}, {"a": 4}]]') = struct('a', {1 2; 3 4})
        jsondecode('[{"a": 1}, {"b": 2}]')              = {struct('a', 1); struct('b', 2)}
        jsondecode('[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]') = cat(3, [1 3; 5 7], [2 4; 6 8])
        jsonencode(cat(3, ['ab'; 'cd'], ['ef'; 'gh']))  = '[["ab","ef"],["cd","gh"]]'
        jsonencode(ones(1, 1, 3))                       = '[1,1,1]'
        jsonencode(cat(3, [1 2], [3 4]))                = '[[[1,3],[2,4]]]'
    """,
    "sscanf": r"""
        sscanf('3 abc', '%d %s')'                       = [3 97 98 99]
        sscanf('10 0x1F 017', '%i')'                    = [10 31 15]
        sscanf('1-2', '%[0-9-]')                        = '1-2'
        sscanf('a^b', '%[^^]')                          = 'a'
        sscanf('1 2 3 4 5 6', '%d', [2 Inf])            = [1 3 5; 2 4 6]
        sscanf('50%', '%d%%')                           = 50
    """,
    "hex2num": r"""
        hex2num({'400', 'c00'})                         = [2; -2]
        hex2num(["400"; "bff"])                         = [2; -1]
        hex2num('7ff0000000000000')                     = Inf
    """,
    "movfun": r"""
        movfun(@mean, [4 8 6 -1 -2], 3, 'Endpoints', 'fill')    = [NaN 6 13/3 1 NaN]
        movfun(@mean, [4 8 6 -1 -2], 3, 'Endpoints', 'discard') = [6 13/3 1]
        movfun(@mean, [4 8 6 -1 -2], 3, 'Endpoints', 0)         = [4 6 13/3 1 -1]
        movfun(@mean, [4 8 6 -1 -2], 3, 'SamplePoints', [1 2 4 5 9]) = [6 6 2.5 2.5 -2]
        movfun(@median, [4; 8; 6; -1], [0 2])                   = [6; 6; 2.5; -1]
        movfun(@mean, [1 2; 3 4], 2, 2)                         = [1 1.5; 3 3.5]
    """,
    "nargchk": r"""
        nargchk(1, 3, 2)                                = []
        nargchk(1, 3, 0, 'string')                      = 'Not enough input arguments.'
        nargchk(1, 3, 4, 'struct').message              = 'Too many input arguments.'
        isempty(nargchk(1, 3, 2, 'struct'))             = true
    """,
    "license": r"""
        license('test', 'MATLAB', 'enable')             = 1
        license('test', 'Some_Toolbox')                 = 0
        license('inuse', 'MATLAB').feature              = 'matlab'
        isempty(license('inuse', 'Some_Toolbox'))       = true
    """,
    "datevec": r"""
        datevec('5/5/98', 'mm/dd/yy', 1900)             = [1998 5 5 0 0 0]
        datevec('03/01/50', 1950)                       = [1950 3 1 0 0 0]
        datevec({'24-Oct-2003', '25-Oct-2004'})         = [2003 10 24 0 0 0; 2004 10 25 0 0 0]
        datevec('Mar.03.1962 13:14:15', 'mmm.dd.yyyy HH:MM:SS') = [1962 3 3 13 14 15]
        datevec(datetime(2020, 1, 2, 3, 4, 5.5))        = [2020 1 2 3 4 5.5]
        datevec([duration(50, 2, 3.5); -hours(1)])      = [0 0 2 2 2 3.5; 0 0 0 -1 0 0]
    """,
    "gammainc": r"""
        gammainc([0 0 1 Inf], [0 1 0 2])                = [1 0 1 1]
        gammainc([0 Inf], 2, 'upper')                   = [1 0]
        abs(gammainc(700, 2, 'scaledupper')*350 - 1.001428571) < 1e-5 = true
        gammainc(700, 2, 'upper') > 0                   = true
        abs(gammainc(1e-200, 2, 'scaledlower') - 1) < 1e-15 = true
    """,
    "strfind": r"""
        strfind([1 2 3 1 2], [1 2])                     = [1 4]
        strfind(-1, char(9))                            = []
        strfind([97 98], 'b')                           = 2
    """,
    "sets of strings and cells": r"""
        setdiff("A", {'A', 'B'})                        = strings(1, 0)
        setdiff("A", {})                                = "A"
        union({'b', 'a'}, "c")                          = ["a" "b" "c"]
        intersect(["b" "a"], {'a'; 'c'})                = "a"
    """,
    "cellstr": r"""
        cellstr({'a', "b"})                             = {'a', 'b'}
    """,
    "namedargs2cell": r"""
        namedargs2cell(struct('a', 1, 'b', 'x'))        = {'a', 1, 'b', 'x'}
        namedargs2cell(struct())                        = cell(1, 0)
    """,
    "repmat": r"""
        repmat(table([1; 2]), 2, 1)                     = table([1; 2; 1; 2])
        repmat(table([1; 2]), [0 1])                    = table(zeros(0, 1))
    """,
    "matlab.lang.makeValidName": r"""
        matlab.lang.makeValidName('  field 1  ')        = 'field1'
        matlab.lang.makeValidName('my value')           = 'myValue'
    """,
}
FAILING = {
    "textscan(sprintf('1 2\\n4 x'), '%f %f', 'ReturnOnError', 0)": (
        "MATLAB:textscan:handleErrorAndShowInfo"
    ),
    "nargchk(3, 1, 2)": "MATLAB:nargchk:minGreaterThanMax",
    "nargchk('a', 1, 2)": "MATLAB:nargchk:nonNumericInput",
    "nargchk(1, 2, 2, 'cell')": "MATLAB:nargchk:unrecognizedStringChoice",
    "license('nothing')": "MATLAB:license:InvalidOption",
    "license('test', 'MATLAB', 'on')": "MATLAB:license:unrecognizedStringChoice",
    "jsondecode('[1, Inf')": "MATLAB:json:ExpectedLiteral",
    "gammainc(1, -1)": "MATLAB:gammainc:NegativeArg",
    "movfun(@(x) [1 2], 1:3, 3)": "MATLAB:movfun:FunctionInvalidOutput",
    "strfind([1 2; 3 4], 1)": "MATLAB:strfind:InvalidFirstArgument",
    "cellstr({'a', 5})": "MATLAB:cellstr:MustContainText",
    "namedargs2cell(5)": "MATLAB:namedargs2cell:InvalidInput",
    "hex2num('xyz')": "MATLAB:hex2num:InvalidHexadecimal",
}


@pytest.mark.parametrize("name", SAME)
def test_forms(name: str, same: Callable[[str, str], None]) -> None:
    for line in SAME[name].strip().splitlines():
        expression, expected = line.strip().rsplit(" = ", 1)
        same(expression.strip(), expected)


def test_bad_options(failing: Callable[[str, str], None]) -> None:
    for statement, identifier in FAILING.items():
        failing(statement, identifier)


CLASSES = """
containers.Map dictionary MException function_handle timer inputParser handle pattern polyshape
event.listener meta.class matlab.unittest.TestCase griddedInterpolant RandStream
"""


@pytest.mark.parametrize("name", CLASSES.split())
def test_empty_arrays_of_classes_whose_objects_stand_alone(
    name: str, same: Callable[[str, str], None]
) -> None:
    same(f"class({name}.empty)", f"'{name}'")
    same(f"size({name}.empty(0, 3))", "[0 3]")
    same(f"size([{name}.empty {name}.empty])", "[0 0]")
    same(f"isa({name}.empty, '{name}') && isempty({name}.empty([3 0]))", "true")
    same(f"isequal({name}.empty, {name}.empty(1, 0))", "false")


def test_empty_arrays_take_one_object(session: Session, same: Callable[[str, str], None]) -> None:
    same("[containers.Map.empty containers.Map('a', 1)].keys", "{'a'}")
    same("[MException('a:b', 'c'), MException.empty].identifier", "'a:b'")
    session.run("f = function_handle.empty; f(end + 1) = @cos; m = containers.Map.empty;")
    same("f(0)", "1")
    session.run("try, m(1) = 3; catch e, end, try, m('a'), catch q, end")
    same("{e.identifier, q.identifier}", "{'MATLAB:UnableToConvert', 'MATLAB:badsubscript'}")
