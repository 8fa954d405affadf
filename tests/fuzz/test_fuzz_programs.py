"""Whatever the program, it ends with a MATLAB error or with legal values.

Programs are drawn from a grammar (every class of value, odd sizes and numbers, all builtins but
those with effects outside the session), or are pieces of the example programs with bytes changed.
"""

from __future__ import annotations

import os
import random
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runmat_core import MatlabError, Session
from runmat_core.builtins import registry

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bounds memory and time as Linux")

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.m"))

#: Builtins that change files, folders or the system, wait, end the process, or look all over it.
EFFECTS = set(
    """addpath beep cd chdir copyfile csvwrite delete diary dir dlmwrite doc exit fileattrib fopen
    genpath gunzip gzip input keyboard lookfor ls mkdir more movefile mlock munlock path pause quit
    rehash rmdir rmpath run save setenv system tar timeit unix untar unzip urlread urlwrite
    webread websave what writelines writematrix zip""".split()
)
#: Their time grows faster than their result: factorials, and searches that need not end.
SLOW = {"perms", "nchoosek", "primes", "fminsearch", "fzero", "integral", "fminbnd"}

VARIABLES = "a b c d s t x y".split()
NUMBERS = "0 1 2 3 -1 0.5 2.5 7 NaN Inf -Inf pi 1e3 2i eps".split()
LITERALS = """
    [] {} '' "" [1,2,3] [1;2;3] magic(3) zeros(0,3) zeros(2,0) ones(2,3,2) true false [true,false]
    'abc' 'a' "str" ["a","b"] ['ab';'cd'] {1,'a'} {} {{1},[]} cell(2,2) struct() struct('a',{1,2})
    struct('a',1,'f',{{2}}) struct([]) int8([1,2,3]) uint8(200) int32(-5) intmax('int64')
    uint16(zeros(1,0)) single(1.5) single([1,NaN]) 1+2i [1i,2] complex(1,0) single(2i) @sin @(x)x+1
    @(varargin)numel(varargin) string(missing) containers.Map() containers.Map('a',1)
    dictionary("k",1) sparse([1,0,2]) speye(3) logical([1,0;0,1]) 1:5 5:-1:1 0:0.1:0.5
    int8(1):int8(3)
    char(zeros(2,0)) strings(0,1) MException('a:b','c') logical([]) 'double' 'rows' -0 NaN(1,3)
    char(100000) eye(2) {'x';'y'} num2cell(1:3)
""".split()
BINARY = "+ - * .* / ./ \\ .\\ ^ .^ == ~= < <= > >= & | && || :".split()
UNARY = ["-", "+", "~"]
FIELDS = "a f value".split()
BUILTINS = [name for name in registry.names() if name not in EFFECTS | SLOW]


