"""Tests that are generated for the builtins of a package: help, examples, and fusion against host.

Each builtin gives one `Case`. A package's own tests run them by pytest::

    @pytest.mark.parametrize("case", plugin_checks.cases("runmat-finance"), ids=str)
    def test_generated(case):
        assert not case.problems()

and ``runmat test-plugin`` prints them. The calls are made from the marks: one to four arguments of
each class in several shapes, computed by the host rule and by the fusion on an installed provider.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import BuiltinSpec
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map, Reduction, Scan
from runmat_core.builtins import registry
from runmat_core.builtins.declared import place_of, problems
from runmat_core.session import doctests
from runmat_core.session.config import load
from runmat_core.session.session import Session

#: Classes of the arguments.
CLASSES = ("double", "single", "int32", "uint8", "logical")
#: Arguments of calls, by shape; the later ones expand to the first.
SHAPES: dict[str, tuple[str, ...]] = {
    "matrix": (
        "[-2.5 0 1.5 NaN; 0.25 -7 40 3; 1 2 -0.5 Inf; 12 0.75 -1 -3]",
        "[2 3 -1.5 1; 0.5 2 4 NaN; 1 -2 3 2; 7 0 1 5]",
        "[1; 2; 3; 0.5]",
        "2",
    ),
    "row of positive numbers": ("[1 1.5 2 3.25 80]", "[2 1 3 0.5 90]", "0.05", "[1 2 3 4 0.25]"),
    "fractions": ("[0.125 0.5; 0.75 1]", "[0.25 0.5; 1 0.125]", "[0.5 0.75]", "0.5"),
    "signed zeros and far numbers": ("[-0 0 -Inf 1e300; -1e-300 -800 800 1e-8]", "[1 -1 2 0.5]"),
    "no elements": ("zeros(0, 3)", "zeros(0, 3)", "zeros(0, 3)", "1"),
    "three dimensions": ("reshape(1:12, 2, 3, 2) / 4", "2", "reshape(1:4, 2, 1, 2)", "3"),
}
#: How far results may be apart, relative to the larger one, by class. Differences at the rounding
#: of the largest result are none: terms of its size may have cancelled.
TOLERANCE = {"single": 2e-5, "complex single": 2e-5}
_TOLERANCE = 1e-9
#: Rules of classes under which doubles are computed as such.
_OF_DOUBLES = ("float", "arithmetic", "same", "compare", "common", "ordered")


@attrs.frozen
class Case:
    """The tests of one builtin.

    Attributes:
        name: of the builtin.
        package: that declares it.
        refused: what its mark lacks, where it cannot be used at all.
    """

    name: str
    package: str
    refused: str = ""

    def __str__(self) -> str:
        return self.name

    def problems(self, examples: bool = True) -> list[str]:
        """Return what is wrong, a text each; none where all is well.

        Args:
            examples: whether the examples of the help text are run, too.
        """
        if self.refused:
            return [self.refused]
        spec = registry.find(self.name)
        if spec is None:
            return [f"'{self.name}' is not found."]
        found = [*problems(spec), *help_problems(spec)]
        if examples:
            found += example_problems(spec)
        if spec.fusion is not None or spec.compose is not None:
            found += fusion_problems(spec)
        return [f"{place_of(spec)}: {text}" for text in found]


def cases(package: str) -> list[Case]:
    """Return the cases of a package's builtins.

    Args:
        package: the name of an installed package, with or without ``runmat-``.

    Raises:
        LookupError: no such package offers builtins; the message says which do.
    """
    plugins = registry.installed_plugins()
    found = {}
    for offer in plugins.offers.values():
        found[offer.spec.name] = Case(offer.spec.name, offer.package)
    every = list(found.values())
    for name, refusal in plugins.refused.items():
        every += [Case(name, owner, refusal.text) for owner in dict.fromkeys(refusal.packages)]
    for name, offer in plugins.shadowed.items():
        text = f"{place_of(offer.spec)}: {plugins.told_of_shadowed(name)}"
        every.append(Case(name, offer.package, text))
    wanted = {package, f"runmat-{package}"}
    own = [case for case in every if case.package.rpartition(" ")[0] in wanted]
    if not own:
        names = sorted({case.package.rpartition(" ")[0] for case in every})
        broken = [text for text in plugins.broken if any(f"'{name}" in text for name in wanted)]
        raise LookupError(
            " ".join([f"No package '{package}' offers builtins; installed: "
                      f"{', '.join(names) or 'none'}.", *(broken or plugins.broken)])
        )  # fmt: skip
    return sorted(own, key=lambda case: case.name.lower())


# -- help and examples ----------------------------------------------------------------------------


def help_problems(spec: BuiltinSpec) -> Iterator[str]:
    """Yield what a help text lacks."""
    doc = (spec.host.__doc__ or "").strip()
    if not doc:
        return  # its mark says so
    if not doc.splitlines()[0].endswith("."):
        yield "the first line of its help is no sentence that ends with a full stop."
    if not doctests.collect(doc):
        yield "its help has no example (a line that begins with >>)."
    related = re.search(r"^\s*See also: *(\S.*(?:\n\s*\S.*)*)", doc, re.MULTILINE)
    if related is None:
        yield 'its help names nothing related ("See also: sum.").'
        return
    for name in filter(None, re.split(r"[,\s]+", related[1].strip().rstrip("."))):
        if not _is_found(name):
            yield f'"See also: {name}" leads nowhere.'


def _is_found(name: str) -> bool:
    try:
        return registry.find(name) is not None or name in _language()
    except MatlabError:
        return True  # it is there, and what is wrong with it is told of it


@cache
def _language() -> frozenset[str]:
    from runmat_core.syntax.words import KEYWORDS

    return frozenset(KEYWORDS["matlab"]) | {"varargin", "varargout"}


def example_problems(spec: BuiltinSpec) -> Iterator[str]:
    """Examples that print something else than they show, by the host rule and fused."""
    doc = spec.host.__doc__ or ""
    kinds = ["by the host rule"]
    if spec.fusion is not None and can_fuse():
        kinds.append("fused")
    for kind in kinds:
        with doctests.own_folder() as folder:
            session = Session(cwd=folder, config=_settings(kind == "fused"))
            for failure in doctests.run(doc, session):
                yield f"an example, {kind}:\n{failure}"


# -- fusion against host --------------------------------------------------------------------------


def fusion_problems(spec: BuiltinSpec) -> list[str]:
    """Return calls of which fusion or composition gives something else than the host rule.

    It is the first of each kind.

    Return the first of each kind.
    """
    if not can_fuse():
        return []
    untraced = trace_problem(spec)
    if untraced:
        return [untraced]
    found: dict[str, str] = {}
    used = False
    with _session(False) as host, _session(True) as fused:
        for call in calls(spec):
            plain, other = _outcome(host, call), _outcome(fused, call)
            used |= other.ran
            text = difference(plain, other, "fusion" if spec.fusion else "composition")
            if text:
                found.setdefault(text.partition(":")[0], f"{call.text}: {text}")
    if not used and not found and not _examples_fuse(spec):
        return [
            "no generated call and no example was fused: the host rule refuses their arguments."
        ]
    return list(found.values())


def trace_problem(spec: BuiltinSpec) -> str:
    """Why the fusion function cannot be recorded, for doubles; empty where it can."""
    from runmat_core.accel.ops.elementwise import as_spec
    from runmat_core.api import ir

    if spec.fusion is None:
        return ""
    try:
        fusion: Any = as_spec(spec.fusion)
        if isinstance(fusion, Map):
            if fusion.classes not in _OF_DOUBLES:
                return ""  # its operands are of other classes; calls will tell
            ir.trace(fusion.function, ["f64"] * _arguments(spec, fusion.function))
        elif isinstance(fusion, Reduction):
            ir.trace(fusion.function, ["f64"], reduces=True)
        else:
            ir.trace(lambda x: fusion.function(x, reverse=False), ["f64"], scans=True)
    except Exception as problem:  # also what `as_spec` makes of something else
        return f"the fusion function cannot be recorded: {problem}"
    return ""


def _arguments(spec: BuiltinSpec, function: Any) -> int:
    """Return a number of arguments that both the builtin and its fusion function take."""
    from inspect import signature

    least = max(registry.arity(spec)[0], 1)
    needed = [
        parameter
        for parameter in signature(function).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    return max(least, len(needed))


def _examples_fuse(spec: BuiltinSpec) -> bool:
    with doctests.own_folder(), _session(True) as fused:
        doctests.run(spec.host.__doc__ or "", fused)
        return _launches(fused) > 0


@attrs.frozen
class Call:
    """A generated call: the statements that make its arguments, and its text."""

    arguments: tuple[tuple[str, str], ...]
    outputs: int
    expression: str

    @property
    def text(self) -> str:
        given = "; ".join(f"{name} = {source}" for name, source in self.arguments)
        return f"{self.expression} with {given}"


@attrs.frozen
class Outcome:
    """Results, or the identifier of an error; how many launches had part in it."""

    values: tuple[Any, ...] = ()
    error: str = ""
    ran: bool = False


def calls(spec: BuiltinSpec) -> Iterator[Call]:
    """Call by the arity and the kind of fusion of a builtin."""
    least, most = registry.arity(spec)
    outputs = 1 if spec.nargout is None else max(spec.nargout, 1)
    if isinstance(spec.fusion, Reduction | Scan):
        forms = ["x", "x, 1", "x, 2"] + ["x, 'all'"] * isinstance(spec.fusion, Reduction)
    else:
        # a composition may take a dimension
        dims = ["x, 1", "x, 2"] if spec.compose is not None and most != 1 else []
        top = min(most if most is not None else least + 1, 8)
        names = "x y z w a b c d".split()
        counts = range(max(least, 1), max(top, least, 1) + 1)
        forms = [*dims, *[", ".join(names[:n]) for n in counts]]
    for shape, sources in SHAPES.items():
        for cls in CLASSES:
            if cls in ("int32", "uint8") and "far" in shape:
                continue
            for form in forms:
                names = re.findall(r"\b[a-z]\b", form)
                given = []
                for k, name in enumerate(names):
                    source = sources[k % len(sources)]
                    source = source.replace("NaN", "1") if cls == "logical" else source
                    given.append((name, f"{cls}({source})"))
                yield Call(tuple(given), outputs, f"{spec.name}({form})")


def _outcome(session: Session, call: Call) -> Outcome:
    for name, source in call.arguments:
        session.run(f"{name} = {source};")
        session[name]  # computed, and no part of the call
    before = _launches(session)
    names = [f"out{k}" for k in range(1, call.outputs + 1)]
    try:
        session.capture(f"[{', '.join(names)}] = {call.expression};")
        values = []
        for name in names:
            values.append((session.eval(f"class({name})"), np.asarray(session[name])))
    except MatlabError as error:
        return Outcome(error=error.identifier or error.message)
    return Outcome(tuple(values), ran=_launches(session) > before)


def difference(plain: Outcome, fused: Outcome, what: str = "fusion") -> str:
    """Return how results differ; empty where they do not.

    Args:
        what: the way that `fused` came about.
    """
    if plain.error or fused.error:
        if plain.error == fused.error:
            return ""
        return (
            f"errors differ: the host rule gives {plain.error or 'a result'}, the {what} "
            f"{fused.error or 'a result'}"
        )
    for number, (one, other) in enumerate(zip(plain.values, fused.values, strict=True), 1):
        (cls, expected), (got_cls, got) = one, other
        which = f"output {number}" if len(plain.values) > 1 else "the result"
        if (cls, expected.shape) != (got_cls, got.shape):
            return (
                f"class or size differ: the host rule gives {_sized(cls, expected)}, the {what} "
                f"{_sized(got_cls, got)}, as {which}"
            )
        if expected.dtype.kind not in "biufc":
            continue
        bad = ~_near(expected, got, TOLERANCE.get(cls, _TOLERANCE))
        if bad.any():
            place = tuple(int(k[0]) for k in np.nonzero(bad))
            at = ", ".join(str(k + 1) for k in place)
            return (
                f"numbers differ: the host rule gives {expected[place]!s}, the {what} "
                f"{got[place]!s}, at ({at}) of {which}; {int(bad.sum())} of {bad.size} differ"
            )
    return ""


def _near(expected: Any, got: Any, tolerance: float) -> Any:
    with np.errstate(all="ignore"):
        same = (expected == got) | ((expected != expected) & (got != got))
        wide = np.complex128 if expected.dtype.kind == "c" else np.float64
        a, b = expected.astype(wide), got.astype(wide)
        size = np.abs(a)
        largest = np.max(size, where=np.isfinite(size), initial=0.0)
        rounding = 8 * np.finfo(expected.dtype).eps if expected.dtype.kind in "fc" else 0.0
        near = np.maximum(tolerance * np.maximum(size, np.abs(b)), rounding * largest)
        return same | (np.abs(a - b) <= near)


def _sized(cls: str, value: Any) -> str:
    return f"a {'x'.join(map(str, value.shape))} {cls}"


def _launches(session: Session) -> int:
    seat = session.interp.seat
    return int(seat.engine.counters.launches) if seat is not None and seat.made else 0


def _settings(fused: bool) -> Any:
    if not fused:
        return load().replace(accel__provider="none", accel__threshold="auto")
    return load().replace(
        accel__provider=_provider(),
        accel__threshold=1,
        accel__start_after=0,
        accel__offload__force="host" if _provider() == "inprocess" else "device",
        accel__offload__calibrate="never",
    )


def can_fuse() -> bool:
    """Whether a provider is installed, without which nothing is fused."""
    return bool(_provider())


def _provider() -> str:
    """Return the provider that fused calls run on; empty where none is installed."""
    from runmat_core.accel.devices.discovery import installed

    there = list(installed())
    named = load()["accel.provider"]
    wanted = [named, load()["accel.fallback"], *there]
    return next((name for name in wanted if name in there), "")


def _session(fused: bool) -> Session:
    return Session(config=_settings(fused))
