"""Finding, starting and choosing providers, with packages made for the purpose."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.devices import discovery, providers
from runmat_core.accel.devices.providers import ProviderUnavailable, choose, installed, start
from runmat_core.api import hookspecs
from runmat_core.api.device import DeviceArray, DeviceFault, OutOfDeviceMemory
from runmat_core.api.errors import MatlabError
from tests.accel.provider_packages import BROKEN, NOWHERE, Maker, Settings, answer, module_of

# -- discovery -------------------------------------------------------------------------------------


def test_the_group_is_the_one_that_packages_are_told() -> None:
    assert discovery.GROUP == hookspecs.ENTRY_POINT_GROUP


def test_a_package_is_found_without_being_imported(package: Maker) -> None:
    package("quick", source="raise AssertionError", distribution="quick-stuff", version="3.1")
    (found,) = installed().values()
    assert (found.name, found.package, found.version) == ("quick", "quick-stuff", "3.1")


def test_nothing_is_found_where_nothing_is_offered(package: Maker) -> None:
    assert installed() == {}


def test_packages_installed_later_are_found(package: Maker) -> None:
    package("one")
    assert list(installed()) == ["one"]
    package("another")
    assert list(installed()) == ["another", "one"]


def test_looking_imports_neither_pluggy_nor_metadata_where_nothing_is_offered() -> None:
    code = (
        "import sys; sys.path = [p for p in sys.path if 'site-packages' not in p]\n"
        f"sys.path.append({str(Path(providers.__file__).parents[2])!r})\n"
        "from runmat_core.accel.devices import discovery; assert discovery.installed() == {}\n"
        "assert not {'pluggy', 'importlib.metadata'} & set(sys.modules)\n"
    )
    import attrs

    # the interpreter without its packages, apart from the one that the core cannot do without
    code = (
        f"import sys; sys.path.append({str(Path(attrs.__file__).parents[1])!r})\nimport attrs\n"
        + code
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# -- names -----------------------------------------------------------------------------------------


def test_an_unknown_name_tells_what_is_installed_and_what_to_install(package: Maker) -> None:
    package("quick")
    with pytest.raises(MatlabError) as caught:
        start("quik")
    assert caught.value.identifier == "RunMat:accel:unknownProvider"
    assert caught.value.message == ("There is no acceleration provider 'quik'; installed: quick.")
    assert "Did you mean quick?" in caught.value.hint
    assert "pip install" not in caught.value.hint
    with pytest.raises(MatlabError) as caught:
        start("wgpu")
    assert caught.value.hint == "pip install runmat-wgpu brings it."


def test_two_packages_with_one_name_are_both_named(package: Maker) -> None:
    package("quick", distribution="runmat-quick", module="made_rival_one")
    package("quick", distribution="quick-too", module="made_rival_two")
    with pytest.raises(MatlabError) as caught:
        start("quick")
    assert caught.value.identifier == "RunMat:accel:duplicateProvider"
    assert "quick-too" in caught.value.message
    assert "runmat-quick" in caught.value.message
    # where nobody asked for it, the session goes on without
    choice = choose(Settings())
    assert choice.device is None
    assert "Several packages" in choice.warning


def test_a_package_hides_its_older_self_further_down_the_path(
    package: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = package("quick", version="2.0")
    older = tmp_path / "older"
    site.rename(older)
    site = package("quick", version="2.1")
    monkeypatch.setattr(discovery, "search_path", lambda: [str(site), str(older)])
    assert installed()["quick"].version == "2.1"
    assert installed()["quick"].rivals == ()


def test_metadata_that_cannot_be_read_spoils_nothing_else(package: Maker) -> None:
    site = package("quick")
    odd = site / "runmat_odd-1.0.dist-info"
    odd.mkdir()
    (odd / "entry_points.txt").write_text("[runmat.providers]\nno equals sign\n")
    assert list(installed()) == ["quick"]
    assert "package 'runmat_odd 1.0' cannot be read" in choose(Settings()).warning
    with pytest.raises(MatlabError) as caught:
        start("odd")
    assert "package 'runmat_odd 1.0' cannot be read" in caught.value.hint


# -- starting --------------------------------------------------------------------------------------


def test_a_provider_gets_its_name_options_and_folder(package: Maker) -> None:
    package("quick")
    first = start("quick", (("threads", 2),), "somewhere")
    second = start("quick")
    made = module_of("quick")
    request = made.requests[0]
    assert (request.options, request.cache_folder) == ((("threads", 2),), "somewhere")
    assert [r.name for r in made.requests] == [first.name, second.name]
    assert first.name != second.name
    assert first.capabilities.name == "it"


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (
            {"source": "import no_such_module_anywhere"},
            "cannot be imported: No module named 'no_such_module",
        ),
        ({"source": "1/0"}, "cannot be imported: ZeroDivisionError: division by zero"),
        ({"source": "import sys; sys.exit('bye')"}, "cannot be imported: SystemExit: bye"),
        (
            {"source": "class Made:\n    def __init__(self): raise SystemExit(3)"},
            "did not start: SystemExit: 3",
        ),
        ({"says": "raise SystemExit(3)"}, "did not start: SystemExit: 3"),
        ({"source": "Other = 1"}, "cannot be imported: AttributeError"),
        ({"source": "class Made:\n    def __init__(self): raise OSError('gone')"}, "OSError: gone"),
        ({"says": BROKEN}, "did not start: RuntimeError: no driver"),
        ({"says": NOWHERE}, "finds no device here"),
        ({"says": "return 3"}, "answers 'capabilities' with int"),
        (
            {"edits": [("free(self, request)", "free(self, arrays)")]},
            "its hooks do not fit: Plugin",
        ),
        ({"edits": [("def free", "def release")]}, "its hooks do not fit: unknown hook 'release'"),
        ({"source": "class Made: pass"}, "lacks the hooks capabilities, allocate"),
    ],
    ids="dependency import exit exit-made exit-start value making starting nowhere answer "
    "signature unknown missing".split(),
)
def test_what_cannot_be_used_says_why(package: Maker, made: dict[str, Any], reason: str) -> None:
    package("quick", **made)
    with pytest.raises(ProviderUnavailable) as caught:
        start("quick")
    assert caught.value.identifier == "RunMat:accel:unavailable"
    assert caught.value.message.startswith("The acceleration provider 'quick' (runmat-quick 1.2)")
    assert reason in caught.value.message


def test_an_entry_point_that_names_nothing(package: Maker) -> None:
    site = package("quick")
    points = next(site.glob("*/entry_points.txt"))
    points.write_text("[runmat.providers]\nquick =\n")
    with pytest.raises(ProviderUnavailable, match="entry point is '', which is not of the form"):
        start("quick")


def test_a_missing_dependency_has_a_remedy(package: Maker) -> None:
    package("quick", source="import no_such_module_anywhere")
    with pytest.raises(ProviderUnavailable) as caught:
        start("quick")
    assert caught.value.hint == "pip install --upgrade runmat-quick brings what it needs."


def test_debugging_shows_the_exception_itself(
    package: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNMAT_DEBUG", "1")
    package("quick", says=BROKEN)
    with pytest.raises(RuntimeError, match="no driver"):
        start("quick")


# -- hooks -----------------------------------------------------------------------------------------


def test_hooks_are_methods(package: Maker) -> None:
    package("quick")
    provider = start("quick")
    array = np.ones((2, 3), order="F")
    (handle,) = provider.upload((array,))
    assert provider.download((handle,)).arrays[0] is array
    (fresh,) = provider.allocate((((4, 5), "f64"),))
    assert fresh.shape == (4, 5)
    provider.execute((), (handle,))
    provider.synchronize()
    provider.free((handle, fresh))
    # what a provider need not have
    assert provider.telemetry().launches == 0
    provider.warmup()
    # None declines them all
    assert provider.compile((object(), object())) == (None, None)  # type: ignore[arg-type]


def test_closing_twice_closes_once(package: Maker) -> None:
    package("quick")
    provider = start("quick")
    made = module_of("quick")
    provider.close()
    provider.close()
    assert made.closed == 1


DOWNLOAD = "return Downloaded(arrays=tuple(h.payload for h in request.arrays))"


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        ((DOWNLOAD, "return ()"), "must answer 'download' with a Downloaded of 1 arrays, not"),
        ((DOWNLOAD, "return Downloaded(arrays=())"), "with a Downloaded of 1 arrays"),
        ((DOWNLOAD, "raise ValueError('odd')"), "failed in 'download': ValueError: odd"),
        ((DOWNLOAD, "raise DeviceLost('gone')"), "': gone"),
        ((DOWNLOAD, "raise DeviceLost('quick is gone')"), "quick is gone"),
        ((DOWNLOAD, "raise SystemExit(3)"), "failed in 'download': SystemExit: 3"),
    ],
)
def test_answers_that_do_not_fit_are_faults(
    package: Maker, edit: tuple[str, str], text: str
) -> None:
    package("quick", edits=[edit])
    provider = start("quick")
    with pytest.raises(DeviceFault) as caught:
        provider.download((DeviceArray((1, 1), "f64", "made"),))
    assert text in caught.value.message
    if "ValueError" in text:
        assert isinstance(caught.value.__cause__, ValueError)
        assert f"'{provider.name}'" in caught.value.message


def test_the_number_of_arrays_and_executables_is_checked(package: Maker) -> None:
    arrays = "return tuple(DeviceArray(shape"
    package("quick", edits=[(arrays, "return list(DeviceArray(shape")])
    with pytest.raises(DeviceFault, match="'allocate' with a tuple of 2, not list"):
        start("quick").allocate((((1, 1), "f64"), ((1, 1), "f64")))
    package("slow", edits=[("return None", "return (None,)")])
    with pytest.raises(DeviceFault, match="'compile' with a tuple of 2, not a tuple of 1"):
        start("slow").compile((object(), object()))  # type: ignore[arg-type]


def test_a_hook_that_says_nothing_has_not_run(package: Maker) -> None:
    package("quick", edits=[("return True", "pass")])
    provider = start("quick")
    for call in (provider.synchronize, lambda: provider.execute((), ()), lambda: provider.free(())):
        with pytest.raises(DeviceFault, match="with True, not None"):
            call()


def test_no_memory_is_told_apart(package: Maker) -> None:
    package("quick", edits=[(DOWNLOAD, "raise MemoryError('full')")])
    with pytest.raises(OutOfDeviceMemory, match="full"):
        start("quick").download(())


def test_debugging_lets_faults_of_hooks_through(
    package: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    package("quick", edits=[(DOWNLOAD, "raise KeyError('odd')")])
    provider = start("quick")
    monkeypatch.setenv("RUNMAT_DEBUG", "1")
    with pytest.raises(KeyError):
        provider.download(())


@pytest.mark.parametrize(("version", "stale"), [(2, "runmat-core"), (0, "runmat-quick")])
def test_a_provider_of_another_version_of_the_interface_is_not_used(
    package: Maker, version: int, stale: str
) -> None:
    package("quick", says=answer(api_version=version))
    with pytest.raises(ProviderUnavailable) as caught:
        start("quick")
    assert f"written for version {version} of the provider interface" in caught.value.message
    assert caught.value.hint.startswith(f"pip install --upgrade {stale} ")
