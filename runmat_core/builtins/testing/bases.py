"""The classes of ``matlab.unittest`` that programs inherit from: test cases and fixtures."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.testing.qualify import FORMS, QUALIFICATIONS, case_of, qualify
from runmat_core.builtins.testing.values import FUNCTION_CASE
from runmat_core.values import CharArray, StructArray, is_text, text
from runmat_core.values.objects.info import ClassHost, ClassInfo, MethodInfo, PropertyInfo

TEST_CASE = "matlab.unittest.TestCase"
FIXTURE = "matlab.unittest.fixtures.Fixture"

#: Methods that builtins have the names of.
_OVERLOADS = frozenset({"log", "run"})
_LEVELS = ("", "Terse", "Concise", "Detailed", "Verbose")


def base_of_tests(name: str, host: ClassHost, interp: Interp) -> ClassInfo | None:
    """Return the class `name` of the test framework that others inherit from, or None."""
    if name == TEST_CASE:
        return _made(name, host, "handle", _case_methods(interp), {})
    if name == FUNCTION_CASE:
        properties = {"TestData": _property("TestData", name, StructArray({}))}
        return _made(name, host, TEST_CASE, {}, properties, is_abstract=False)
    if name == FIXTURE:
        properties = {
            one: _property(one, name, CharArray(""))
            for one in ("SetupDescription", "TeardownDescription")
        }
        return _made(name, host, "handle", _fixture_methods(interp), properties)
    return None


def _made(
    name: str,
    host: ClassHost,
    above: str,
    methods: dict[str, Callable[..., Any]],
    properties: dict[str, PropertyInfo],
    is_abstract: bool = True,
) -> ClassInfo:
    superclass = host.find_class(above)
    assert superclass is not None
    own = {
        m: MethodInfo(name=m, owner=name, fn=fn, outputs=0, overloads=m in _OVERLOADS)
        for m, fn in methods.items()
    }
    return ClassInfo(
        name=name,
        host=host,
        superclasses=(superclass,),
        properties={**superclass.properties, **properties},
        methods={**superclass.methods, **own},
        events=dict(superclass.events),
        is_handle=True,
        is_abstract=is_abstract,
    )


def _property(name: str, owner: str, start: Any) -> PropertyInfo:
    from runmat_core.values import share

    return PropertyInfo(name=name, owner=owner, default=lambda nargout: share(start))


# -- methods ---------------------------------------------------------------------------------------


def _qualifications(interp: Interp) -> dict[str, Callable[..., Any]]:
    def rule(form: str, what: str, nargout: int, obj: Any, *args: Any) -> Any:
        return qualify(interp, form, what, nargout, obj, args)

    return {f"{form}{what}": partial(rule, form, what) for form in FORMS for what in QUALIFICATIONS}


def _case_methods(interp: Interp) -> dict[str, Callable[..., Any]]:
    return {
        **_qualifications(interp),
        "addTeardown": partial(_add_teardown, interp),
        "applyFixture": partial(_apply_fixture, interp),
        "log": partial(_log, interp),
        "onFailure": partial(_on_failure, interp),
        "run": partial(_run, interp),
        "createTemporaryFolder": partial(_temporary_folder, interp),
    }


def _fixture_methods(interp: Interp) -> dict[str, Callable[..., Any]]:
    return {
        **_qualifications(interp),
        "addTeardown": partial(_add_teardown, interp),
        "applyFixture": partial(_apply_fixture, interp),
        "log": partial(_log, interp),
        "onFailure": partial(_on_failure, interp),
        "setup": lambda nargout, obj: None,
        "teardown": lambda nargout, obj: None,
    }


def _add_teardown(interp: Interp, nargout: int, obj: Any, function: Any, *args: Any) -> None:
    case_of(interp, obj).cleanups.append(lambda: interp.call(function, args, 0))


def _apply_fixture(interp: Interp, nargout: int, obj: Any, fixture: Any) -> Any:
    from runmat_core.builtins.testing.fixtures import apply

    apply(interp, case_of(interp, obj), fixture)
    return fixture.share()


def _temporary_folder(interp: Interp, nargout: int, obj: Any) -> Any:
    from runmat_core.builtins.testing.fixtures import TemporaryFolder, apply

    fixture = TemporaryFolder()
    apply(interp, case_of(interp, obj), fixture)
    return fixture.get_property("Folder")


def _log(interp: Interp, nargout: int, obj: Any, *args: Any) -> None:
    if not args:
        raise not_enough_inputs()
    case = case_of(interp, obj)
    level = level_of(args[0]) if len(args) > 1 else 2
    if level > case.level or case.is_quiet:
        return
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S")
    said = case.diagnostic(args[-1])
    interp.write(f"\n   [{_LEVELS[level]}] Diagnostic logged ({stamp}): {said}\n")


def level_of(value: Any) -> int:
    """Return a level of verbosity by its number or name."""
    if is_text(value):
        names = [name.lower() for name in _LEVELS]
        word = text(value).lower()
        if word in names[1:]:
            return names.index(word)
    else:
        number = scalar(value, "LEVEL")
        if number in (1, 2, 3, 4):
            return int(number)
    raise MatlabError(
        "MATLAB:unittest:Verbosity:InvalidValue",
        "The level must be 1, 2, 3 or 4, or Terse, Concise, Detailed or Verbose.",
    )


def _on_failure(interp: Interp, nargout: int, obj: Any, *notes: Any) -> None:
    case_of(interp, obj).notes.extend(notes)


def _run(interp: Interp, nargout: int, obj: Any, *methods: Any) -> Any:
    """``run(testCase)`` and ``run(testCase, 'method')``: the tests of its class."""
    from runmat_core.builtins.testing.class_suites import tests_of_class
    from runmat_core.builtins.testing.runner import run_tests

    wanted = {text(one) for one in methods}
    tests = [t for t in tests_of_class(obj.info) if not wanted or t.name in wanted]
    return run_tests(interp, tests)
