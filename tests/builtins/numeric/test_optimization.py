"""Functions that call functions: zeros, minima, integrals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import MatlabError, Session

Same = Callable[[str, str], None]

CASES = [
    ("fzero(@cos,[1 2])", "pi/2"),
    ("fzero(@(x) x^3-2,1)", "2^(1/3)"),
    ("[x,f,flag]=fzero(@(x) x-1,[1 5]);;[x f flag]", "[1 0 1]"),
    ("integral(@(x) x.^2,0,3)", "9"),
    ("abs(integral(@(x) exp(-x.^2),-Inf,Inf)-sqrt(pi)) < 1e-9", "true"),
    ("integral(@(x) log(x),0,1)", "-1.000000010959678"),
    ("integral(@(z) 1./z,1,1,'Waypoints',[1+1i -1+1i -1-1i 1-1i])", "2i*pi"),
    ("integral(@(x) x*[1 2; 3 4],0,Inf,'ArrayValued',true)", "[1 2; 3 4]*Inf"),
    ("integral(@(x) exp(-x)*[1 2; 3 4],0,Inf,'ArrayValued',true)", "[1 2; 3 4]"),
    ("integral(@(x) [x 2*x],0,1,'ArrayValued',true)", "[0.5 1]"),
]

ROUGHLY = [
    ("fminbnd(@(x) (x-2)^2,0,5)", "2"),
    ("fminsearch(@(x) (1-x(1))^2+100*(x(2)-x(1)^2)^2,[-1.2 1])", "[1 1]"),
    ("fminsearch(@(x) abs(x-3),0)", "3"),
]


@pytest.mark.parametrize(("code", "expected"), CASES)
def test_value(close: Same, code: str, expected: str) -> None:
    close(code, expected)


@pytest.mark.parametrize(("code", "expected"), ROUGHLY)
def test_minima_within_tolerance(same: Same, code: str, expected: str) -> None:
    same(f"all(abs({code}-{expected})<1e-3)", "true")


def test_options_are_read_in_any_case(same: Same) -> None:
    same("o=optimset('tolx',1e-8,'Display','off');;{o.TolX,o.Display}", "{1e-8,'off'}")
    same("optimget(optimset(optimset('TolX',1),'TolX',2),'TolX')", "2")
    same("optimget(optimset(),'TolX',7)", "7")


PROBLEMS = [
    ("p.objective=@(x)x-1;p.x0=3;p.solver='fzero';p.options=optimset('TolX',1e-8);;fzero(p)", "1"),
    ("p.objective=@(x)(x-1)^2;p.x1=0;p.x2=3;p.solver='fminbnd';;round(fminbnd(p),4)", "1"),
    ("p.objective=@(x)sum((x-[1 2]).^2);p.x0=[3 3];;round(fminsearch(p),3)", "[1 2]"),
    ("p.C=eye(2);p.d=[1;-1];p.solver='lsqnonneg';p.options=optimset;;lsqnonneg(p)", "[1;0]"),
]


@pytest.mark.parametrize(("code", "expected"), PROBLEMS)
def test_problems_as_structures(close: Same, code: str, expected: str) -> None:
    close(code, expected)


def test_defaults_of_functions(same: Same) -> None:
    same("optimset(@fzero).TolX", "eps")
    same("optimset('fzero').Display", "'notify'")
    same("optimset('fminsearch').MaxIter", "'200*numberofvariables'")
    same("optimset(@fminbnd).MaxFunEvals", "500")
    same("optimset('lsqnonneg').TolX", "'10*eps*norm(C,1)*length(C)'")
    same("optimset('fzero').MaxIter", "[]")
    # what is told of fminsearch, it takes
    same(
        "round(fminsearch(@(x)(x-1)^2,3,optimset('fminsearch')),3)",
        "round(fminsearch(@(x)(x-1)^2,3),3)",
    )
    same("optimset('tolx',1,'GradO','on').GradObj", "'on'")


def test_the_list_of_options(capsys: pytest.CaptureFixture[str]) -> None:
    Session().run("optimset")
    listed = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0].strip() for line in listed][:5] == [
        "Display", "MaxFunEvals", "MaxIter", "TolFun", "TolX",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("fzero(@sin)", "MATLAB:fzero:InputArg"),
        ("fzero(struct('objective', @sin))", "MATLAB:fzero:InputArg"),
        ("fzero(struct('objective', @sin, 'x0', 1, 'solver', 'fsolve'))",
         "MATLAB:fzero:InvalidSolver"),
        ("fminsearch(5)", "MATLAB:fminsearch:InputArg"),
        ("fminbnd(@sin, 1)", "MATLAB:minrhs"),
        ("fminbnd(@sin)", "MATLAB:fminbnd:InputArg"),
        ("optimset('nosuch')", "MATLAB:optimset:FcnNotFoundOnPath"),
        ("optimset('sin')", "MATLAB:optimset:NoDefaultsForFcn"),
        ("o = optimset(@(x) x);", "MATLAB:optimset:NoDefaultsForFcn"),
        ("optimset('TolXX', 1)", "MATLAB:optimset:InvalidParamName"),
        ("optimset(1, 2)", "MATLAB:optimset:InvalidParamName"),
        ("optimset('TolX', 1, 'TolFun')", "MATLAB:optimset:InvalidArguments"),
        ("integral(@(x) 5, 0, 1)", "MATLAB:integral:FxNotSameSizeAsX"),
        ("integral(@sin, 0, 1, 'AbTol', 1)", "MATLAB:integral:unrecognizedStringChoice"),
    ],
)  # fmt: skip
def test_bad_calls(statement: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        Session().run(statement)
    assert caught.value.identifier == identifier
