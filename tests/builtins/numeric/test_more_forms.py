"""Second outputs and options of functions of numbers, polynomials, matrices and rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Same = Callable[[str, str], None]

CLOSE = [
    ("[q,d]=polyder([1 2],[1 3]);;[q 0 0;d]", "[1 0 0;1 6 9]"),
    ("[q,d]=polyder(1,[1 0]);;[q 0 0;d]", "[-1 0 0;1 0 0]"),
    ("[p,s]=polyfit(1:5,[3 1 2 5 4],1);;[~,d]=polyval(p,[1;6],s);;d",
     "[p,s]=polyfit(1:5,[3 1 2 5 4],1);;s.normr/sqrt(3)*sqrt(1+1/5+([1;6]-3).^2/10)"),
    ("[p,s,m]=polyfit(1:5,[3 1 2 5 4],2);;[~,d]=polyval(p,1:6,s,m);;d",
     "[p,s]=polyfit(1:5,[3 1 2 5 4],2);;[~,d]=polyval(p,1:6,s);;d"),
    ("a=[12 0 -5 7];;b=[18 4 10 0];;[g,u,v]=gcd(a,b);;[g;u.*a+v.*b]",
     "[6 4 5 7;6 4 5 7]"),
    ("rescale(magic(3),'InputMin',min(magic(3)),'InputMax',max(magic(3)))",
     "[1 0 .8;0 .5 1;.2 1 0]"),
    ("rescale([1 2 9],'InputMax',5)", "[0 .25 1]"),
    ("rescale([4 4],2,3)", "[2 2]"),
    ("rescale([1 NaN 3],[1;2],[2;4])", "[1 NaN 2;2 NaN 4]"),
    ("null(magic(4),'rational')", "[-1;-3;3;1]"),
    ("null([1 2 3],'r')", "[-2 -3;1 0;0 1]"),
    ("[x,r]=sqrtm([4 1;1 3]);;[x*x;r r]", "[4 1;1 3;0 0]"),
    ("[~,a,c]=sqrtm(diag([1 4]));;[a c]", "[5/sqrt(17) sqrt(17)/sqrt(5)/2]"),
    ("[~,f]=logm([4 1;1 3]);;f", "0"),
    ("[x,r]=linsolve([2 0;0 4],[2;4]);;[x;r]", "[1;1;.5]"),
    ("[~,r]=linsolve([1 2;2 4;3 6],[1;2;3]);;r", "1"),
    ("norm(ones(2,3,4),'fro')", "sqrt(24)"),
    ("b=[3 1;0 2];;a=[1 2;3 5];;[v,d,w]=eig(a,b);;[a*v-b*v*d;w'*a-d*w'*b]", "zeros(4,2)"),
    ("lsqminnorm([1 2 3;4 5 6],[1;2])", "pinv([1 2 3;4 5 6])*[1;2]"),
    ("lsqminnorm(magic(4),[1 2;3 4;5 6;7 8])", "pinv(magic(4))*[1 2;3 4;5 6;7 8]"),
    ("lsqminnorm([1 2i;2 4i;1 1],[1;2;3])", "pinv([1 2i;2 4i;1 1])*[1;2;3]"),
    ("lsqminnorm([1 0;0 1e-3],[1;1],.1,'nowarn')", "[1;0]"),
    ("lsqminnorm(zeros(2),[1;1])", "[0;0]"),
    ("size(lsqminnorm(zeros(0,3),zeros(0,2)))", "[3 2]"),
    ("lsqminnorm([1 1],2,'warn');;strcmp(lastwarn,'')", "1"),
    ("lastwarn('');;lsqminnorm([1 1;1 1],[2;2],'warn');;[~,id]=lastwarn;;"
     "strcmp(id,'MATLAB:rankDeficientMatrix')", "1"),
    ("interp2([1 2;3 4])", "[1 1.5 2;2 2.5 3;3 3.5 4]"),
    ("size(interp2(magic(4),2,'nearest'))", "[13 13]"),
]  # fmt: skip
EXACT = [
    ("perms([1 1 2],'unique')", "[2 1 1;1 2 1;1 1 2]"),
    ("perms('aab','unique')", "['baa';'aba';'aab']"),
    ("[g,u]=gcd(int8(12),int8(18));;{g,u}", "{int8(6),int8(-1)}"),
    ("bitset(5,1,0,'uint8')", "4"),
    ("bitset(0,3,'uint8')", "4"),
    ("rescale(single([1 2 3]))", "single([0 .5 1])"),
    ("maxk([NaN -Inf],1)", "-Inf"),
    ("[b,k]=maxk([1 NaN 3],3);;[b;k]", "[3 1 NaN;3 1 2]"),
    ("mink([NaN Inf 2],2)", "[2 Inf]"),
    ("maxk(int64([9007199254740992 9007199254740993]),1)", "int64(9007199254740993)"),
    ("[~,k]=maxk([1i -1 1],3);;k", "[2 1 3]"),
    ("maxk([-5 3 4],2,'ComparisonMethod','abs')", "[-5 4]"),
    ("mink([1+9i 2],1,2,'ComparisonMethod','real')", "1+9i"),
    ("maxk([1 1 2],2,2)", "[2 1]"),
    ("[~,k]=maxk([5 5 2],2);;k", "[1 2]"),
    ("sortrows([1 5;1 7;0 2],[1 2],{'ascend','descend'})", "[0 2;1 7;1 5]"),
    ("sortrows([1 5;1 7;0 2],{'descend','ascend'})", "[1 5;1 7;0 2]"),
    ("sortrows([1 5;1 7;0 2],[1 2],[\"ascend\" \"descend\"])", "[0 2;1 7;1 5]"),
    ("sortrows([2;NaN;1],1,'MissingPlacement','first')", "[NaN;1;2]"),
    ("sortrows([2;NaN;1],'descend','MissingPlacement','last')", "[2;1;NaN]"),
    ("sortrows([-3;2;1],'ComparisonMethod','abs')", "[1;2;-3]"),
    ("[~,k]=sortrows([-3 1;2 1;3 0],[1 2],'descend','ComparisonMethod','abs');;k", "[1;3;2]"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), CLOSE)
def test_value(close: Same, code: str, expected: str) -> None:
    close(code, expected)


@pytest.mark.parametrize(("code", "expected"), EXACT)
def test_class_and_value(same: Same, code: str, expected: str) -> None:
    same(code, expected)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("[y,d]=polyval([1 2],3)", "MATLAB:polyval:RequiresS"),
        ("[g,u]=gcd(uint8(1),uint8(2))", "MATLAB:gcd:unsignedInputs"),
        ("maxk(1:3,1,'ComparisnMethod','abs')", "MATLAB:maxk:unrecognizedStringChoice"),
        ("perms(1:3,'uniq ')", "MATLAB:perms:unrecognizedStringChoice"),
        ("bitset(5,1,0,'unit8')", "MATLAB:bitset:invalidAssumedType"),
        ("rescale(1:3,2,1)", "MATLAB:rescale:InvalidBounds"),
        ("rescale(1:3,'InputMni',1)", "MATLAB:rescale:unrecognizedStringChoice"),
        ("null(1,'ratoinal')", "MATLAB:null:unrecognizedStringChoice"),
        ("norm(ones(2,2,2))", "MATLAB:norm:inputMustBe2D"),
        ("sortrows([1;2],'up')", "MATLAB:unrecognizedStringChoice"),
        ("sortrows([1 2],[1 2],{'ascend','up'})", "MATLAB:unrecognizedStringChoice"),
        ("sortrows([1 2],1,{'ascend','ascend'})", "MATLAB:sortrows:NumDirectionsMustMatch"),
        ("lsqminnorm([1 1],[1;2])", "MATLAB:dimagree"),
        ("interp2(magic(3),1,1,'makimo')", "MATLAB:griddedInterpolant:BadInterpTypeErrId"),
        ("deconv([1 2],[0 1])", "MATLAB:deconv:ZeroCoef1"),
        ("deconv([1 2],1,'same')", "MATLAB:deconv:ShapeNotFull"),
        ("deconv([1 2],1,'half')", "MATLAB:deconv:unrecognizedStringChoice"),
        ("deconv([1 2],1,'Method','fast')", "MATLAB:deconv:unrecognizedStringChoice"),
        ("deconv([1 2],1,RegularizationFactor=1)", "MATLAB:deconv:RegularizationNotSupported"),
        ("deconv([1 2],1,3)", "MATLAB:TooManyInputs"),
    ],
)
def test_error(fails: Callable[[str], str], code: str, identifier: str) -> None:
    assert fails(code) == identifier


def test_a_singular_system_with_a_condition_gives_no_warning(session: object) -> None:
    text = session.capture("[x, r] = linsolve([1 2; 2 4], [1; 2]); disp(r)")  # type: ignore[attr-defined]
    assert text.strip() == "0"
