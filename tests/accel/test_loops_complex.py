"""Loops that carry complex numbers, or read arrays that may be complex."""

from __future__ import annotations

import pytest

from tests.accel.loops import Outcome, compared, same, session

#: Loops whose variable is real before the first iteration, and how many run by themselves.
WIDENED = {
    "a map": "Z=zeros(60,50); for t=1:12, Z=Z.^2+complex(B,A-0.7); end",
    "singles": "Z=zeros(60,50,'single'); C=complex(S,S/2-0.4); for t=1:12, Z=Z/2+C; end",
    "what a mask selects": "Z=zeros(60,50); C=complex(B,A); n=Z; for t=1:12, m=abs(Z)<=2; "
    "Z(m)=Z(m).^2+C(m); n(m)=n(m)+1; end",
    "nothing selected": "Z=B; C=complex(B,A); for t=1:12, m=Z>9; Z(m)=Z(m)+C(m); Z=Z*0.9; end",
    "real again": "Z=B; for t=1:12, Z=Z+1i*A; Z=Z-1i*A; end",
    "infinities": "Z=B; Z(3)=Inf; for t=1:12, Z=Z*2+1i*A; end",
    "two of them": "Y=B; Z=A; for t=1:12, Y=Z*1i; Z=Y+1; end",
}


@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("name", WIDENED)
def test_a_real_variable_that_becomes_complex_is_complex_from_the_start(
    name: str, provider: str
) -> None:
    setup = "rng(3); A=rand(60,50); B=rand(60,50)-0.5; S=single(A);"
    program = f"for again=1:3\n{WIDENED[name]}\nend\nk=isreal(Z);"
    made = session(provider)
    made.run(setup)
    found = Outcome.of(made, program)
    same(found, Outcome(program, provider, False, setup), False)
    (note,) = [note for note in found.notes if note.trips]
    assert (note.trips, note.at, note.whole) == (12, 0, True)


@pytest.mark.parametrize("provider", ["inprocess", "null"])
def test_an_array_that_may_be_real_is_not_taken_for_complex(provider: str) -> None:
    program = """
    x = (1:3000)'/3000; r = (1i*x).*(1i*x); y = zeros(3000,1); s = single(complex(x, x-x));
    for k = 1:12, y = y + max(r, -0.05*k); end
    z = zeros(3000,1,'single');
    for k = 1:12, z = z + max(s, 0.05*k - 0.5); end
    """
    compared(program, provider)
