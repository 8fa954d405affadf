"""Loops that write what a mask selects: a choice for each element, whatever the mask holds."""

from __future__ import annotations

import pytest

from tests.accel.loops import Outcome, compared

MORE = "it does more with what a mask selects than operations on elements"
KNOWS = "it needs to know what a mask selects"
OTHER = "it stores what another mask selects"
MASK = "Y=B; m=B>0; "
CAPTURED = {
    "the same mask": MASK + "for t=1:12, Y(m)=sin(Y(m))*0.9; end",
    "computed in each trip": "Y=B; for t=1:12, m=Y>0.1; Y(m)=Y(m)/2-0.2; Y=Y+0.1; end",
    "written out twice": "Y=B; for t=1:12, Y(Y>0.1)=Y(Y>0.1)*0.5+t; Y=Y-t/2; end",
    "of two arrays": MASK + "for t=1:12, Y(m)=Y(m).*A(m)+t; end",
    "its opposite": MASK + "for t=1:12, Y(m)=Y(m)*0.5; Y(~m)=-Y(~m); end",
    "that shrinks": "Y=A; m=true(size(A)); for t=1:12, Y(m)=Y(m)+0.2; m=m & Y<2; end",
    "nothing": "Y=B; m=false(size(B)); for t=1:12, Y(m)=Y(m)+1; Y=Y*0.9; end",
    "one element": "Y=B; m=false(size(B)); m(7)=true; for t=1:12, Y(m)=Y(m)+1; end",
    "logarithms where there are any": "Y=B; for t=1:12, m=Y>0; Y(m)=log(Y(m)); Y=Y+A; end",
    "powers": "Y=B; for t=1:12, m=Y>0; Y(m)=Y(m).^0.5; Y=Y*0.9; end",
    "singles": "Y=single(B); m=Y>0; for t=1:12, Y(m)=Y(m)*0.5+t; end",
    "whole numbers": "Y=int32(99*B); for t=1:12, m=Y>3; Y(m)=Y(m)-5; end",
    "a row": "v=rand(1,2000); m=v>0.5; for t=1:12, v(m)=v(m)*0.9+0.1; end",
    "in a function": MASK + "for t=1:12, Y(m)=damped(Y(m),t); end\n"
    "function y = damped(y, t)\ny = exp(-abs(y))*t;\nend\n",
    "complex numbers": "Y=complex(A,B); for t=1:12, m=abs(Y)<=2; Y(m)=Y(m).^2+A(m)*1i; end",
    "complex singles": "Y=complex(S,1); m=S>0.5; for t=1:12, Y(m)=exp(Y(m)/t)+S(m); end",
    "angles of complex ones": "Y=complex(A,B); for t=1:12, m=A>t/12; Y(m)=abs(Y(m))*1i; end",
    "signs of complex ones": "Y=complex(A,B); m=B>0; for t=1:12, Y(m)=Y(m).*(Y(m)>0.2)+1; end",
    "roots of complex ones": "Y=complex(A,B); m=B>0; for t=1:12, Y(m)=sqrt(Y(m)); end",
    "the real part of complex ones": "Z=complex(A,B); Y=A; m=B>0; for t=1:12, "
    "Y(m)=Y(m)+imag(Z(m)); Z=Z*1i; end",
    "what leaves the reals": MASK + "for t=1:12, Y(m)=sqrt(Y(m))-0.3; end",
}


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("name", CAPTURED)
def test_a_choice_in_one_kernel(name: str, provider: str) -> None:
    assert compared(CAPTURED[name], provider, exact=False).captured == 1


@pytest.mark.parametrize(
    "name", ["computed in each trip", "that shrinks", "logarithms where there are any"]
)
def test_on_an_adapter(name: str) -> None:
    assert compared(CAPTURED[name], "wgpu", exact=False).captured == 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if isempty(Y(m)), Y=Y+1; end, Y=Y*0.9;", KNOWS),
        ("if isequal(Y(m),1), Y=Y+1; end, Y=Y*0.9;", KNOWS),
        ("z=[Y(m); 1]; Y=Y*0.9;", KNOWS),
        ("z=Y(m); Y(1)=z(2);", KNOWS),
        ("z=Y(m); Y(m)=z*0.9;", "'z' keeps what a mask selects, or may do so"),
        ("s=A(m)'*Y(m); Y=Y*0.9;", MORE),
        ("Y(m)=Y(m)+k;", MORE),
        ("Z(m)=real(Z(m))*t;", "an assignment converts what it stores"),
        ("Y(m)=A(n);", OTHER),
        ("Y(A>0.1)=Y(flipud(A)>0.1);", OTHER),
        ("Y(m)=A(m)+B(n);", "it combines what several masks select"),
    ],
)
def test_what_needs_more_than_the_elements_is_refused(body: str, reason: str) -> None:
    found = compared(
        f"{MASK}Z=complex(A,B); n=flipud(m); k=(1:nnz(m))'; for t=1:12, {body} end", "null"
    )
    assert not found.captured
    assert reason in found.reasons


def test_what_a_mask_selects_is_complex_where_it_turns_out_so() -> None:
    program = (
        "Y=B; m=B>-0.1; Y(m)=sqrt(Y(m))-0.5; Z=B; k=find(m); Z(k)=sqrt(Z(k))-0.5; q=isequal(Y,Z);"
    )
    found = Outcome(program, "null", True)
    assert found.error is None
    assert found.values["q"]
    assert found.values["Y"].dtype.kind == "c"


def test_an_array_that_turns_out_complex_while_it_is_written_to() -> None:
    program = (
        "W=A; V=B; K=A>0.5; for t=1:12, W(K)=sqrt(W(K))-0.1; K=xor(K,V>0.1); end, q=isreal(W);"
    )
    found = compared(program, "inprocess", exact=False)
    assert found.error is None
    assert not found.values["q"]
