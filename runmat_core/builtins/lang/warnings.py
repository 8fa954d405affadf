"""Warnings: their states, the builtin that issues and controls them, and lastwarn."""

from __future__ import annotations

from typing import Any, Literal

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.builtins.lang.errors import is_identifier, message_of

State = Literal["on", "off", "error"]

_KEY = "lang.warnings"
_STATES: dict[str, State] = {"on": "on", "off": "off", "error": "error"}
#: Modes that share the syntax of identifiers, with their states at the start.
_MODES: dict[str, State] = {"backtrace": "on", "verbose": "off"}


class WarningStates:
    """Which warnings are shown, hidden or errors; and the last one issued."""

    def __init__(self) -> None:
        self.all: State = "on"
        self.by_identifier: dict[str, State] = {}
        self.modes: dict[str, State] = dict(_MODES)
        self.last_message = ""
        self.last_identifier = ""
        #: identifiers of what is issued, while somebody wants to know
        self.heard: list[str] | None = None

    def of(self, identifier: str) -> State:
        return self.by_identifier.get(identifier, self.all)

    def set(self, identifier: str, state: State) -> None:
        if identifier in self.modes:
            self.modes[identifier] = state
        elif identifier == "all":
            self.all = state
            self.by_identifier.clear()
        else:
            self.by_identifier[identifier] = state

    def query(self, identifier: str) -> State:
        if identifier in self.modes:
            return self.modes[identifier]
        return self.all if identifier == "all" else self.of(identifier)

    def listing(self) -> list[tuple[str, State]]:
        return [("all", self.all), *sorted(self.by_identifier.items())]


def states(interp: Any) -> WarningStates:
    """Return the session's warning states."""
    found: WarningStates = interp.state(_KEY, WarningStates)
    return found


def issue(interp: Any, identifier: str, message: str) -> None:
    """Issue a warning: remember it, and print it with the calls that led there if it is on.

    Raises:
        MatlabError: the state of the warning is ``error``.
    """
    warnings = states(interp)
    state = warnings.of(identifier)
    if state == "error":
        raise MatlabError(identifier, message)
    warnings.last_message, warnings.last_identifier = message, identifier
    if warnings.heard is not None:
        warnings.heard.append(identifier)
    if state == "off":
        return
    lines = [f"Warning: {message} "]
    if warnings.modes["backtrace"] == "on":
        for depth, frame in enumerate(interp.stack()):
            lines.append(f"{'  ' if depth else '> '}In {frame.label} (line {frame.line})")
    if warnings.modes["verbose"] == "on" and identifier:
        lines.append(f'(Type "warning off {identifier}" to suppress this warning.)')
    interp.write_error("\n".join(lines) + "\n")


@builtin("warning", family="lang/warnings", nargin=(0, None), needs=("nargout", "interp"))
def warning(*args: Any, nargout: int, interp: Any) -> Any:
    """Issue a warning, or control which warnings are shown.

    warning(MSG), warning(MSG, A, ...) and warning(ID, MSG, A, ...) issue one; with more than one
    argument MSG is a format as for sprintf. warning('off', ID), warning('on', ID) and
    warning('error', ID) hide a warning, show it, or make it an error; ID may be 'all'.
    S = warning('off', ID) returns the state before as a structure that warning(S) restores.
    warning('query', ID) asks. 'backtrace' and 'verbose' can stand in place of ID.

    Examples:
        >> s = warning('off', 'demo:loud');
        >> warning('demo:loud', 'nobody sees this')
        >> warning(s)
        >> [msg, id] = lastwarn
        msg =
            'nobody sees this'
        id =
            'demo:loud'

    See also: lastwarn, error.
    """
    warnings = states(interp)
    if not args:
        return _listing(warnings, nargout, interp)
    first = args[0]
    if v.class_of(first) == "struct":
        return _restore(warnings, first, nargout)
    if v.class_of(first) == "MException":
        issue(interp, first.error.identifier, first.error.message)
        return None
    word = v.text(first).lower() if v.is_text(first) else ""
    if word == "query":
        return _query(warnings, args[1:], nargout, interp)
    if word in (*_STATES, "default") and _is_control(args[1:]):
        identifier = v.text(args[1]) if len(args) > 1 else "all"
        before = _snapshot(warnings, identifier)
        warnings.set(identifier, _STATES.get(word, "on"))
        return before if nargout else None
    identifier, message = message_of(args, "warning")
    if message:
        issue(interp, identifier, message)
    return None


