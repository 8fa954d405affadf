"""Which of the installed providers a configuration takes."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import pytest

from runmat_core.accel.devices import providers
from runmat_core.accel.devices.discovery import DECLARATION, Declared, Installed, declared
from runmat_core.accel.devices.names import PUBLISHED
from runmat_core.accel.devices.providers import choose
from runmat_core.api.device import DeviceFault
from runmat_core.api.errors import MatlabError
from tests.accel.provider_packages import BROKEN, HOST, NOWHERE, Maker, Settings, answer, module_of

ROOT = Path(__file__).parents[2]


def names(choice: providers.Choice) -> tuple[str | None, str | None]:
    device, host = choice.device, choice.host
    return (device and device.installed.name, host and host.installed.name)


def test_auto_takes_the_device_of_the_highest_preference(package: Maker) -> None:
    package("alpha")
    package("beta", says=answer(preference=2))
    package("gamma", says=answer(preference=1))
    package("inprocess", says=HOST)
    choice = choose(Settings())
    assert names(choice) == ("beta", "inprocess")
    assert [note.name for note in choice.notes] == ["alpha", "gamma"]
    assert choice.warning == ""
    assert module_of("alpha").closed == 1


@pytest.mark.parametrize(
    ("says", "note"),
    [
        (answer(software=True), "'a device' is emulated on the CPU; accel.provider = "),
        (answer(preference=-1), "'alpha' is used only where it is named."),
        (NOWHERE, "finds no device here"),
        ("raise NoDevice('card 7 is too old')", "finds no device here: card 7 is too old."),
    ],
)
def test_auto_passes_over_quietly_what_is_no_gain(package: Maker, says: str, note: str) -> None:
    package("alpha", says=says)
    package("inprocess", says=HOST)
    choice = choose(Settings())
    assert names(choice) == (None, "inprocess")
    assert note in choice.notes[0].reason
    assert choice.warning == ""


def test_a_broken_provider_is_told_once_and_the_fallback_used(package: Maker) -> None:
    package("alpha", says=BROKEN)
    package("inprocess", says=HOST)
    choice = choose(Settings())
    assert names(choice) == (None, "inprocess")
    assert "no driver" in choice.warning
    assert choice.warning.endswith("Instead 'inprocess" + choice.warning.rpartition("inprocess")[2])


def test_a_provider_asked_for_by_name_is_told_although_it_is_merely_absent(package: Maker) -> None:
    package("alpha", says=NOWHERE)
    choice = choose(Settings(provider="alpha"))
    assert names(choice) == (None, None)
    assert "finds no device here" in choice.warning
    assert choice.warning.endswith("Instead everything runs by host rules.")


def test_names_are_taken_as_they_are(package: Maker) -> None:
    package("alpha", says=answer(software=True))
    package("beta", says=HOST)
    assert names(choose(Settings(provider="alpha", fallback="beta"))) == ("alpha", "beta")
    assert names(choose(Settings(provider="beta"))) == (None, "beta")
    assert names(choose(Settings(provider="alpha", fallback="none"))) == ("alpha", None)
    assert names(choose(Settings(provider="none"))) == (None, None)
    assert names(choose(Settings())) == (None, "beta")


@pytest.mark.parametrize(("chosen", "looked_at"), [("auto", True), ("alpha", False)])
def test_a_provider_knows_whether_somebody_named_it(
    package: Maker, chosen: str, looked_at: bool
) -> None:
    package("alpha")
    choose(Settings(provider=chosen))
    (request,) = module_of("alpha").requests
    assert request.auto is looked_at


def test_options_go_to_the_provider_that_they_are_for(package: Maker, tmp_path: Path) -> None:
    package("alpha")
    choose(Settings(provider="alpha"), str(tmp_path))
    (request,) = module_of("alpha").requests
    assert request.options == (("for", "alpha"),)
    assert Path(request.cache_folder) == tmp_path / "providers" / "alpha"
    assert Path(request.cache_folder).is_dir()


def test_nothing_installed_is_no_reason_to_warn(package: Maker) -> None:
    choice = choose(Settings())
    assert names(choice) == (None, None)
    assert (choice.notes, choice.warning) == ((), "")


@pytest.mark.parametrize("values", [{"provider": "alpha"}, {"fallback": "alpha"}])
def test_a_name_that_is_not_installed_is_an_error(package: Maker, values: dict[str, str]) -> None:
    with pytest.raises(MatlabError, match="no acceleration provider 'alpha'"):
        choose(Settings(**values))


def test_a_device_cannot_be_the_fallback(package: Maker) -> None:
    package("alpha")
    package("beta")
    choice = choose(Settings(provider="alpha", fallback="beta"))
    assert names(choice) == ("alpha", None)
    assert "cannot be the fallback" in choice.warning


def test_a_provider_that_fails_to_close_is_in_nobodys_way(package: Maker) -> None:
    failing = [("Made.closed += 1", "raise OSError('stuck')")]
    package("alpha", says=answer(software=True), edits=failing)
    package("beta", edits=failing)
    package("inprocess", says=HOST)
    choice = choose(Settings())
    assert names(choice) == ("beta", "inprocess")
    assert any("failed in 'close': OSError: stuck" in note.reason for note in choice.notes)
    with pytest.raises(DeviceFault, match="stuck"):
        choice.close()
    assert module_of("inprocess").closed == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[alpha]\nkind = "host"\npreference = 3\n', Declared("host", 3)),
        ("[alpha]\npreference = -1\n", Declared("", -1)),
        ("[beta]\npreference = -1\n", Declared()),
        ('[alpha]\nkind = "teapot"\npreference = 1\n', Declared()),
        ('[alpha]\nkind = "host"\npreference = "high"\n', Declared()),
        ("[alpha.options]\nsize = 1\n", Declared(options={"size": 1})),
        ("[alpha]\noptions = 3\n", Declared()),
        ("alpha = 3\n", Declared()),
        ("[alpha", Declared()),
        (None, Declared()),
    ],
)
def test_what_packages_declare_is_read_without_importing_them(
    text: str | None, said: Declared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "declaring_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")
    if text is not None:
        (folder / DECLARATION).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert declared(Installed("alpha", "p", "1", "declaring_package.inner:Made")) == said


def test_declarations_spare_starts(package: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {
        "alpha": Declared("device", -1),
        "beta": Declared("device", 1),
        "gamma": Declared("device", 3),
        "other": Declared("host", 0),
    }
    monkeypatch.setattr(providers, "declared", lambda origin: said.get(origin.name, Declared()))
    package("alpha", says=BROKEN)
    package("beta", says=BROKEN)
    package("gamma", says=answer(preference=3))
    package("other", says=BROKEN)
    package("inprocess", says=HOST)
    choice = choose(Settings())
    assert names(choice) == ("gamma", "inprocess")
    assert choice.warning == ""
    reasons = {note.name: note.reason for note in choice.notes}
    assert reasons.keys() == {"alpha", "beta", "other"}
    assert reasons["alpha"] == "'alpha' is used only where it is named."
    assert reasons["beta"].endswith("is preferred.")
    assert reasons["other"] == "'inprocess' is the host provider."


@pytest.mark.parametrize(
    ("says", "fallback", "taken"),
    [(HOST, None, "other"), (HOST, "inprocess", "inprocess"), (BROKEN, None, "inprocess")],
)
def test_a_host_that_declares_a_preference_comes_before_the_default(
    says: str,
    fallback: str | None,
    taken: str,
    package: Maker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = {"other": Declared("host", 1), "inprocess": Declared("host", 0)}
    monkeypatch.setattr(providers, "declared", lambda origin: said.get(origin.name, Declared()))
    package("inprocess", says=HOST)
    package("other", says=says)
    settings = Settings() if fallback is None else Settings(fallback=fallback)
    assert names(choose(settings)) == (None, taken)


def own_options(name: str) -> set[str]:
    """The options that a provider itself takes."""
    import attrs

    if name == "null":
        from runmat_provider_tests.null import OPTIONS

        return set(OPTIONS)
    module = importlib.import_module(f"runmat_{name}.options")
    options = getattr(module, f"{name.title()}Options", None) or module.Options
    return {field.name for field in attrs.fields(options)}


@pytest.mark.parametrize("name", ["inprocess", "native", "null", "wgpu"])
def test_packages_declare_the_options_that_their_providers_take(name: str) -> None:
    found = providers.installed()
    if name not in found:
        pytest.skip(f"{name} is not installed")
    assert set(declared(found[name]).options or ()) == own_options(name)


def test_published_providers_are_those_of_this_repository() -> None:
    texts = [path.read_text() for path in (ROOT / "providers").glob("*/pyproject.toml")]
    projects = [tomllib.loads(text)["project"] for text in texts]
    offered = {
        name
        for project in projects
        for name in project["entry-points"].get("runmat.providers", ())
        if project["name"] == f"runmat-{name}"
    }
    assert offered == set(PUBLISHED)