class Grammar:
    """Draws programs; everything depends on `choose` alone."""

    def __init__(self, choose: random.Random) -> None:
        self.choose = choose

    def program(self) -> list[str]:
        return [self.statement(2) for _ in range(self.choose.randint(2, 7))]

    # -- expressions -----------------------------------------------------------------------------

    def expression(self, depth: int) -> str:
        pick = self.choose.random()
        if depth <= 0 or pick < 0.3:
            return self.leaf()
        deeper = depth - 1
        if pick < 0.45:
            operator = self.choose.choice(BINARY)
            return f"({self.expression(deeper)} {operator} {self.expression(deeper)})"
        if pick < 0.5:
            return f"{self.choose.choice(UNARY)}({self.expression(deeper)})"
        if pick < 0.53:
            return f"({self.expression(deeper)}){self.choose.choice([chr(39), '.' + chr(39)])}"
        if pick < 0.65:
            return self.choose.choice(VARIABLES) + self.path(deeper)
        if pick < 0.72:
            rows = [self.list_of(deeper, 0, 3) for _ in range(self.choose.randint(1, 2))]
            left, right = self.choose.choice(["[]", "{}"])
            return left + "; ".join(rows) + right
        if pick < 0.75:
            return f"@({self.choose.choice(['', 'x', 'x, y'])}) {self.expression(deeper)}"
        return self.call(deeper)

    def leaf(self) -> str:
        return self.choose.choice(self.choose.choice([VARIABLES, NUMBERS, LITERALS]))

    def list_of(self, depth: int, least: int, most: int) -> str:
        count = self.choose.randint(least, most)
        return ", ".join(self.expression(depth) for _ in range(count))

    def call(self, depth: int) -> str:
        return f"{self.choose.choice(BUILTINS)}({self.list_of(depth, 0, 3)})"

    def subscript(self, depth: int) -> str:
        simple = ["1", "2", "3", ":", "end", "end+1", "0", "[1 2]", "[]", "end-1", "[end 1]", "5"]
        return self.choose.choice([*simple, self.expression(depth - 1)])

    def path(self, depth: int) -> str:
        """None to two subscripts of any kind."""
        steps = []
        for _ in range(self.choose.randint(0, 2)):
            inside = ", ".join(self.subscript(depth) for _ in range(self.choose.randint(1, 2)))
            field = self.choose.choice(FIELDS)
            steps.append(self.choose.choice([f"({inside})", f"{{{inside}}}", f".{field}"]))
        return "".join(steps)

    # -- statements ------------------------------------------------------------------------------

    def statement(self, depth: int) -> str:
        pick = self.choose.random()
        if depth > 0 and pick < 0.2:
            return self.block(depth - 1)
        name = self.choose.choice(VARIABLES)
        end = self.choose.choice([";", ";", ""])
        if pick < 0.3:
            return f"{name}{self.path(1)} = []{end}"
        if pick < 0.4:
            targets = ", ".join(
                self.choose.choice(["~", *VARIABLES]) for _ in range(self.choose.randint(1, 3))
            )
            return f"[{targets}] = {self.call(1)}{end}"
        if pick < 0.5:
            return f"{self.expression(3)}{end}"
        return f"{name}{self.path(2)} = {self.expression(3)}{end}"

    def body(self, depth: int) -> str:
        return "\n".join(self.statement(depth) for _ in range(self.choose.randint(1, 2)))

    def block(self, depth: int) -> str:
        name, condition = self.choose.choice(VARIABLES), self.expression(2)
        return self.choose.choice(
            [
                f"if {condition}\n{self.body(depth)}\nelse\n{self.body(depth)}\nend",
                f"for {name} = {self.short()}\n{self.body(depth)}\nend",
                f"n_ = 0; while n_ < 3 && all({condition})\nn_ = n_ + 1;\n{self.body(depth)}\nend",
                f"switch {condition}\ncase {self.leaf()}\n{self.body(depth)}\n"
                f"case {{{self.leaf()}, {self.leaf()}}}\n{self.body(depth)}\nend",
                f"try\n{self.body(depth)}\ncatch {name}\nrethrow_internal_({name});\n"
                f"{self.body(depth)}\nend",
            ]
        )

    def short(self) -> str:
        return self.choose.choice(["1:3", "[]", "{1,'a'}", "magic(3)", "'ab'", "zeros(0,2)"])


#: What a caught error goes through, so that `catch` hides no internal one.
WATCH = """
function rethrow_internal_(e)
if isa(e, 'MException') && strcmp(e.identifier, 'RunMat:internal'), error('Seen:internal', '%s', e.message), end
end
"""  # noqa: E501


class TookTooLong(BaseException):
    """Raised in a program that runs too long; no handler catches it."""


def held() -> int:
    """Bytes of the address space that this process has taken; 0 where nothing tells."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


@pytest.fixture(scope="module", autouse=True)
def limits() -> Iterator[None]:
    """A bound on memory, so that what asks for much is refused and not served."""
    import resource

    def late(*_: object) -> None:
        raise TookTooLong

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    # beside what drivers and compilers of earlier tests have taken of the address space
    bound = held() + (8 << 30)
    handler = signal.signal(signal.SIGALRM, late)
    if hard == resource.RLIM_INFINITY or hard > bound:
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    signal.signal(signal.SIGALRM, handler)


def attempt(action: Callable[[], Any], seconds: float) -> None:
    """Run a program: what comes out is a result, or an error with an identifier of MATLAB's."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        action()
    except MatlabError as error:
        if error.identifier in ("RunMat:internal", "Seen:internal"):
            raise AssertionError(error.message) from error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def check(session: Session, faults_of: Callable[[Any], list[str]]) -> None:
    base = session.interp.base()
    for name in base.names():
        assert not faults_of(base.get(name)), (name, faults_of(base.get(name)))


