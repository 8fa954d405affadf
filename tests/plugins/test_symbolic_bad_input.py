"""runmat-symbolic: errors of bad input have identifiers and no traceback."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session

BAD = [
    ("double(x)", "symbolic:sym:double:cantconvert"),
    ("x/0", "symbolic:kernel:DivisionByZero"),
    ("sym('1 +')", "symbolic:sym:sym:CharInputInvalid"),
    ("sym({1})", "symbolic:sym:sym:UnableToConvert"),
    ("sym(1, 'q')", "symbolic:sym:sym:InvalidFlag"),
    ("syms 2x", "symbolic:sym:sym:InvalidName"),
    ("x + {1}", "symbolic:sym:sym:UnableToConvert"),
    ("[x y] + [x y 1]", "MATLAB:sizeDimensionsMustMatch"),
    ("[x y] * [x y]", "symbolic:sym:mtimes:InvalidDimensions"),
    ("[x y]^2", "symbolic:sym:mpower:SquareMatrix"),
    ("det([x y])", "symbolic:sym:det:SquareMatrix"),
    ("logical(x > 1)", "symbolic:sym:logical:NotConvertible"),
    ("A = [x y]; A(3)", "MATLAB:badsubscript"),
    ("solve()", "MATLAB:minrhs"),
    ("diff(x, -1)", "symbolic:sym:PositiveIntegerExpected"),
    ("dsolve(x == 1)", "symbolic:dsolve:NoFunction"),
    ("assume(x, 'odd')", "symbolic:sym:assume:UnknownSet"),
    ("subs(x, {x, y}, {1, 2, 3})", "symbolic:sym:subs:InconsistentDimensions"),
]


@pytest.mark.parametrize(("code", "identifier"), BAD)
def test_bad_input(code: str, identifier: str) -> None:
    session = Session()
    session.run("syms x y")
    with pytest.raises(MatlabError) as caught:
        session.run(code)
    assert caught.value.identifier == identifier
