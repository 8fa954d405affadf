"""``inputParser``: the handle class that checks and sorts the inputs of a function."""

from __future__ import annotations

from typing import Any, Literal

import attrs

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.lang.names import is_variable_name
from runmat_core.builtins.named import pairs
from runmat_core.values.object import HandleObject, method

Kind = Literal["required", "optional", "parameter", "switch"]

#: Arguments that are given by their names, which come in any order.
_NAMED = ("parameter", "switch")


@attrs.frozen
class _Declared:
    """One declared input; `default` is None for a required one, `validator` None for none."""

    name: str
    kind: Kind
    default: Any = None
    validator: Any = None
    #: which of several parameters a beginning means: that of the lowest number
    priority: float = 1.0


class _State:
    """What copies of one parser share."""

    def __init__(self, interp: Any) -> None:
        self.interp = interp
        self.declared: list[_Declared] = []
        self.options: dict[str, Any] = {
            "FunctionName": v.char(""),
            "CaseSensitive": False,
            "KeepUnmatched": False,
            "PartialMatching": True,
            "StructExpand": True,
        }
        self.results: dict[str, Any] = {}
        self.unmatched: dict[str, Any] = {}
        self.defaulted: list[str] = []

    def of_kind(self, *kinds: Kind) -> list[_Declared]:
        return [entry for entry in self.declared if entry.kind in kinds]


class InputParser(HandleObject):
    """The value of ``inputParser``."""

    __slots__ = ()
    class_name = "inputParser"
    properties = (
        "FunctionName",
        "CaseSensitive",
        "KeepUnmatched",
        "PartialMatching",
        "StructExpand",
        "Parameters",
        "Results",
        "Unmatched",
        "UsingDefaults",
    )

    def __init__(self, interp: Any) -> None:
        self.data = _State(interp)

    def get_property(self, name: str) -> Any:
        state: _State = self.data
        if name == "Results":
            return _sorted_struct(state.results)
        if name == "Unmatched":
            return _sorted_struct(state.unmatched)
        if name == "UsingDefaults":
            return _names(state.defaulted)
        if name == "Parameters":
            return _names([entry.name for entry in state.declared])
        return v.share(state.options[name])

    def set_property(self, name: str, rhs: Any) -> None:
        state: _State = self.data
        if name not in state.options:
            super().set_property(name, rhs)
        state.options[name] = v.char(v.text(rhs)) if name == "FunctionName" else bool(v.truth(rhs))

    @method("addRequired")
    def add_required(self, nargout: int, name: Any, validator: Any = None) -> None:
        """addRequired(P, NAME, VALIDATOR): an input that must be given, in its place."""
        self._add(name, "required", None, validator)

    @method("addOptional")
    def add_optional(self, nargout: int, name: Any, default: Any, validator: Any = None) -> None:
        """addOptional(P, NAME, DEFAULT, VALIDATOR): an input that may be given, in its place."""
        self._add(name, "optional", default, validator)

    @method("addParameter", "addParamValue")
    def add_parameter(
        self, nargout: int, name: Any, default: Any, validator: Any = None, *options: Any
    ) -> None:
        """addParameter(P, NAME, DEFAULT, VALIDATOR): an input given after its name."""
        given = [one for one in (validator, *options) if one is not None]
        check = given.pop(0) if len(given) % 2 else None
        named, _ = pairs(given, ("PartialMatchPriority",), "addParameter")
        priority = scalar(named.get("PartialMatchPriority", 1.0), "PartialMatchPriority")
        self._add(name, "parameter", default, check, priority)

    @method("addSwitch")
    def add_switch(self, nargout: int, name: Any) -> None:
        """addSwitch(P, NAME): true when the name is among the inputs."""
        self._add(name, "switch", False, None)

    def _add(
        self, name: Any, kind: Kind, default: Any, validator: Any, priority: float = 1.0
    ) -> None:
        text = v.text(name)
        state: _State = self.data
        if not is_variable_name(text):
            raise MatlabError("MATLAB:InputParser:badName", f"Invalid parameter name '{text}'.")
        if any(entry.name == text for entry in state.declared):
            raise MatlabError(
                "MATLAB:InputParser:ArgNameExists", f"An argument named '{text}' already exists."
            )
        later = {"required": ("optional", *_NAMED), "optional": _NAMED}.get(kind, ())
        if any(entry.kind in later for entry in state.declared):
            raise MatlabError(
                "MATLAB:InputParser:invalidOrder",
                "Required inputs come before optional ones, and both before parameters.",
            )
        state.declared.append(_Declared(text, kind, v.share(default), validator, priority))

    @method("parse")
    def parse(self, nargout: int = 0, *args: Any) -> None:
        """parse(P, ...): sort and check inputs; the results are in P.Results."""
        state: _State = self.data
        state.results, state.unmatched = {}, {}
        rest = _take_options(state, _take_positional(state, list(args)))
        if rest:
            raise _failure(
                state,
                "MATLAB:InputParser:ParamMissingValue",
                f"No value was given for '{rest}'. Name-value pair arguments require a name "
                "followed by a value.",
            )
        state.defaulted = [e.name for e in state.declared if e.name not in state.results]
        for entry in state.declared:
            state.results.setdefault(entry.name, v.share(entry.default))


