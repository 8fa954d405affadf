"""The tests that are generated for packages find and blame what is wrong, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core.cli.main import main
from runmat_core.session import plugin_checks

#: See `conftest.install`.
Install = Callable[..., str]

HELP = '''"""Twice its argument.

    Y = {name}(X)

    Examples:
        >> {name}([1 2])
        ans =
             2     4

    See also: {related}.
    """'''


def source(
    name: str = "twice",
    mark: str = "lift='map', fusion=lambda x: 2 * x",
    body: str = "return 2 * x",
    shown: str = "2     4",
    related: str = "times",
) -> str:
    text = HELP.format(name=name, related=related).replace("2     4", shown)
    return f"@builtin('{name}', family='t', {mark})\ndef {name}(x):\n    {text}\n    {body}\n"


def problems(install: Install, text: str) -> list[str]:
    install("toolbox-checked", text)
    (case,) = plugin_checks.cases("toolbox-checked")
    return case.problems()


def composed(rule: str) -> str:
    return source(mark=f"lift='arrays', compose=lambda xp, x: {rule}")


SOUND = {
    "map": source(),
    "plain": source(mark="lift='map'"),
    "composition": composed("xp.call('times', x, 2.0) if xp.is_real(x) else NotImplemented"),
}


@pytest.mark.parametrize("case", SOUND)
def test_a_sound_builtin_has_no_problems(install: Install, case: str) -> None:
    assert problems(install, SOUND[case]) == []


FAULTS = {
    "number": (
        source(mark="lift='map', fusion=lambda x: 2.000001 * x"),
        "numbers differ: the host",
    ),
    "composition": (
        composed("xp.call('times', x, 2.001) if xp.is_real(x) else NotImplemented"),
        "the host rule gives -5.0, the composition -5.0",
    ),
    "composition that raises": (composed("1 / 0"), "the composition RunMat:plugin:error"),
    "special": (
        source(mark="lift='map', fusion=lambda x: ir.where(x == x, 2 * x, 0.0)"),
        "the host rule gives nan, the fusion 0.0, at (1, 4)",
    ),
    "class": (
        source(mark="lift='map', fusion=Map(lambda x: 2 * x > 0, classes='compare')"),
        "class or size differ: the host rule gives a",
    ),
    "trace": (source(mark="lift='map', fusion=lambda x: np.exp(x)"), "use ir.exp"),
    "branch": (source(mark="lift='map', fusion=lambda x: x if x > 0 else x"), "no truth value"),
    "example": (source(shown="2     5"), ">> twice([1 2])"),
    "related": (source(related="nosuchname"), '"See also: nosuchname" leads nowhere.'),
    "mark": (source(mark="effects='puree'"), "Did you mean 'pure'?"),
    "shadow": (source("numel"), "declares the builtin 'numel', which runmat-core has"),
    "lift": (source(mark="fusion=lambda x: 2 * x", body="return np.sin(x)"), "mark has no lift"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_what_is_wrong_is_found_and_blamed(install: Install, case: str) -> None:
    text, said = FAULTS[case]
    found = problems(install, text)
    assert len(found) >= 1
    assert any(said in one for one in found), found
    # each names the line of the builtin
    assert all("toolbox_checked_builtins.py:4" in one for one in found)


def test_the_command_tells_each_builtin(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = source("thrice", "lift='map', fusion=lambda x: 3 * x", shown="2     4")
    install("runmat-checked", source("doubled") + wrong)
    assert main(["test-plugin", "checked"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("doubled  ok\n")
    assert "\n2 builtins of runmat-checked 1.0, 1 failed\n" in out
    assert "\nthrice   FAILED\n" in out
    assert "thrice(x) with x = double([" in out
    # the other command runs no examples, and finds numbers that differ
    assert main(["check-plugin", "checked"]) == 1
    out = capsys.readouterr().out
    assert "thrice(x) with x = double([" in out
    assert "an example" not in out
    assert main(["test-plugin", "checked", "doubled"]) == 0
    assert main(["test-plugin", "checked", "nosuch"]) == 2
    assert main(["test-plugin", "nosuch"]) == 2
    err = capsys.readouterr().err
    assert "checked has no builtin nosuch" in err
    assert "No package 'nosuch' offers builtins; installed: " in err


@pytest.mark.parametrize("case", plugin_checks.cases("runmat-finance"), ids=str)
def test_finance_passes(case: plugin_checks.Case) -> None:
    assert not case.problems()


def test_a_name_of_two_packages_fails_in_the_tests_of_both(install: Install) -> None:
    install("toolbox-one", source("shared"))
    install("toolbox-two", source("shared"))
    for package in ("toolbox-one", "toolbox-two"):
        (case,) = plugin_checks.cases(package)
        assert "Both packages 'toolbox-one 1.0' and 'toolbox-two 1.0'" in case.problems()[0]
