"""Choosing the acceleration provider of a session, at the start and while it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from runmat_core.api.errors import MatlabError
from runmat_core.session import Session, config

CODE = "x = reshape(1:60000, 300, 200); y = 2*x + 1;"
EXPECTED = 2.0 * np.arange(1, 60001).reshape(300, 200, order="F") + 1


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that can be captured is, and nothing of the user's own counts."""
    monkeypatch.setenv("RUNMAT_ACCEL_THRESHOLD", "100")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("RUNMAT_CACHE_DIR", "")


@pytest.fixture
def default_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host provider is the default one, whatever else is installed."""
    monkeypatch.setenv("RUNMAT_ACCEL_FALLBACK", "inprocess")


def chosen(session: Session) -> tuple[str | None, str | None]:
    """The names of the providers that a session uses now."""
    choice = session.interp.seat.engine.choice
    return tuple(p and p.installed.name for p in (choice.device, choice.host))  # type: ignore[return-value]


def test_a_session_starts_with_the_provider_given() -> None:
    session = Session(provider="inprocess")
    session.run(CODE)
    assert np.array_equal(session["y"], EXPECTED)
    assert chosen(session) == (None, "inprocess")


def test_a_name_that_is_not_installed_is_refused_at_once() -> None:
    with pytest.raises(MatlabError, match="no acceleration provider 'inproces'"):
        Session(provider="inproces")
    session = Session()
    with pytest.raises(MatlabError, match="no acceleration provider 'inproces'") as caught:
        session.provider("inproces")
    assert "Did you mean inprocess?" in caught.value.hint
    session.run(CODE)
    assert np.array_equal(session["y"], EXPECTED)


@pytest.mark.parametrize("first", ["null", "inprocess", "none"])
@pytest.mark.parametrize("then", ["null", "inprocess", "none"])
def test_values_stay_as_they_are_when_the_provider_changes(first: str, then: str) -> None:
    settings = config.load().replace(accel__offload__force="device")
    with Session(config=settings, provider=first) as session:
        session.run(CODE)
        session.run("total = sum(y(:)); z = y .* x;")  # pending, on what may be resident
        session.provider(then)
        session.run("w = z - y;")
        x = (EXPECTED - 1) / 2
        assert np.array_equal(session["w"], EXPECTED * x - EXPECTED)
        assert session["total"] == EXPECTED.sum()
        assert np.array_equal(session["y"], EXPECTED)


@pytest.mark.usefixtures("default_host")
def test_the_provider_changes_for_what_comes() -> None:
    with Session(provider="null") as session:
        session.run(CODE)
        assert np.array_equal(session["y"], EXPECTED)
        assert chosen(session) == ("null", "inprocess")
        session.provider("inprocess", threads=1)
        assert chosen(session) == (None, "inprocess")
        assert session.config.options("inprocess") == (("threads", 1),)
        session.provider("none")
        assert chosen(session) == (None, None)
        session.provider("null")
        session.run(CODE)
        assert np.array_equal(session["y"], EXPECTED)
        assert chosen(session)[0] == "null"


@pytest.mark.usefixtures("default_host")
def test_an_option_that_there_is_not_is_refused_at_once() -> None:
    with Session() as session:
        with pytest.raises(MatlabError, match="no option 'thread'") as caught:
            session.provider("inprocess", thread=1)
        assert caught.value.hint == "Did you mean accel.inprocess.threads?"
        with pytest.raises(MatlabError, match="must be a whole number, not 'red'"):
            session.provider("inprocess", threads="red")
        session.run(CODE)
        assert np.array_equal(session["y"], EXPECTED)
        assert chosen(session) == (None, "inprocess")


@pytest.mark.parametrize(
    ("text", "line", "says", "helps"),
    [
        (
            '[accel]\nprovider = "inproces"\n',
            2,
            "no acceleration provider 'inproces'",
            "inprocess?",
        ),
        ('[accel]\n\nfallback = "nul"\n', 3, "no acceleration provider 'nul'", "null?"),
        ("[accel.inproces]\nthreads = 1\n", 2, "[accel.inproces] is of no", "inprocess?"),
        ("[accel.inprocess]\nthreds = 1\n", 2, "no option 'threds'", "accel.inprocess.threads?"),
        ('[accel.null]\nkind = "host"\nfail = 3\n', 3, "must be a text, not 3", ""),
    ],
)
def test_a_program_never_sees_what_is_wrong_with_the_choice_of_a_provider(
    tmp_path: Path, text: str, line: int, says: str, helps: str
) -> None:
    path = tmp_path / "runmat.toml"
    path.write_text(text)
    with pytest.raises(MatlabError) as caught:
        Session(cwd=tmp_path)
    assert caught.value.message.startswith(f"{path}:{line}: ")
    assert says in caught.value.message
    assert helps in caught.value.hint
    assert "pip install" not in caught.value.hint


def test_a_variable_of_no_option_is_told_of_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNMAT_ACCEL_INPROCESS_THREDS", "1")
    with pytest.raises(MatlabError, match=r"^RUNMAT_ACCEL_INPROCESS_THREDS: ") as caught:
        Session()
    assert caught.value.hint == "Did you mean RUNMAT_ACCEL_INPROCESS_THREADS?"


def test_every_provider_is_closed_with_the_session(
    provider_package: Callable[..., Path],
) -> None:
    says = "return Capabilities(name='it', kind='host', dtypes=frozenset())"
    provider_package("first", says=says)
    provider_package("second", says=says)
    with Session(provider="first") as session:
        session.run(CODE)
        assert np.array_equal(session["y"], EXPECTED)
        session.provider("second")
        session.run(CODE)
        first, second = (
            __import__(made.installed.value.partition(":")[0]).Made
            for made in (
                session.interp.seat.engine.places._former[0].host,
                session.interp.seat.engine.choice.host,
            )
        )
        assert (first.closed, second.closed) == (0, 0)
    assert (first.closed, second.closed) == (1, 1)


def test_what_is_computed_while_it_is_read_warns_the_session() -> None:
    for read in (
        lambda session: session["y"],
        lambda session: session.eval("x + x"),
        lambda session: session.function("plus")(np.ones((30, 30)), 1.0),
    ):
        told: list[str] = []
        with Session(stderr=told.append) as session:
            session.provider("null", fail="capabilities")
            session.run("x = reshape(1:900, 30, 30); y = 2*x;")
            assert read(session).shape == (30, 30)
        assert "".join(told).count("was told to fail") == 1
