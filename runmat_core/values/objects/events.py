"""Events of handle objects, and listeners to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import ref

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.base import share
from runmat_core.values.cell import empty_double
from runmat_core.values.char import CharArray
from runmat_core.values.equality import isequal
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.objects.info import ClassInfo, PropertyInfo
from runmat_core.values.objects.making import blank, of_record
from runmat_core.values.objects.records import HandleRecord, invalid_handle
from runmat_core.values.text import is_text, text

if TYPE_CHECKING:
    from runmat_core.values.objects.instance import Instance

#: Events of properties, which a listener names after the property.
PROPERTY_EVENTS = ("PreGet", "PostGet", "PreSet", "PostSet")
LISTENER = "event.listener"
PROPERTY_LISTENER = "event.proplistener"
DATA = "event.EventData"
PROPERTY_DATA = "event.PropertyEvent"


def add_listener(nargout: int, source: Any, *args: Any) -> Any:
    """``addlistener(obj, event, callback)`` and ``addlistener(obj, property, event, callback)``."""
    if len(args) not in (2, 3):
        raise errors.not_enough_inputs() if len(args) < 2 else errors.too_many_inputs()
    callback = args[-1]
    if not isinstance(callback, FunctionHandle):
        raise MatlabError(
            "MATLAB:class:InvalidListenerCallback", "The callback must be a function handle."
        )
    event = _event(source.info, args[:-1])
    made = None
    for record in source.records():
        if not record.is_valid:
            raise invalid_handle()
        made = blank(_class(source.info, LISTENER if len(args) == 2 else PROPERTY_LISTENER))
        made.data.update(EventName=CharArray(event.rpartition(":")[2]), Callback=callback)
        made.data["(event)"] = event
        # the object holds its listeners, and goes when nobody else holds it
        made.data["(source)"] = ref(record)
        record.listeners.append(made.data)
    return made


def source_of(nargout: int, listener: Any) -> Any:
    """Return the object that a listener listens to; ``[]`` where it is gone."""
    held = listener.data.get("(source)")
    record = None if held is None else held()
    return empty_double() if record is None else of_record(record)


def _event(info: ClassInfo, names: Any) -> str:
    """Return the event that a listener is for: its name, or ``property:PostSet``."""
    if not all(is_text(name) for name in names):
        raise MatlabError("MATLAB:class:InvalidEventName", "Names of events must be text.")
    if len(names) == 1:
        name = text(names[0])
        if name not in info.events:
            raise unknown_event(name, info)
        return name
    prop, event = map(text, names)
    if prop not in info.properties or event not in PROPERTY_EVENTS:
        raise unknown_event(f"{prop}.{event}", info)
    if not info.properties[prop].observable:
        raise MatlabError(
            "MATLAB:class:nonSetObservableProp",
            f"While adding a {event} listener, property '{prop}' in class '{info.name}' is not "
            "defined to be SetObservable.",
        )
    return f"{prop}:{event}"


def unknown_event(name: str, info: ClassInfo) -> MatlabError:
    return MatlabError(
        "MATLAB:class:InvalidEvent", f"Event '{name}' is not defined for class '{info.name}'."
    )


def notify(nargout: int, source: Any, *args: Any) -> None:
    """``notify(obj, event, data)``: call the listeners, the one added last first."""
    if not args:
        raise errors.not_enough_inputs()
    name = text(args[0])
    if name not in source.info.events:
        raise unknown_event(name, source.info)
    for record in source.records():
        if not record.is_valid:
            raise invalid_handle()
        if not record.listeners:
            continue
        data = args[1] if len(args) > 1 else blank(_class(source.info, DATA))
        data.data.update(Source=of_record(record), EventName=CharArray(name))
        tell(record, name, data)


def tell(record: HandleRecord, event: str, data: Any) -> None:
    """Call what listens to an event of an object."""
    for listener in reversed(record.listeners.copy()):
        if not listener.is_valid:
            record.listeners.remove(listener)
        elif listener["(event)"] == event and _is_enabled(listener):
            listener["Callback"].fn(0, of_record(record), data)


def _is_enabled(listener: HandleRecord) -> bool:
    from runmat_core.values.indexing import truth

    return truth(listener["Enabled"])


def observed(obj: Instance, prop: PropertyInfo, rhs: Any) -> None:
    """Store the value of an observable property, and tell before and after."""
    record = obj.data
    if prop.abort_set and isequal(record[prop.name], rhs):
        return
    for event in ("PreSet", "PostSet"):
        if event == "PostSet":
            record[prop.name] = share(rhs)
        name = f"{prop.name}:{event}"
        if not any(listener.get("(event)") == name for listener in record.listeners):
            continue
        source = blank(_class(obj.info, "meta.property"))
        source.data.update(Name=CharArray(prop.name))
        data = blank(_class(obj.info, PROPERTY_DATA))
        data.data.update(
            Source=source, EventName=CharArray(event), AffectedObject=of_record(record)
        )
        _tell_property(record, name, source, data)


def _tell_property(record: HandleRecord, event: str, source: Any, data: Any) -> None:
    for listener in reversed(record.listeners.copy()):
        if listener.is_valid and listener["(event)"] == event and _is_enabled(listener):
            listener["Callback"].fn(0, source, data)


def _class(info: ClassInfo, name: str) -> ClassInfo:
    found = info.host.find_class(name)
    assert found is not None
    return found
