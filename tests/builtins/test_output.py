"""Builtins that show values and turn numbers into text, called in a session."""

from __future__ import annotations

import pytest

import runmat_core as rm


@pytest.fixture
def run():
    """Run code in a compact session and give back what it printed."""

    def run(code: str, spacing: str = "compact") -> str:
        parts: list[str] = []
        session = rm.Session(stdout=parts.append, stderr=parts.append)
        session.run(f"format {spacing}\n{code}")
        return "".join(parts)

    return run


def value_of(code: str):
    session = rm.Session()
    session.run(f"result = {code};")
    return session["result"]


TEXTS = {
    # num2str of scalars
    "num2str(pi)": "3.1416",
    "num2str(-0.5)": "-0.5",
    "num2str(123456.789)": "123456.789",
    "num2str(1.23456789e-5)": "1.2346e-05",
    "num2str(1e10)": "10000000000",
    "num2str(1e15)": "1000000000000000",
    "num2str(1e16)": "1e+16",
    "num2str(0.1 + 0.2)": "0.3",
    "num2str(1/3)": "0.33333",
    "num2str(NaN)": "NaN",
    "num2str(-Inf)": "-Inf",
    "num2str(true)": "1",
    "num2str(int8(-5))": "-5",
    "num2str(intmax('int64'))": "9223372036854775807",
    "num2str(single(pi))": "3.1416",
    "num2str(-0)": "0",
    "num2str(99999.5)": "99999.5",
    # of arrays
    "num2str([1 2 3])": "1  2  3",
    "num2str([10 200])": "10  200",
    "num2str([-1 2])": "-1  2",
    "num2str([1 -3 2])": "1 -3  2",
    "num2str([-Inf 2])": "-Inf     2",
    "num2str([-Inf NaN pi])": "-Inf         NaN      3.1416",
    "num2str([0.5377 -2.2588], 3)": "0.538     -2.26",
    "num2str([1 NaN 3])": "1  NaN    3",
    "num2str([1.5 2.25])": "1.5        2.25",
    "num2str([])": "",
    "num2str([true false])": "1  0",
    # with a precision or a format
    "num2str(pi, 8)": "3.1415927",
    "num2str(123456, 3)": "1.23e+05",
    "num2str(pi, '%10.5f')": "3.14159",
    "num2str([1 2 3], '%d,')": "1,2,3,",
    "num2str([1 2 3], '%d ')": "1 2 3",
    "num2str(5, '%03d')": "005",
    # complex, text
    "num2str(1+2i)": "1+2i",
    "num2str(1.5-2i)": "1.5-2i",
    "num2str(complex(3*pi, 2*pi))": "9.42478+6.28319i",
    "num2str(1.5-2i, '%.2f')": "1.50-2.00i",
    "num2str([1+1i 1i])": "1+1i   0+1i",
    "num2str([pi 0]+1i)": "3.1416+1i                     0+1i",
    "num2str('abc')": "abc",
    # int2str
    "int2str(2.5)": "3",
    "int2str(-2.5)": "-3",
    "int2str([1.2 10.7])": "1  11",
    # mat2str
    "mat2str([1 2; 3 4.5])": "[1 2;3 4.5]",
    "mat2str(5)": "5",
    "mat2str([true false])": "[true false]",
    "mat2str([])": "zeros(0,0)",
    "mat2str(zeros(0, 3))": "zeros(0,3)",
    "mat2str(pi)": "3.14159265358979",
    "mat2str(pi, 4)": "3.142",
    "mat2str([1+2i 3])": "[1+2i 3+0i]",
    "mat2str('a''b')": "'a''b'",
    "mat2str(['ab'; 'cd'])": "['ab';'cd']",
    "mat2str(int8([1 2]))": "[1 2]",
    "mat2str(int8([1 2]), 'class')": "int8([1 2])",
    "mat2str([NaN Inf -Inf])": "[NaN Inf -Inf]",
    "mat2str(complex(1, Inf))": "1+1i*Inf",
    "mat2str([1 2], 'class')": "double([1 2])",
    "mat2str(sparse([0 2; 1 0]))": "sparse([2;1], [1;2], [1;2], 2, 2)",
    "mat2str(\"a\")": '"a"',
    # bases
    "dec2bin(23)": "10111",
    "dec2bin(0)": "0",
    "dec2bin(5, 8)": "00000101",
    "dec2bin(-1)": "11111111",
    "dec2hex(1023)": "3FF",
    "dec2hex(-1)": "FF",
    "dec2base(23, 3)": "212",
    "dec2base(35, 36)": "Z",
    "num2hex(1)": "3ff0000000000000",
    "num2hex(NaN)": "fff8000000000000",
    "num2hex(single(1))": "3f800000",
    # sprintf
    "sprintf('%d,', [1 2 3])": "1,2,3,",
    r"sprintf('%s\n', \"a\", 'b')".replace('\\"', '"'): "a\nb\n",
    "rats(0.75)": "      3/4     ",
    "rats(pi)": "    355/113   ",
    "rats([1 1/2])": "       1            1/2     ",
}  # fmt: skip


