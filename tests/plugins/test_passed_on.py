"""Arguments behind the options of solvers, which older programs pass on to the function."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session

#: Each is 6 where both parameters arrive.
CALLS = """
fzero(@(x, a, b) x - a*b, 1, [], 2, 3)
fminbnd(@(x, a, b) (x - a*b)^2, 0, 9, [], 2, 3)
fminsearch(@(x, a, b) (x - a*b)^2, 1, optimset('TolX', 1e-9, 'TolFun', 1e-12), 2, 3)
fsolve(@(x, a, b) x - a*b, 1, [], 2, 3)
fsolve(@(x, a, b) x - a*b, 1, optimset('Display', 'off'), 2, 3)
fminunc(@(x, a, b) (x - a*b)^2, 1, [], 2, 3)
fmincon(@(x, a, b) (x - 99)^2, 1, [], [], [], [], 0, 50, @(x, a, b) deal(x - a*b, []), [], 2, 3)
lsqnonlin(@(x, a, b) x - a*b, 1, [], [], [], 2, 3)
lsqcurvefit(@(x, t, a, b) x*t*a + b, 1, [1 2], [15 27], [], [], [], 2, 3)
dblquad(@(x, y, a, b) a*b + 0*x, 0, 1, 0, 1, [], [], 2, 3)
triplequad(@(x, y, z, a, b) a*b + 0*x, 0, 1, 0, 1, 0, 1, [], [], 2, 3)
quad(@(x, a, b) a*b + 0*x, 0, 1, [], [], 2, 3)
deval(bvp4c(@(x, y, a, b) a*b + 0*y, @(l, r, a, b) l, bvpinit([0 1], 1), [], 2, 3), 1)
deval(ode45(@(t, y, a, b) a*b, [0 1], 0, [], 2, 3), 1)
"""


@pytest.mark.parametrize("call", CALLS.strip().splitlines())
def test_the_function_gets_them(call: str) -> None:
    session = Session()
    session.capture(f"r = {call};")
    assert session["r"] == pytest.approx(6, abs=1e-4)


def test_linear_constraints_of_least_squares_are_refused() -> None:
    with pytest.raises(MatlabError) as caught:
        Session().run("lsqnonlin(@(x) x, 1, 0, 2, 1, 1)")
    assert caught.value.identifier == "MATLAB:TooManyInputs"
