"""Large, deep and long input: no recursion, linear time.

Times are of the processor; the limits are several times what is needed, and quadratic work exceeds
them by far. What every line takes is counted.
"""

from __future__ import annotations

import sys
import time
from array import array

import pytest

from runmat_core.syntax import ast, parse, unparse

LINES = """\
for k = 1:n
    A(k,:) = B(k,:) .* sin(x(k)) + [1, 2, -3];
    if k > 3 && ~isempty(c{k}.name)
        s.field(k).v = num2str(A(k, end-1)); % comment
        fprintf('%d: %s\\n', k, s.field(k).v);
    else
        disp(['a ' 'b' s.x]);
    end
    y = @(t) t.^2 + k;
end
"""
DEEP = 500
INPUTS = {
    "parentheses": "x = " + "(" * DEEP + "1" + ")" * DEEP + ";",
    "brackets": "x = " + "[" * DEEP + "1" + "]" * DEEP + ";",
    "braces": "x = " + "{" * DEEP + "1" + "}" * DEEP + ";",
    "calls": "x = " + "f(" * DEEP + "1" + ")" * DEEP + ";",
    "sum": "x = " + " + ".join(["abc"] * 5000) + ";",
    "signs": "x = " + "-" * 20_000 + "1;",
    "powers": "x = " + "^".join(["2"] * 5000) + ";",
    "transposes": "x = a" + "'" * 5000 + ";",
    "elseif": "if x == 0\n" + "".join(f"elseif x == {i}\n y = {i};\n" for i in range(3000)) + "end",
    "loops": "for k = 1:2\n" * 30 + "x = 1;\n" + "end\n" * 30,
    "anonymous functions": "f = " + "@(x) " * 500 + "x;",
    "fields": "x = a" + ".b" * 5000 + ";",
    "line": "x = " + " " * 1_000_000 + "1;",
    "text": "x = '" + "a" * 1_000_000 + "';",
    "apostrophes": "x';" * 20_000,
    "open apostrophes": "x ';" * 20_000,
    "statements on a line": "x = 1;" * 20_000,
    "comment": "% " + "c" * 1_000_000,
    "commands": "hold on\n" * 20_000,
    "names": "x(" + ", ".join(f"name{i}" for i in range(20_000)) + ")",
}


@pytest.mark.parametrize("name", INPUTS)
def test_large_input(name):
    source = INPUTS[name]
    start = time.process_time()
    module = parse(source)
    text = unparse(module)
    assert time.process_time() - start < 8
    assert unparse(parse(text)) == text  # trees this deep are not compared, nor printed


def test_ten_thousand_lines():
    assert len(parse(LINES * 1000).body) == 1000


def calls(run):
    """Return how many calls, of Python's functions and others, a function makes."""
    found = 0

    def count(frame, event, argument):
        nonlocal found
        found += event.endswith("call")

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return found


def test_lines_take_as_many_calls_however_many_there_are():
    parse(LINES)
    few, many = (calls(lambda n=n: parse(LINES * n)) for n in (4, 40))
    assert many < 10.5 * few
    assert many < 300 * 40 * LINES.count("\n")  # 250 are needed


def test_a_matrix_of_a_million_numbers():
    (statement,) = parse("x = [" + "1.5 -2 3e1 4\n" * 250_000 + "];").body
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.value, ast.NumberMatrix)
    few, many = (calls(lambda n=n: parse(f"x = [{'1.5 -2 3e1 4;' * n}];")) for n in (100, 1000))
    assert many - few < 900 * 4 * 1.5  # less than two for each number
    assert statement.value.shape == (250_000, 4)
    assert array("d", statement.value.data[-32:]).tolist() == [1.5, -2, 30, 4]


MATRICES = ["[1 -2; 3 4]", "[1, 2,\n 3]", "[ 1;2 ;\n\n 3 ; ]", "[.5 1e3 2i]", "[1\t-2 , +3 ]"]


@pytest.mark.parametrize("source", MATRICES)
def test_numbers_in_one_step_and_one_by_one_are_the_same(source):
    """A comment keeps the elements from being read in one step."""
    (quick,) = parse(f"x = {source};").body
    (slow,) = parse(f"x = {source[:-1]} ... comment\n];").body
    assert quick == slow


LARGE = {
    "row": ("{}", 1, 1200),
    "column": ("123456{:.2f}", 1200, 1),
    "signs, exponents and zeros": ("-{}e-3", 40, 30),
    "infinite": ("1e999 -0 {}", 3, 900),
}


@pytest.mark.parametrize("case", LARGE)
@pytest.mark.parametrize(("comma", "semicolon"), [(" ", "\n"), (", ", "; "), (",", " ;\n ")])
def test_large_number_matrix(case, comma, semicolon):
    element, height, width = LARGE[case]
    row = comma.join(element.replace(" ", comma).format(k * 0.25) for k in range(width))
    (statement,) = parse(f"x = [{semicolon.join([row] * height)}];").body
    matrix = statement.value
    assert isinstance(matrix, ast.NumberMatrix)
    assert matrix.shape == (height, width * len(element.split()))
    expected = [float(text) for text in row.replace(",", " ").split()] * height
    assert array("d", matrix.data) == array("d", expected)
    assert parse(unparse(matrix)).body[0].value == matrix


@pytest.mark.parametrize("last", ["2i", "1d3", "1; 2", "x"])
def test_large_matrix_of_other_elements(last):
    (statement,) = parse(f"x = [{'1 ' * 3000}{last}];").body
    assert isinstance(statement.value, ast.Matrix)