def _take_positional(state: _State, args: list[Any]) -> list[Any]:
    """Read required and optional inputs; return what follows them."""
    required = state.of_kind("required")
    if len(args) < len(required):
        raise _failure(state, "MATLAB:InputParser:notEnoughInputs", "Not enough input arguments.")
    for entry in required:
        _accept(state, entry, args.pop(0))
    for entry in state.of_kind("optional"):
        if not args:
            break
        first = args[0]
        if v.is_text(first) and (entry.validator is None or _names_option(state, first)):
            break
        problem = _problem(state, entry, first)
        if problem is not None:
            if v.is_text(first) or v.class_of(first) == "struct":
                break
            raise problem
        state.results[entry.name] = v.share(args.pop(0))
    return args


def _take_options(state: _State, args: list[Any]) -> str:
    """Name-value pairs, switches and structs; the name of a parameter without value, if any."""
    while args:
        head = args.pop(0)
        if _is_expanded(state, head):
            for name, value in head.records()[0].items():
                _set_option(state, name, value)
            continue
        if not v.is_text(head):
            if not state.of_kind("parameter", "switch") and not state.options["KeepUnmatched"]:
                raise _failure(state, "MATLAB:TooManyInputs", "Too many input arguments.")
            raise _failure(
                state,
                "MATLAB:InputParser:ParamMustBeChar",
                "Expected a string scalar or character vector for the parameter name.",
            )
        name = v.text(head)
        entry = _option(state, name)
        if entry is not None and entry.kind == "switch":
            state.results[entry.name] = True
        elif not args:
            return name
        else:
            _set_option(state, name, args.pop(0))
    return ""


def _is_expanded(state: _State, value: Any) -> bool:
    """Whether a value is a structure whose fields are parameters."""
    is_one = v.class_of(value) == "struct" and v.numel_of(value) == 1
    return is_one and bool(v.truth(state.options["StructExpand"]))


def _set_option(state: _State, name: str, value: Any) -> None:
    entry = _option(state, name) or _optional(state, name)
    if entry is not None:
        _accept(state, entry, value)
    elif state.options["KeepUnmatched"]:
        state.unmatched[name] = v.share(value)
    else:
        raise _failure(
            state,
            "MATLAB:InputParser:UnmatchedParameter",
            f"'{name}' is not a recognized parameter. For a list of valid name-value pair "
            "arguments, see the documentation for this function.",
        )


def _names_option(state: _State, value: Any) -> bool:
    return _option(state, v.text(value)) is not None


def _option(state: _State, name: str) -> _Declared | None:
    """Return the parameter or switch that `name` means: exactly, in other case, or in part."""
    entries = state.of_kind("parameter", "switch")

    def key(text: str) -> str:
        return text if state.options["CaseSensitive"] else text.lower()

    wanted = key(name)
    for entry in entries:
        if key(entry.name) == wanted:
            return entry
    if state.options["PartialMatching"] and wanted:
        found = [entry for entry in entries if key(entry.name).startswith(wanted)]
        first = min((entry.priority for entry in found), default=1.0)
        found = [entry for entry in found if entry.priority == first]
        if len(found) == 1:
            return found[0]
        if found:
            raise _failure(
                state,
                "MATLAB:InputParser:AmbiguousParameter",
                f"'{name}' matches multiple parameter names: "
                f"{', '.join(entry.name for entry in found)}. To avoid ambiguity, specify the "
                "complete name of the parameter.",
            )
    return None


def _optional(state: _State, name: str) -> _Declared | None:
    """Return the optional input of a name, which was not given in its place."""
    exact = bool(v.truth(state.options["CaseSensitive"]))
    for entry in state.of_kind("optional"):
        same = entry.name == name or (not exact and entry.name.lower() == name.lower())
        if same and entry.name not in state.results:
            return entry
    return None


def _accept(state: _State, entry: _Declared, value: Any) -> None:
    problem = _problem(state, entry, value)
    if problem is not None:
        raise problem
    state.results[entry.name] = v.share(value)