@pytest.mark.parametrize("code", TEXTS)
def test_text(code):
    assert value_of(code) == TEXTS[code]


def test_num2str_gives_a_row_for_each_row(run):
    assert (
        run("x = num2str([10 200; 3 4])") == "x =\n  2×7 char array\n    '10  200'\n    ' 3    4'\n"
    )


NUMBERS = {
    "bin2dec('10111')": 23,
    "bin2dec('1 0 1')": 5,
    "hex2dec('3FF')": 1023,
    "hex2dec('0xff')": 255,
    "base2dec('212', 3)": 23,
    "hex2num('400921fb54442d18')": 3.141592653589793,
}


@pytest.mark.parametrize("code", NUMBERS)
def test_number(code):
    assert value_of(code) == NUMBERS[code]


def test_columns_of_digits(run):
    assert (
        run("disp(dec2bin([1 2 3])), disp(bin2dec({'10'; '11'})')") == "01\n10\n11\n     2     3\n"
    )


ERRORS = {
    "num2str({1})": "MATLAB:num2str:nonNumericInput",
    "mat2str(ones(2, 2, 2))": "MATLAB:mat2str:TwoDInput",
    "dec2bin(1.5)": "MATLAB:dec2bin:MustBeInteger",
    "bin2dec('12')": "MATLAB:bin2dec:IllegalBinaryString",
    "sprintf()": "MATLAB:minrhs",
    "fprintf(77, 'x')": "MATLAB:FileIO:InvalidFid",
    "format nonsense": "MATLAB:format:UnknownFormatOption",
    "disp()": "MATLAB:minrhs",
}


@pytest.mark.parametrize("code", ERRORS)
def test_error(code):
    with pytest.raises(rm.MatlabError) as caught:
        rm.Session().run(code)
    assert caught.value.identifier == ERRORS[code]


PRINTED = {
    "disp('a'), disp(1)": "a\n     1\n",
    "x = 3; display(x)": "x =\n     3\n",
    "display(4)": "     4\n",
    "display(4, 'y')": "y =\n     4\n",
    r"fprintf('%d-%s\n', 1, 'a')": "1-a\n",
    r"fprintf(1, 'one\n')": "one\n",
    r"fprintf(2, 'two\n')": "two\n",
    r"fprintf('no conversion\n')": "no conversion\n",
    r"n = fprintf('abc\n')": "abc\nn =\n     4\n",
    "format long, pi": "ans =\n   3.141592653589793\n",
    "format long g\n1/3": "ans =\n         0.333333333333333\n",
    "format bank\n[0.333 5]": "ans =\n          0.33          5.00\n",
    "f = format; f.NumericFormat": 'ans = \n    "short"\n',
    "f = format; format long, format(f), pi": "ans =\n    3.1416\n",
    's = sprintf("%d", 5)': 's = \n    "5"\n',
    "s = sprintf('%d', [])": "s =\n  0×0 empty char array\n",
    "a.b = 1; a": "a = \n  struct with fields:\n    b: 1\n",
}


@pytest.mark.parametrize("code", PRINTED)
def test_printed(run, code):
    assert run(code) == PRINTED[code]


def test_format_alone_restores_short_and_loose(run):
    assert run("format long\nformat\nx = pi") == "\nx =\n\n    3.1416\n\n"


def test_formatted_display_text():
    assert value_of("formattedDisplayText([1 2])") == "     1     2\n"
    code = "formattedDisplayText(struct('a', true), 'UseTrueFalseForLogical', true)"
    assert value_of(code) == "    a: true\n"
    code = "formattedDisplayText(pi, 'NumericFormat', 'bank', 'LineSpacing', 'compact')"
    assert value_of(code) == "          3.14\n"


def test_celldisp(run):
    code = "C = {'a', [1 2]; {5}, []}; celldisp(C)"
    assert run(code, "loose") == (
        " \nC{1,1} =\n \na\n \n \nC{2,1}{1} =\n \n     5\n\n \n \nC{1,2} =\n \n     1     2\n\n \n"
        " \nC{2,2} =\n \n     []\n \n"
    )
    assert run(code).splitlines()[:2] == ["C{1,1} =", "a"]
