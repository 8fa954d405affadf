"""Bad, huge and hostile programs: each ends with a result or a MATLAB error, and nothing is lost.

What the parser, the compiler and the command line refuse by themselves is tested with them; here a
session runs the whole way, and must live on afterwards.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import runmat_core as rm


@pytest.fixture
def s(tmp_path: Path) -> rm.Session:
    return rm.Session(cwd=tmp_path)


def failure(s: rm.Session, code: str) -> rm.MatlabError:
    """The error of a program; the session goes on after it."""
    with pytest.raises(rm.MatlabError) as caught:
        s.capture(code)
    assert caught.value.identifier != "RunMat:internal", caught.value.message
    assert s.eval("6 * 7") == 42.0
    return caught.value


# -- large ----------------------------------------------------------------------------------------


def test_thirty_nested_loops(s: rm.Session) -> None:
    heads = "".join(f"for k{n} = 1:{2 if n < 3 else 1}\n" for n in range(30))
    s.run(f"c = 0;\n{heads}c = c + 1;\n{'end' + chr(10)}" + "end\n" * 29)
    assert s["c"] == 8.0


def test_a_sum_of_five_thousand_terms_that_print(s: rm.Session) -> None:
    assert s.capture("x = 2;\ny = " + " + ".join(["x"] * 5000)).split() == ["y", "=", "10000"]


def test_three_thousand_elseif(s: rm.Session) -> None:
    clauses = "".join(f"elseif x == {n}, y = {n};\n" for n in range(3000))
    s.run(f"x = 2999;\nif x < 0, y = -1;\n{clauses}end")
    assert s["y"] == 2999.0


def test_a_literal_of_a_million_elements(s: rm.Session, tmp_path: Path) -> None:
    rows = "\n".join(" ".join(["1 2.5 -3 4"] * 250) for _ in range(1000))
    (tmp_path / "data.m").write_text(f"A = [{rows}\n];\n")
    s.run("data; n = size(A); total = sum(A(:));")
    assert s["n"].tolist() == [[1000.0, 1000.0]]
    assert s["total"] == 4.5 * 250_000


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("x = '" + "a" * 1_000_000 + "';", 1e6),
        ("x = [" + "1," * 500_000 + "1];", 500_001.0),
        ("x = 3;" + " " * 1_000_000 + "% " + "c" * 1_000_000, 1.0),
        ("x = {" + "'ab' " * 200_000 + "};", 200_000.0),
    ],
    ids=["text", "matrix", "blanks", "cell"],
)
def test_a_line_of_a_megabyte(s: rm.Session, line: str, size: float) -> None:
    s.run(line + "\nn = numel(x);")
    assert s["n"] == size


NESTED = {
    "parentheses": ("(", "7", ")"),
    "brackets": ("[", "7", "]"),
    "braces": ("{", "7", "}"),
    "calls": ("abs(", "7", ")"),
    "handles": ("@() ", "7", ""),
    "signs": ("-", "7", ""),
    "subscripts": ("v(", "1", ")"),
    "blocks": ("if true, ", "x = 7;", ", end"),
}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("small_stack", [False, True], ids=["main", "512KB"])
@pytest.mark.parametrize("name", NESTED)
def test_five_hundred_levels(s: rm.Session, name: str, small_stack: bool) -> None:
    left, core, right = NESTED[name]
    code = left * 500 + core + right * 500
    s.run("v = 1;")
    problems: list[BaseException] = []

    def run() -> None:
        try:
            s.run(code if name == "blocks" else f"x = {code};")
        except BaseException as problem:
            problems.append(problem)

    if small_stack:
        old = threading.stack_size(512 * 1024)
        try:
            thread = threading.Thread(target=run)
            thread.start()
        finally:
            threading.stack_size(old)
        thread.join()
    else:
        run()
    assert problems == []
    assert "x" in s


def test_data_nested_thousands_deep(s: rm.Session) -> None:
    """Values that hold values are copied, compared, shown and dropped without recursion."""
    s.run("c = {}; t = struct(); for k = 1:3000, c = {c}; t = struct('n', t); end")
    s.run("d = c; e = t; e.n.n.n = 1; same = isequal(c, d); differ = isequal(t, e);")
    assert (s.eval("same"), s.eval("differ")) == (True, False)
    assert s.capture("c")
    assert s.capture("t")
    for code in ("jsonencode(c)", "jsonencode(t)", "jsondecode(repmat('[', 1, 100000))"):
        assert failure(s, code).identifier == "MATLAB:recursionLimit"
    s.run("clear c d t e")


def test_five_thousand_brackets_are_a_result_or_an_error(s: rm.Session) -> None:
    code = "(" * 5000 + "1" + ")" * 5000
    assert s.eval(f"eval('{code}')") == 1.0
    assert failure(s, f"eval('{code[:-1]}')").identifier.startswith("MATLAB:")


# -- memory ---------------------------------------------------------------------------------------

TOO_LARGE = """
zeros(1e12, 1)
zeros(1e6)
ones(1e6, 1e6)
zeros(1e12, 1, 'int8')
true(1e6)
eye(1e6)
rand(1e6)
randn(1e12, 1)
randi(9, 1e6)
randperm(1e12)
cell(1e6)
cell(1e12, 1)
strings(1e6)
blanks(1e12)
struct('a', cell(1e6))
repmat(1, 1e6, 1e6)
repmat('ab', 1e6, 1e6)
repmat({1}, 1e6, 1e6)
repmat(struct('a', 1), 1e6, 1e6)
repelem(1:3, 1e12)
x = 1:1e12;
x = 0:1e-6:1e6;
linspace(0, 1, 1e12)
x = []; x(1e12) = 1;
x = 1; x(1e6, 1e6) = 1;
c = {}; c{1e12} = 1;
s = struct(); s(1e12).a = 1;
t = 'a'; t(1e12) = 'b';
t = "a"; t(1e12) = "b";
n = int8(1); n(1e6, 1e6) = 2;
b = true; b(1e12) = true;
v = 1:1e6; v' + v;
v = 1:1e6; v' == v;
v = 1:1e6; v' * v;
full(sparse(1e6, 1e6))
sparse(1e6, 1e6) + 1;
meshgrid(1:1e6)
kron(ones(1, 1e6), ones(1e6, 1))
accumarray([1e6 1e6], 1)
magic(1e6)
hilb(1e6)
toeplitz(1:1e6)
dec2bin(1, 1e12)
sprintf('%1000000000000d', 1)
perms(1:20)
""".strip().splitlines()
MEMORY = {"MATLAB:nomem", "MATLAB:array:SizeLimitExceeded"}


@pytest.mark.parametrize("code", TOO_LARGE)
def test_what_no_memory_holds_is_refused(s: rm.Session, code: str) -> None:
    for _ in range(2):  # forms of calls that were met before go another way
        assert failure(s, code).identifier in MEMORY


def test_a_refused_growth_leaves_the_variable(s: rm.Session) -> None:
    for start in ("[1 2 3]", "{1, 2, 3}", "'abc'", "struct('a', {1, 2, 3})", "int8([1 2 3])"):
        s.run(f"x = {start}; y = x;")
        assert failure(s, "x(1e12) = x(1);").identifier in MEMORY
        assert s.eval("isequal(x, y)")


def test_a_refused_allocation_can_be_caught(s: rm.Session) -> None:
    s.run("try, x = zeros(1e12, 1); catch e, id = e.identifier; end")
    assert s["id"] in MEMORY


# -- cut short ------------------------------------------------------------------------------------

UNTERMINATED = """
x = 'abc
x = "abc
x = [1 2
x = [1, 2; 3
x = {1, {2}
x = (1 + 2
x = f(1, ...
if true
if true, x = 1; else
for k = 1:3
while true
switch 3, case 3
try
try, x = 1; catch e
function f(x
%{
x =
x = 1 +
x = @
x = @(
x.
x(
[a, b
[a, ~] =
end
}
)
else
case 1
""".strip().splitlines()


@pytest.mark.parametrize("code", UNTERMINATED)
def test_unterminated_code_is_a_syntax_error(s: rm.Session, tmp_path: Path, code: str) -> None:
    error = failure(s, code)
    assert error.identifier.startswith("MATLAB:")
    s.run("code = " + "'" + code.replace("'", "''") + "';")
    assert failure(s, "eval(code)").identifier == error.identifier
    (tmp_path / "cut.m").write_text(f"y = 1;\n{code}\n")
    assert failure(s, "cut").identifier.startswith("MATLAB:")
    assert "y" not in s  # nothing of the file has run


# -- files ----------------------------------------------------------------------------------------


def test_files_that_are_no_programs(s: rm.Session, tmp_path: Path) -> None:
    (tmp_path / "folder.m").mkdir()
    (tmp_path / "binary.m").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "empty.m").write_bytes(b"")
    for name in ("nowhere.m", "folder.m", "binary.m"):
        with pytest.raises(rm.MatlabError) as caught:
            s.run_file(tmp_path / name)
        assert caught.value.identifier != "RunMat:internal"
        assert name in caught.value.message
        failure(s, name.removesuffix(".m"))
        failure(s, f"run('{name}')")
    s.run_file(tmp_path / "empty.m")
    s.run("empty")


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (b"\xef\xbb\xbfx = '\xc3\xa9';\n", [233]),
        (b"x = '\xc3\xa9';\r\n%{\r\nblock\r\n%}\r\nx = [x, ...\r\n 'a'];\r\n", [233, 97]),
        (b"x = '\xe9';\n", [233]),
        ("x = 'Ω→語';\n".encode(), [937, 8594, 35486]),
        ("x = '😀';\n".encode(), [0xD83D, 0xDE00]),
        ("x = 'é';\r".encode(), [233]),
        ("x = 'é';".encode("utf-16"), [233]),
    ],
    ids=["mark", "crlf", "latin-1", "utf-8", "beyond-the-plane", "cr", "utf-16"],
)
def test_encodings_of_a_program(
    s: rm.Session, tmp_path: Path, data: bytes, codes: list[int]
) -> None:
    (tmp_path / "text.m").write_bytes(data)
    s.run("text")
    assert s.eval("num2cell(double(x))") == codes


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("s = 'naïve'; fprintf('%d %s|', numel(s), upper(s))", "5 NAÏVE|"),
        ('t = "Ωμέγα"; fprintf("%d %s|", strlength(t), t)', "5 Ωμέγα|"),
        ("fprintf('%s', strrep('a→b', '→', '-'))", "a-b"),
        ("fprintf('%s', fliplr('aé語'))", "語éa"),
        ("fprintf('%d', numel('😀'))", "2"),
        ("fprintf('%s', regexprep('日本', '本', '光'))", "日光"),
        ("x = 'é' % naïve\n", "x ="),
    ],
)
def test_unicode_in_text(s: rm.Session, code: str, printed: str) -> None:
    assert s.capture(code).strip().startswith(printed)


def test_unicode_in_names_is_an_error(s: rm.Session) -> None:
    assert failure(s, "naïve = 1").identifier.startswith("MATLAB:")
    assert failure(s, "x = 3 × 4").identifier.startswith("MATLAB:")
    assert failure(s, "x = \N{NO-BREAK SPACE}3 § 4").identifier.startswith("MATLAB:")
    assert failure(s, "x = 1\0 + 2").identifier.startswith("MATLAB:")


# -- names ----------------------------------------------------------------------------------------

PYTHON_NAMES = """lambda None True False def class_ is in_ not and_ yield async await del pass raise
    with import_ from assert_ print list dict str int float len range type object self float_ exec
    globals locals numpy np sys os args nargout interp result host""".split()


@pytest.mark.parametrize("name", PYTHON_NAMES)
def test_names_that_mean_something_in_python(s: rm.Session, name: str) -> None:
    s.run(f"{name} = 3; c = class({name}); f = @(x) x + {name}; y = f(1);")
    s.run(f"function r = local({name})\n  {name}(2) = 5; r = sum({name});\nend\n z = local(1);")
    assert (s["c"], s["y"], s["z"]) == ("double", 4.0, 6.0)


@pytest.mark.parametrize(
    "name", ["sum", "disp", "size", "zeros", "pi", "i", "error", "ans", "end1"]
)
def test_variables_hide_builtins(s: rm.Session, name: str) -> None:
    s.run(f"{name} = [3 4]; a = {name}(2); b = {name}(end); {name}(end+1) = 5; c = {name}(end);")
    assert (s["a"], s["b"], s["c"]) == (4.0, 4.0, 5.0)
    s.run(f"clear {name}; e = exist('{name}', 'var');")
    assert s["e"] == 0.0


# -- output ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code", ["while true, disp(1), end", "x = 1:1e6", "fprintf('%d\\n', 1:1e6)", "error('last')"]
)
def test_closed_output(code: str) -> None:
    """The reader goes away at once: no traceback, and the program ends."""
    runmat = subprocess.Popen(
        [sys.executable, "-m", "runmat_core", "-e", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert runmat.stdout is not None
    assert runmat.stderr is not None
    runmat.stdout.close()
    complaint = runmat.stderr.read().decode()
    runmat.stderr.close()
    runmat.wait(200)
    assert "Traceback" not in complaint
    assert "Broken" not in complaint