def _problem(state: _State, entry: _Declared, value: Any) -> MatlabError | None:
    """Why `value` will not do for `entry`; None when it will."""
    if entry.validator is None:
        return None
    try:
        verdict = state.interp.call(entry.validator, (value,), 0)
    except MatlabError as error:
        detail = error.message
    else:
        if verdict is None or (v.numel_of(verdict) and v.truth(verdict)):
            return None
        detail = f"It must satisfy the function: {entry.validator.source}."
    return _failure(
        state,
        "MATLAB:InputParser:ArgumentFailedValidation",
        f"The value of '{entry.name}' is invalid. {detail}",
    )


def _failure(state: _State, identifier: str, message: str) -> MatlabError:
    name = v.text(state.options["FunctionName"])
    return MatlabError(identifier, message, raised_by=name or "parse")


def _sorted_struct(fields: dict[str, Any]) -> Any:
    names = sorted(fields, key=lambda name: (name.lower(), name))
    return v.struct({name: v.share(fields[name]) for name in names})


def _names(names: list[str]) -> Any:
    return v.cell([v.char(name) for name in names], (1, len(names)))


@builtin("inputParser", family="lang/inputs", needs=("interp",))
def inputParser(*, interp: Any) -> Any:
    """Make an object that checks and sorts the inputs of a function.

    P = inputParser. addRequired(P, NAME, CHECK), addOptional(P, NAME, DEFAULT, CHECK),
    addParameter(P, NAME, DEFAULT, CHECK) and addSwitch(P, NAME) declare inputs;
    parse(P, varargin{:}) sorts them into the structure P.Results. P.Unmatched holds unknown
    parameters where P.KeepUnmatched is true, P.UsingDefaults the names of inputs not given. The
    methods can be called as P.addRequired(NAME) too.

    Examples:
        >> p = inputParser;
        >> p.addRequired('n', @isnumeric); p.addParameter('tol', 1e-3);
        >> p.parse(5, 'tol', 0.5); p.Results
        ans =
          struct with fields:
              n: 5
            tol: 0.5000

    See also: validateattributes, validatestring, narginchk.
    """
    return InputParser(interp)


def _forward(parser: Any, name: str, args: tuple[Any, ...]) -> None:
    function = parser.method(name) if isinstance(parser, v.Value) else None
    if function is None:
        from runmat_core.api.errors import undefined_for

        raise undefined_for(name, v.class_of(parser))
    function(0, *args)


@builtin("addRequired", family="lang/inputs", nargin=(2, 3), nargout=0)
def addRequired(parser: Any, *args: Any) -> None:
    """Declare an input that must be given.

    addRequired(P, NAME, CHECK); CHECK is a function that returns false or raises an error for what
    is not allowed.

    Examples:
        >> p = inputParser; addRequired(p, 'n'); parse(p, 3); p.Results.n
        ans =
             3

    See also: inputParser, addOptional, addParameter.
    """
    _forward(parser, "addRequired", args)


@builtin("addOptional", family="lang/inputs", nargin=(3, 4), nargout=0)
def addOptional(parser: Any, *args: Any) -> None:
    """Declare an input that may be given in its place.

    addOptional(P, NAME, DEFAULT, CHECK). It may be given by its name behind, too.

    Examples:
        >> p = inputParser; addOptional(p, 'n', 7); parse(p); p.Results.n
        ans =
             7

    See also: inputParser, addRequired, addParameter.
    """
    _forward(parser, "addOptional", args)


@builtin("addParameter", "addParamValue", family="lang/inputs", nargin=(3, 6), nargout=0)
def addParameter(parser: Any, *args: Any) -> None:
    """Declare an input given after its name.

    addParameter(P, NAME, DEFAULT, CHECK). "PartialMatchPriority", N behind says which of several
    parameters that begin alike is meant: that with the lowest number.

    Examples:
        >> p = inputParser; addParameter(p, 'tol', 1); parse(p, 'tol', 2); p.Results.tol
        ans =
             2

    See also: inputParser, addOptional, addSwitch.
    """
    _forward(parser, "addParameter", args)


@builtin("addSwitch", family="lang/inputs", nargin=(2, 2), nargout=0)
def addSwitch(parser: Any, *args: Any) -> None:
    """Declare an option that is true when its name is among the inputs.

    Examples:
        >> p = inputParser; addSwitch(p, 'fast'); parse(p, 'fast'); p.Results.fast
        ans =
          logical
           1

    See also: inputParser, addParameter.
    """
    _forward(parser, "addSwitch", args)


@builtin("parse", family="lang/inputs", nargin=(1, None), nargout=0)
def parse(parser: Any, *args: Any) -> None:
    """Sort and check inputs with an inputParser.

    parse(P, varargin{:}) fills P.Results.

    Examples:
        >> p = inputParser; addOptional(p, 'n', 7); parse(p, 8); p.Results.n
        ans =
             8

    See also: inputParser.
    """
    _forward(parser, "parse", args)