def run_statements(program: list[str], folder: Path, faults_of: Any) -> None:
    """Each statement by itself: an error does not keep the rest from running."""
    session = Session(cwd=folder)
    for statement in program:
        code = statement + WATCH if "rethrow_internal_" in statement else statement
        attempt(lambda code=code: session.capture(code), 20)
        check(session, faults_of)


def run_function(program: list[str], folder: Path, faults_of: Any) -> None:
    """All statements in one function, whose variables are compiled in another way."""
    guarded = [f"try\n{s}\ncatch e_\nrethrow_internal_(e_);\nend" for s in program]
    kept = [f"if exist('{v}', 'var'), assignin('base', '{v}', {v}), end" for v in VARIABLES]
    body = "\n".join([*guarded, *kept])
    session = Session(cwd=folder)
    attempt(lambda: session.capture(f"main_();\nfunction main_()\n{body}\nend{WATCH}"), 20)
    check(session, faults_of)


def quick(examples: int) -> Any:
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@quick(60)
@given(choose=st.randoms(use_true_random=False))
def test_programs(
    choose: random.Random, tmp_path_factory: pytest.TempPathFactory, faults_of: Any
) -> None:
    program = Grammar(choose).program()
    folder = tmp_path_factory.getbasetemp()
    run_statements(program, folder, faults_of)
    run_function(program, folder, faults_of)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_thousands_of_programs(seed: int, tmp_path: Path, faults_of: Any) -> None:
    grammar = Grammar(random.Random(seed))
    for _ in range(250):
        program = grammar.program()
        try:
            run_statements(program, tmp_path, faults_of)
            run_function(program, tmp_path, faults_of)
        except BaseException as fault:
            fault.add_note("\n".join(program))
            raise


# -- bytes ----------------------------------------------------------------------------------------

SPLICES = [
    *(bytes([code]) for code in (0, 9, 10, 13, 34, 37, 39, 40, 41, 44, 46, 59, 61, 91, 93, 123)),
    *(b"}", b"@", b"...", b"%{\n", b"end\n", b"\xff", b"\xc3\xa9", b"function ", b"''", b"1e999"),
]


def mutated(choose: random.Random) -> bytes:
    """A piece of an example with a few bytes dropped, doubled, moved or put in."""
    lines = choose.choice(EXAMPLES).read_bytes().splitlines(keepends=True)
    start = choose.randrange(len(lines))
    text = b"".join(lines[start : start + choose.randint(1, 25)])
    # what reaches outside the session is renamed
    words = "|".join(sorted(EFFECTS | {"fprintf"}))
    text = re.sub(rb"\b(" + words.encode() + rb")\b", b"numel", text)
    for _ in range(choose.randint(1, 4)):
        at = choose.randrange(len(text) + 1)
        span = choose.randint(1, 8)
        piece = choose.choice([b"", choose.choice(SPLICES), text[at : at + span] * 2])
        text = text[:at] + piece + text[at + choose.choice([0, span]) :]
    return text


def run_bytes(text: bytes, folder: Path, faults_of: Any) -> None:
    file = folder / "mutated.m"
    file.write_bytes(text)
    session = Session(cwd=folder)
    try:
        attempt(lambda: session.capture_file(file), 2)
    except TookTooLong:
        return  # a loop whose end was changed
    check(session, faults_of)


@quick(150)
@given(choose=st.randoms(use_true_random=False))
def test_mutated_examples(
    choose: random.Random, tmp_path_factory: pytest.TempPathFactory, faults_of: Any
) -> None:
    run_bytes(mutated(choose), tmp_path_factory.getbasetemp(), faults_of)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_thousands_of_mutated_examples(seed: int, tmp_path: Path, faults_of: Any) -> None:
    choose = random.Random(seed)
    for _ in range(250):
        text = mutated(choose)
        try:
            run_bytes(text, tmp_path, faults_of)
        except BaseException as fault:
            fault.add_note(text.decode("latin-1"))
            raise
