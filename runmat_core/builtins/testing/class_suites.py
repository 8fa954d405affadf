"""The tests of a class that inherits from ``matlab.unittest.TestCase``, with their parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.testing.values import Fixtures, Parameter, Test
from runmat_core.values import (
    DTYPE,
    CellArray,
    CharArray,
    FunctionHandle,
    StructArray,
    class_of,
    is_text,
    numel_of,
    size_of,
    text,
    to_numpy,
)
from runmat_core.values.objects.info import ClassInfo, MethodInfo

_KINDS = ("ClassSetupParameter", "MethodSetupParameter", "TestParameter")

Choice = tuple[Parameter, ...]


def tests_of_class(info: ClassInfo) -> list[Test]:
    """The tests of a class, one for each combination of parameters; none of an abstract class."""
    if info.is_abstract or info.abstract_names:
        return []
    values = {kind: _parameters(info, kind) for kind in _KINDS}
    of_class = _combined(marked(info, "TestClassSetup"), values["ClassSetupParameter"])
    of_setup = _combined(marked(info, "TestMethodSetup"), values["MethodSetupParameter"])
    known: dict[str, list[Parameter]] = {}
    for kind in _KINDS:
        known |= values[kind]
    fixtures = Fixtures(file=info.file)
    class_tags = [tag for one in info.ancestors.values() for tag in _tags(one.attributes)]
    tests = []
    for above in of_class:
        for setup in of_setup:
            given = {one.prop: one for one in (*above, *setup)}
            for method in marked(info, "Test"):
                tags = tuple(dict.fromkeys([*class_tags, *_tags(method.attributes)]))
                for own in _own(method, known, given):
                    test = Test(info.name, method.name, method, fixtures, info, tags)
                    tests.append(_with(test, above, setup, own))
    return tests


def _with(test: Test, above: Choice, setup: Choice, own: Choice) -> Test:
    import attrs

    return attrs.evolve(test, class_parameters=above, setup_parameters=setup, parameters=own)


def marked(info: ClassInfo, attribute: str) -> list[MethodInfo]:
    """Return the methods of blocks with an attribute, those of superclasses last."""
    return [m for m in info.methods.values() if _is_set(m.attributes, attribute)]


def from_above(info: ClassInfo, attribute: str) -> list[MethodInfo]:
    """Return the methods of blocks with an attribute, those of superclasses first."""
    depth = {name: at for at, name in enumerate(info.ancestors)}
    return sorted(marked(info, attribute), key=lambda m: -depth.get(m.owner, 0))


def _is_set(attributes: Any, name: str) -> bool:
    return attributes.get(name, False) is not False


def _tags(attributes: Any) -> tuple[str, ...]:
    tags = attributes.get("TestTags", ())
    return (tags,) if isinstance(tags, str) else tuple(tags) if isinstance(tags, tuple) else ()


def inputs_of(method: MethodInfo) -> tuple[str, ...]:
    """Return the names of the inputs of a method, after the test case."""
    described = getattr(method.fn, "__matlab__", None)
    return tuple(described.inputs[1:]) if described is not None else ()


# -- parameters ------------------------------------------------------------------------------------


def _parameters(info: ClassInfo, kind: str) -> dict[str, list[Parameter]]:
    """Return the values of each property of a kind of parameters."""
    defined = _defined(info, f"{kind}Definition")
    found = {}
    for prop in info.properties.values():
        if not _is_set(prop.attributes, kind):
            continue
        value = defined.get(prop.name)
        if value is None:
            value = prop.default(1) if prop.default is not None else None
        found[prop.name] = named_values(prop.name, value)
    return found


def _defined(info: ClassInfo, attribute: str) -> dict[str, Any]:
    """Return what static methods such as those of ``TestParameterDefinition`` blocks return."""
    found: dict[str, Any] = {}
    for method in marked(info, attribute):
        described = getattr(method.fn, "__matlab__", None)
        names = described.outputs if described is not None else ()
        if method.fn is None or not names:
            continue
        made = method.fn(len(names))
        found.update(zip(names, made if len(names) > 1 else (made,), strict=False))
    return found


def named_values(prop: str, value: Any) -> list[Parameter]:
    """Return the values that a property lists, with the names that they have in names of tests.

    Raises:
        MatlabError: it is neither a cell array nor a structure, or empty.
    """
    if isinstance(value, StructArray) and value.shape == (1, 1) and value.field_names():
        record = next(iter(value.records()))
        return [Parameter(prop, name, record[name]) for name in value.field_names()]
    if isinstance(value, CellArray) and numel_of(value):
        items = value.items()
        names = [_value_name(item) for item in items]
        taken: dict[str, int] = {}
        for at, name in enumerate(names):
            taken[name] = count = taken.get(name, 0) + 1
            if count > 1:
                names[at] = f"{name}_{count - 1}"
        return [Parameter(prop, n, item) for n, item in zip(names, items, strict=True)]
    raise MatlabError(
        "MATLAB:unittest:Parameter:InvalidValue",
        f"The parameterization property '{prop}' must be a nonempty cell array or a scalar "
        "structure with at least one field.",
    )


def _value_name(value: Any) -> str:
    """Return the name of a value: its text, its number with its class, or its size and class."""
    kind = class_of(value)
    if is_text(value) and text(value):
        return text(value)
    if isinstance(value, CharArray) and numel_of(value) == 0:
        return "empty"
    if kind in DTYPE and numel_of(value) == 1:
        number = to_numpy(value).reshape(-1)[0]
        if kind == "logical":
            return "true" if number else "false"
        shown = f"{number:.5g}" if kind in ("double", "single") else f"{number}"
        return shown if kind == "double" else f"{kind}_{shown}"
    if isinstance(value, FunctionHandle):
        return "function_handle" if value.name.startswith("@") else f"@{value.name}"
    return f"{'x'.join(map(str, size_of(value)))}_{kind}"


def _combined(methods: Sequence[MethodInfo], values: dict[str, list[Parameter]]) -> list[Choice]:
    """Every combination of the parameters that set-up methods take."""
    used = [name for name in values if any(name in inputs_of(m) for m in methods)]
    ways = [str(m.attributes.get("ParameterCombination", "")) for m in methods]
    return combined([values[name] for name in used], next((w for w in ways if w), ""))


def _own(
    method: MethodInfo, known: dict[str, list[Parameter]], given: dict[str, Parameter]
) -> Iterable[Choice]:
    """Return the parameters of the calls of a test method."""
    names = inputs_of(method)
    for name in names:
        if name not in known:
            raise MatlabError(
                "MATLAB:unittest:Parameter:UndefinedParameter",
                f"The test method '{method.name}' takes '{name}', which is no parameterization "
                "property of its class.",
            )
    free = [known[name] for name in names if name not in given]
    return combined(free, str(method.attributes.get("ParameterCombination", "")))


def combined(lists: Sequence[Sequence[Parameter]], way: str) -> list[Choice]:
    """Return combinations of values: every one, those at the same place, or all pairs.

    Raises:
        MatlabError: the lists differ in length where values at the same place belong together.
    """
    low = way.lower()
    if low == "sequential":
        if len({len(some) for some in lists}) > 1:
            raise MatlabError(
                "MATLAB:unittest:Parameter:SizeMismatch",
                "Parameters that are combined sequentially must have as many values each.",
            )
        return list(zip(*lists, strict=True)) if lists else [()]
    together = 2 if low == "pairwise" else int(low[0]) if low.endswith("-wise") else len(lists)
    if together >= len(lists):
        return list(product(*lists))
    return list(_covering(lists, together))


def _covering(lists: Sequence[Sequence[Parameter]], together: int) -> Iterator[Choice]:
    """Return combinations in which each `together` values meet at least once."""
    everything = list(product(*(range(len(some)) for some in lists)))
    groups = list(combinations(range(len(lists)), together))
    left = {(g, tuple(one[k] for k in g)) for one in everything for g in groups}

    def gain(one: tuple[int, ...]) -> int:
        return sum((g, tuple(one[k] for k in g)) in left for g in groups)

    while left:
        best = max(everything, key=gain)
        left -= {(g, tuple(best[k] for k in g)) for g in groups}
        yield tuple(some[k] for some, k in zip(lists, best, strict=True))
