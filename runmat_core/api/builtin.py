"""The mark that makes a Python function a MATLAB builtin.

`builtin` only records a `BuiltinSpec` on the function: nothing is registered on import. An index
(name, module, line) is generated from the marks, so a family module is imported when one of its
names is first called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar

if TYPE_CHECKING:
    from runmat_core.api.fusion import Call, FusionSpec

F = TypeVar("F", bound=Callable[..., Any])

#: What a host rule may ask the evaluator for; each arrives as a keyword argument of that name.
Need = Literal["nargout", "interp", "workspace", "argument_text"]

#: How a host rule that knows no MATLAB values gets its arguments and gives its results.
Lift = Literal["map", "arrays"]

#: What becomes of arguments whose elements are still to be computed.
Pending = Literal["compute", "keep", "view"]

#: What a host rule appends to the graph by itself.
Captures = Literal["generator", "operator", "composition"]

#: What a call may do besides computing its result; undeclared means "anything", never captured.
Effect = Literal["pure", "rng", "io", "state"]


class BuiltinSpec:
    """What the registry knows of a builtin.

    Attributes:
        names: the MATLAB name first, then its aliases (``Inf``, ``inf``).
        family: the path of its page in the documentation, such as ``math/elementwise``.
        host: the host rule, the oracle for every other rule.
        nargin: fewest and most inputs (None: any number); taken from the signature by default.
        nargout: most outputs (None: any number).
        needs: what the host rule asks the evaluator for.
        lift: ``map`` when the host rule is a function of NumPy arrays applied element by element
            under MATLAB's class and expansion rules; ``arrays`` when it is any other function of
            NumPy arrays (two axes or more), strings and what else there is, and gives arrays,
            Python numbers, strings, lists (cells) or dicts (structs) of these; None when it takes
            MATLAB values.
        scalar: the same function of floats, tried first where all arguments are floats; returns
            NotImplemented outside its domain.
        integers: whether a lifted rule takes the integer classes, as integer arrays; where it does
            not, such an argument is an error as it is for ``sqrt``.
        effects: what a call may do besides computing its result.
        fusion: what it is in kernel IR (`runmat_core.api.fusion`); a plain function means `Map`.
        gpu: the library call of providers that computes it (`runmat_core.api.fusion.Call`).
        pending: what becomes of arguments whose elements are not computed yet: they are
            (``compute``); the host rule takes them as they are, because it looks at size and class
            alone or passes them on (``keep``); or the result only rearranges the elements, or is
            made of what does, and is pending too (``view``).
        captures: what the host rule itself appends to the graph where arrays are large: the array
            that it makes from a few numbers (``generator``), what the operator does whose name it
            is (``operator``), or a few operations of arrays that it takes as they are
            (``composition``). Documentation has it from here.
        compose: a rule of other builtins that is tried first on large arrays
            (`runmat_core.api.compose`); such a mark keeps pending arguments by itself.
        unknown: the options of the mark that there are not, a mistake of its author.
    """

    # written out: every start makes some of these, and attrs takes a tenth of it to load
    __slots__ = (
        "captures",
        "compose",
        "effects",
        "family",
        "fusion",
        "gpu",
        "host",
        "integers",
        "lift",
        "names",
        "nargin",
        "nargout",
        "needs",
        "pending",
        "scalar",
        "unknown",
    )

    def __init__(
        self,
        *,
        names: tuple[str, ...],
        family: str,
        host: Callable[..., Any],
        nargin: tuple[int, int | None] | None = None,
        nargout: int | None = 1,
        needs: tuple[Need, ...] = (),
        lift: Lift | None = None,
        scalar: Callable[..., Any] | None = None,
        integers: bool = False,
        effects: Effect | None = None,
        fusion: FusionSpec | Callable[..., Any] | None = None,
        gpu: Call | None = None,
        pending: Pending = "compute",
        captures: Captures | None = None,
        compose: Callable[..., Any] | None = None,
        unknown: tuple[str, ...] = (),
    ) -> None:
        self.names = names
        self.family = family
        self.host = host
        self.nargin = nargin
        self.nargout = nargout
        self.needs = needs
        self.lift = lift
        self.scalar = scalar
        self.integers = integers
        self.effects = effects
        self.fusion = fusion
        self.gpu = gpu
        self.pending = pending if compose is None else "keep"
        self.captures = captures if compose is None else "composition"
        self.compose = compose
        self.unknown = unknown

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def elementwise(self) -> bool:
        """Whether it works element by element, its arguments expanding to a common size."""
        from runmat_core.api.fusion import Map

        return isinstance(self.fusion, Map) or callable(self.fusion)


def builtin(
    *names: str,
    family: str = "",
    nargin: tuple[int, int | None] | None = None,
    nargout: int | None = 1,
    needs: tuple[Need, ...] = (),
    lift: Lift | None = None,
    scalar: Callable[..., Any] | None = None,
    integers: bool = False,
    effects: Effect | None = None,
    fusion: FusionSpec | Callable[..., Any] | None = None,
    gpu: Call | None = None,
    pending: Pending = "compute",
    captures: Captures | None = None,
    compose: Callable[..., Any] | None = None,
    **unknown: NoReturn,
) -> Callable[[F], F]:
    """Mark a function as the host rule of the builtin called `names[0]` (others are aliases).

    The function takes MATLAB values positionally and returns one value, a tuple when more than one
    output is asked for (it then has ``needs=("nargout",)``), or None for no value. Its docstring
    is the help text; ``>>`` lines in it are run as tests. An option that there is not, such as
    ``efects``, is an error where the builtin is called, and leaves the rest of its package alone.
    """

    def mark(function: F) -> F:
        spec = BuiltinSpec(
            names=names,
            family=family,
            host=function,
            nargin=nargin,
            nargout=nargout,
            needs=needs,
            lift=lift,
            scalar=scalar,
            integers=integers,
            effects=effects,
            fusion=fusion,
            gpu=gpu,
            pending=pending,
            captures=captures,
            compose=compose,
            unknown=tuple(unknown),
        )
        function.__runmat_builtin__ = spec  # type: ignore[attr-defined]
        return function

    return mark
