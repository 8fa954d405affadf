"""Classes and prototypes in constructors: class, complexity and storage of what they make."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session

CALLS = {
    "zeros": "zeros(2, 2, {})", "ones": "ones(2, 2, {})", "eye": "eye(2, 2, {})",
    "Inf": "Inf(2, 2, {})", "NaN": "NaN(2, 2, {})", "rand": "rand(2, 2, {})",
    "randn": "randn(2, 2, {})", "randi": "randi([0 1], 2, 2, {})", "cast": "cast([1 2; 3 4], {})",
}  # fmt: skip
FLOATING = ("Inf", "NaN", "rand", "randn")
INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


def outcome(session: Session, code: str) -> str:
    try:
        return str(session.eval(code))
    except MatlabError as error:
        return error.identifier


@pytest.mark.parametrize("name", CALLS)
def test_names_of_classes(name: str, session: Session) -> None:
    for cls in ("double", "single", *INTEGERS, "logical", "char", "string", "cell", "nonsense"):
        allowed = cls in ("double", "single")
        allowed = allowed or (cls in (*INTEGERS, "logical") and name not in FLOATING)
        if name == "cast":
            allowed = cls not in ("string", "cell", "nonsense")
        wanted = cls if allowed else f"MATLAB:{name}:invalidInputClass"
        if name == "cast" and not allowed:
            wanted = "MATLAB:unsupportedCastClass"
        assert outcome(session, f"class({CALLS[name].format(repr(cls))})") == wanted


@pytest.mark.parametrize("name", [*CALLS, "true", "false"])
def test_prototypes_that_are_not_allowed(name: str, session: Session) -> None:
    call = CALLS.get(name, f"{name}(2, 2, {{}})")
    allowed = {"logical"} if name in ("true", "false") else {"double", "logical"}
    allowed -= {"logical"} if name in FLOATING else set()
    for prototype, cls in (("true", "logical"), ("1", "double"), ("'a'", "char"), ("{1}", "cell")):
        found = outcome(session, "class(" + call.format(f"'like', {prototype}") + ")")
        if name == "cast":
            assert found == (cls if cls != "cell" else "MATLAB:unsupportedCastClass")
        else:
            assert found == (cls if cls in allowed else f"MATLAB:{name}:invalidInputClass")


@pytest.mark.parametrize("name", ["zeros", "ones", "eye", "cast", "Inf", "NaN"])
def test_results_are_as_their_prototypes(name: str, session: Session) -> None:
    for prototype, cls, is_real, is_sparse in (
        ("single(1)", "single", True, False),
        ("1i", "double", False, False),
        ("single(1i)", "single", False, False),
        ("complex(1, 0)", "double", False, False),
        ("sparse(1)", "double", True, True),
    ):
        session.run("x = " + CALLS[name].format(f"'like', {prototype}") + ";")
        assert session.eval("{class(x), isreal(x), issparse(x)}") == [cls, is_real, is_sparse]


def test_a_full_prototype_makes_a_sparse_matrix_full(session: Session) -> None:
    session.run("x = cast(sparse([1 0]), 'like', single(1));")
    assert session.eval("{class(x), issparse(x), isequal(x, single([1 0]))}") == [
        "single", False, True,
    ]  # fmt: skip


def test_pending_prototypes_give_their_class_and_complexity(session: Session) -> None:
    session.run("p = rand(400, 'single'); a = cast(ones(2), 'like', p * 2);")
    session.run("z = complex(p, p); b = cast(rand(300), 'like', z + 1);")
    assert session.eval("{class(a), isreal(a), class(b), isreal(b)}") == [
        "single", True, "single", False,
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["zeros", "ones", "eye"])
def test_logical_arrays_are_sparse_like_their_prototypes(name: str, session: Session) -> None:
    session.run(f"x = {name}(2, 'like', sparse(true));")
    assert session.eval(f"[islogical(x) issparse(x) isequal(full(x), logical({name}(2)))]").all()
    assert session.eval("[class(randi(1, 2, 'logical')) class(eye(600, 'logical'))]") == (
        "logicallogical"
    )
    assert outcome(session, "randi(5, 2, 'logical')") == "MATLAB:randi:invalidLimits"