def _is_control(args: tuple[Any, ...]) -> bool:
    """Whether what follows ``on`` or ``off`` makes it a command rather than a message."""
    if not args:
        return True
    if not v.is_text(args[0]):
        return False
    name = v.text(args[0])
    return name in ("all", *_MODES) or is_identifier(name) or ":" not in name


def _listing(warnings: WarningStates, nargout: int, interp: Any) -> Any:
    if nargout:
        return _struct(warnings.listing())
    rows = [(state, name) for name, state in warnings.listing()]
    interp.write(f"The default warning state is '{rows[0][0]}'.")
    if len(rows) > 1:
        interp.write(" Warnings not set to the default are\n\n")
        interp.write(f"{'State':>9}  Warning Identifier\n\n")
        for state, name in rows[1:]:
            interp.write(f"{state:>9}  {name}\n")
    interp.write("\n")
    return None


def _query(warnings: WarningStates, args: tuple[Any, ...], nargout: int, interp: Any) -> Any:
    identifier = v.text(args[0]) if args else "all"
    if identifier == "last":
        identifier = warnings.last_identifier
    if nargout:
        return _snapshot(warnings, identifier)
    interp.write(f"The state of warning '{identifier}' is '{warnings.query(identifier)}'.\n")
    return None


def _snapshot(warnings: WarningStates, identifier: str) -> Any:
    if identifier == "all":
        return _struct(warnings.listing())
    return _struct([(identifier, warnings.query(identifier))])


def _struct(listing: list[tuple[str, State]]) -> Any:
    entries = [
        v.struct({"identifier": v.char(name), "state": v.char(state)}) for name, state in listing
    ]
    return v.vertcat(*entries) if len(entries) > 1 else entries[0]


def _restore(warnings: WarningStates, saved: Any, nargout: int) -> Any:
    if not {"identifier", "state"} <= set(saved.field_names()):
        raise MatlabError(
            "MATLAB:warning:invalidStruct",
            "The structure must have the fields 'identifier' and 'state'.",
        )
    before = _struct(warnings.listing())
    for k in range(v.numel_of(saved)):
        entry = v.index(saved, (float(k + 1),))
        word = v.text(v.field(entry, "state"))
        state = _STATES.get(word)
        if state is None:
            raise MatlabError("MATLAB:warning:invalidState", f"Unknown warning state '{word}'.")
        warnings.set(v.text(v.field(entry, "identifier")), state)
    return before if nargout else None


@builtin("lastwarn", family="lang/warnings", nargin=(0, 2), nargout=2, needs=("nargout", "interp"))
def lastwarn(message: Any = None, identifier: Any = None, *, nargout: int, interp: Any) -> Any:
    """The last warning's message and identifier, whether it was shown or not.

    [MSG, ID] = lastwarn; lastwarn(MSG, ID) sets them and lastwarn('') clears them.

    Examples:
        >> lastwarn('text', 'a:b');
        >> [~, id] = lastwarn
        id =
            'a:b'

    See also: warning, lasterr.
    """
    warnings = states(interp)
    before = v.char(warnings.last_message), v.char(warnings.last_identifier)
    if message is not None:
        warnings.last_message = v.text(message)
        warnings.last_identifier = v.text(identifier) if identifier is not None else ""
        if nargout == 0:
            return None
    return before if nargout > 1 else before[0]
