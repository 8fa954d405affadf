"""Functions of numbers and matrices, compared to rounding with what mathematics says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runmat_core.session import Session

Same = Callable[[str, str], None]

ELEMENTWISE = [
    ("round([2.5 3.5 -2.5 0.49999999999999994 NaN Inf],'TieBreaker','even')", "[2 4 -2 0 NaN Inf]"),
    ("round([2.5 3.5 -2.5],'TieBreaker','odd')", "[3 3 -3]"),
    ("round([2.5 -2.5 2.6],TieBreaker='tozero')", "[2 -2 3]"),
    ("round([2.5 -2.5],'TieBreaker','plusinf')", "[3 -2]"),
    ("round([2.5 -2.5],'TieBreaker','minusinf')", "[2 -3]"),
    ("round([25 35],-1,'TieBreaker','odd')", "[30 30]"),
    ("round(1.25,2,'significant','TieBreaker','even')", "1.2"),
    ("round(single(2.5)+2.5i,'TieBreaker','even')", "single(2+2i)"),
    ("exp(1)", "2.718281828459045"),
    ("exp([1000 -1000])", "[Inf 0]"),
    ("expm1(1e-10)", "1.00000000005e-10"),
    ("log1p(1e-10)", "9.9999999995e-11"),
    ("log([0 1])", "[-Inf 0]"),
    ("[log2(8) log10(1000)]", "[3 3]"),
    ("nthroot([-27 16],[3 4])", "[-3 2]"),
    ("hypot(3e200,4e200)", "5e200"),
    ("[sin(0) cos(0) tan(0)]", "[0 1 0]"),
    ("[sind(180) cosd(90) tand(45) sind(30)]", "[0 0 1 0.5]"),
    ("atan2([1 -1],[-1 -1])", "[3*pi/4 -3*pi/4]"),
    ("[sinh(1) cosh(1) tanh(1)]", "[(exp(1)-exp(-1))/2 (exp(1)+exp(-1))/2 tanh(1)]"),
    ("[asinh(1) acosh(2) atanh(0.5)]", "[log(1+sqrt(2)) log(2+sqrt(3)) log(3)/2]"),
    ("[sec(1) csc(1) cot(1)]", "1./[cos(1) sin(1) tan(1)]"),
    ("deg2rad([180 90])", "[pi pi/2]"),
    ("gamma([5 0.5 0 -1])", "[24 sqrt(pi) Inf Inf]"),
    ("gammaln(100)", "359.1342053695754"),
    ("beta(2,3)", "1/12"),
    ("erf(0.5)", "0.5204998778130465"),
    ("[erfc(0.5) erfinv(0.5) erfcinv(0.5)]",
     "[0.4795001221869535 0.4769362762044699 0.4769362762044699]"),
    ("betainc(0.5,2,2)", "0.5"),
    ("gammainc(1,1)", "1-exp(-1)"),
    ("[gcd(12,18) lcm(4,6)]", "[6 12]"),
    ("primes(20)", "[2 3 5 7 11 13 17 19]"),
    ("factor(600851475143)", "[71 839 1471 6857]"),
    ("prod(factor(9007199254740991))", "9007199254740991"),
    ("isprime([0 1 2 4 97 9007199254740881])", "[0 0 1 0 1 1]"),
    ("factorial([0 5 20 171])", "[1 120 2432902008176640000 Inf]"),
    ("nchoosek(40,20)", "137846528820"),
    ("nchoosek([1 2 3],2)", "[1 2;1 3;2 3]"),
    ("perms([1 2])", "[2 1;1 2]"),
    ("[bitand(12,10) bitor(12,10) bitxor(12,10) bitshift(3,2)]", "[8 14 6 12]"),
    ("[f,e]=log2([10 0.3]);;[f;e]", "[0.625 0.6;4 -1]"),
    ("nextpow2([1 5 0 1024])", "[0 3 0 10]"),
    ("unwrap([0 2 4 -2])", "[0 2 4 2*pi-2]"),
]  # fmt: skip

LINEAR_ALGEBRA = [
    ("inv([4 7;2 6])", "[0.6 -0.7;-0.2 0.4]"),
    ("pinv([1 2;3 4;5 6])*[1 2;3 4;5 6]", "eye(2)"),
    ("det([1 2;3 4])", "-2"),
    ("det([])", "1"),
    ("rank(magic(4))", "3"),
    ("trace(magic(3))", "15"),
    ("A=magic(4);;[L,U,P]=lu(A);;norm(P*A-L*U)", "0"),
    ("A=magic(3);;[L,U]=lu(A);;L*U", "magic(3)"),
    ("A=[1 2;3 4;5 6];;[Q,R]=qr(A);;Q*R", "[1 2;3 4;5 6]"),
    ("A=[1 2;3 4;5 6];;[Q,R]=qr(A,0);;[size(Q) size(R)]", "[3 2 2 2]"),
    ("A=magic(4);;[Q,R,P]=qr(A);;norm(A*P-Q*R)<1e-12", "1"),
    ("R=chol([4 2;2 3]);;R'*R", "[4 2;2 3]"),
    ("L=chol([4 2;2 3],'lower');;L*L'", "[4 2;2 3]"),
    ("[R,p]=chol([1 2;2 1]);;[R p]", "[1 2]"),
    ("eig([2 1;1 2])", "[1;3]"),
    ("[V,D]=eig([2 0;0 1]);;diag(D)", "[1;2]"),
    ("A=[1 2;3 4];;[V,D]=eig(A);;A*V-V*D", "zeros(2)"),
    ("sort(eig([0 1;-1 0]))", "[-1i;1i]"),
    ("eig([2 0;0 3],[1 0;0 2])", "[1.5;2]"),
    ("svd([3 0;0 4])", "[4;3]"),
    ("A=[1 2;3 4;5 6];;[U,S,V]=svd(A);;U*S*V'", "[1 2;3 4;5 6]"),
    ("A=[1 2;3 4;5 6];;[U,S,V]=svd(A,'econ');;size(U)", "[3 2]"),
    ("[norm([3 4]) norm([1 2;3 4],1) norm([1 2;3 4],Inf) norm([1 2;3 4],'fro')]",
     "[5 6 7 sqrt(30)]"),
    ("norm([1 2 3],1)", "6"),
    ("norm([1e200 1e200])", "sqrt(2)*1e200"),
    ("vecnorm([3 1;4 0])", "[5 1]"),
    ("cond([2 0;0 1])", "2"),
    ("expm([0 1;0 0])", "[1 1;0 1]"),
    ("logm(expm([1 2;0 1]))", "[1 2;0 1]"),
    ("A=[4 1;1 3];;sqrtm(A)^2", "[4 1;1 3]"),
    ("null([1 1])", "[-1;1]/sqrt(2)"),
    ("abs(orth([2;0]))", "[1;0]"),
    ("rref([1 2 3;4 5 6])", "[1 0 -1;0 1 2]"),
    ("[dot([1 2 3],[4 5 6]) cross([1 0 0],[0 1 0])]", "[32 0 0 1]"),
    ("dot([1 2;3 4],[1 2;3 4])", "[10 20]"),
    ("kron([1 2],[1;1])", "[1 2;1 2]"),
    ("[2 1;1 3]\\[3;5]", "[0.8;1.4]"),
    ("[1 1 1]\\1", "[1;0;0]"),
    ("linsolve([2 1;1 3],[3;5])", "[0.8;1.4]"),
    ("trapz([0 1 3],[0 1 3])", "4.5"),
    ("cov([1 2 3],[1 2 4])", "[1 1.5;1.5 7/3]"),
    ("corrcoef([1 2 3],[2 4 6])", "[1 1;1 1]"),
    ("[U,T]=schur([1 2;3 4]);;U*T*U'", "[1 2;3 4]"),
]  # fmt: skip

ANALYSIS = [
    ("polyfit([0 1 2],[1 3 5],1)", "[2 1]"),
    ("polyfit(1:5,(1:5).^2,2)", "[1 0 0]"),
    ("polyval([1 0 -2],[2 3])", "[2 7]"),
    ("roots([1 -6 11 -6])", "[3;2;1]"),
    ("roots([1 0 1])", "[1i;-1i]"),
    ("roots([0 0])", "[]"),
    ("roots([2 0])", "0"),
    ("poly([2 1])", "[1 -3 2]"),
    ("poly([1 2;3 4])", "[1 -5 -2]"),
    ("conv([1 2],[1 3])", "[1 5 6]"),
    ("conv([1 2 3],[1 1 1],'same')", "[3 6 5]"),
    ("conv([1 2 3],[1 1],'valid')", "[3 5]"),
    ("[q,r]=deconv([1 5 7],[1 2]);;[q 9 r]", "[1 3 9 0 0 1]"),
    ("deconv(conv([1 2 4 1],[0 3 1]),[0 3 1],Method='least-squares')", "[1 2 4 1]"),
    ("[q,r]=deconv([1 5 7 9]',[2 1 3],Method='least-squares');;conv(q,[2;1;3])+r", "[1;5;7;9]"),
    # what is left is at right angles to all that convolution reaches
    (
        "[q,r]=deconv([1 5 7 9],[2 1 3],'full','Method','least-squares');;conv(r,[3 1 2],'valid')",
        "[0 0]",
    ),
    (
        "x=[1 2 4 1];;deconv(conv(x,[5 1 1],'same'),[5 1 1],'same',Method='least-squares')",
        "[1 2 4 1]",
    ),
    (
        "y=deconv([1 5 7],[2 1],'valid',Method='least-squares');;[numel(y) conv(y,[2 1],'valid')]",
        "[4 1 5 7]",
    ),
    ("deconv([3 6],2,Method='least-squares',RegularizationFactor=1)", "[6 12]/5"),
    ("deconv(1,[1 2],Method='least-squares')", "0"),
    ("deconv([2i 4],2,Method='least-squares')", "[1i 2]"),
    ("polyder([1 2 3])", "[2 2]"),
    ("polyint([2 2])", "[1 2 0]"),
    ("filter(1,[1 -0.5],[1 0 0])", "[1 0.5 0.25]"),
    ("conv2([1 2;3 4],[1 1])", "[1 3 2;3 7 4]"),
    ("interp1([1 2 3],[10 20 30],[1.5 4])", "[15 NaN]"),
    ("interp1q([1;2;4],[10 1;20 2;40 4],[0;1.5;4])", "[NaN NaN;15 1.5;40 4]"),
    ("interp1([1 2 3],[10 20 30],4,'linear','extrap')", "40"),
    ("interp1([1 2 3],[10 20 30],4,'linear',0)", "0"),
    ("interp1(single([1 2 3]),single([10 20 30]),single([1.5 4]))", "single([15 NaN])"),
    ("interp1([1 2 3],[1 2 3]*1i,[1.5 4 NaN],'linear',7)", "[1.5i 7 NaN]"),
    ("interp1([1 2 3],[1 2;3 4;5 6],[1.5;4],'linear',7)", "[2 3;7 7]"),
    ("interp1([1 2 3],[10 20 30],1.5,'nearest')", "20"),
    ("interp1([1 2 3],[10 20 30],1.5,'previous')", "10"),
    ("interp1([10 20 30],2.5)", "25"),
    ("interp1([1;2],[1 2;3 4],1.5)", "[2 3]"),
    ("interp1(0:4,(0:4).^3,2.5,'spline')", "2.5^3"),
    ("interp2([1 2;3 4],1.5,1.5)", "2.5"),
    ("gradient([1 4 9 16])", "[3 4 6 7]"),
    ("spline(0:4,(0:4).^3,[0.5 3.5 5])", "[0.125 42.875 125]"),
    ("spline(0:2,[0 1 4],1.5)", "2.25"),
    ("ppval(spline(0:4,(0:4).^2),2.5)", "6.25"),
    ("pchip([0 1 2],[0 1 1],[1 1.5 2])", "[1 1 1]"),
    ("ppval(mkpp([0 1 2],[1 0;2 1]),[0.5 1.5])", "[0.5 2]"),
    ("[t,r]=cart2pol(3,4);;[x,y]=pol2cart(t,r);;[r x y]", "[5 3 4]"),
    ("[a,e,r]=cart2sph(1,2,2);;[x,y,z]=sph2cart(a,e,r);;[r x y z]", "[3 1 2 2]"),
    ("polyarea([0 2 2 0],[0 0 3 3])", "6"),
    ("inpolygon([1 5 2 0],[1 1 1 0],[0 2 2 0],[0 0 2 2])", "[1 0 1 1]"),
    ("rescale([1 2 3],-1,1)", "[-1 0 1]"),
    ("cumtrapz([0 2 4])", "[0 1 4]"),
    ("fft([1 2 3 4])", "[10 -2+2i -2 -2-2i]"),
    ("ifft(fft([1 2 3]))", "[1 2 3]"),
    ("fftshift(1:5)", "[4 5 1 2 3]"),
    ("quantile([1 2 3 4],[0.25 0.5])", "[1.5 2.5]"),
    ("prctile([1 2 3 4],50)", "2.5"),
]


@pytest.mark.parametrize(("code", "expected"), ELEMENTWISE + LINEAR_ALGEBRA + ANALYSIS)
def test_value(close: Same, code: str, expected: str) -> None:
    close(code, expected)


def test_a_singular_matrix_warns_and_gives_infinity(session: Session) -> None:
    text = session.capture("x = inv([1 2; 2 4]); [~, id] = lastwarn;")
    assert "Matrix is singular to working precision." in text
    assert session["id"] == "MATLAB:singularMatrix"
    assert np.isinf(session["x"]).all()


def test_numbers_are_rounded_without_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("runmat_core.builtins.math.rounding.operand")
    s = Session()
    s.run("f = 'round'; y = [feval(f, 2.5), feval(f, -0.4), round(1e300), round(-Inf)];")
    assert s.eval("isequal(y, [3 0 1e300 -Inf])")
    assert s.eval("1/y(2)") == -float("inf")
