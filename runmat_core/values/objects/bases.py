"""The classes that MATLAB itself offers to inherit from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import MatlabFunction
from runmat_core.values.array import from_numpy
from runmat_core.values.base import share
from runmat_core.values.cell import object_array
from runmat_core.values.char import CharArray
from runmat_core.values.objects import events, making
from runmat_core.values.objects.info import ClassHost, ClassInfo, MethodInfo, PropertyInfo
from runmat_core.values.objects.records import invalid_handle
from runmat_core.values.text import text

Method = Callable[..., Any]


def delete(nargout: int, obj: Any) -> None:
    """``delete(obj)``: run the destructors, and leave handles to a deleted object."""
    for record in obj.records():
        if record.is_valid:
            record.info.host.destroy(record.info, record)


def isvalid(nargout: int, obj: Any) -> Any:
    """Which handles are of objects that have not been deleted."""
    flags = [record.is_valid for record in obj.records()]
    return from_numpy(np.array(flags, bool).reshape(obj.shape, order="F"))


def copy(nargout: int, obj: Any) -> Any:
    """``copy(obj)`` of `matlab.mixin.Copyable`: what ``copyElement`` makes of each object."""
    copies = []
    for record in obj.records():
        if not record.is_valid:
            raise invalid_handle()
        element = making.of_record(record)
        method = record.info.methods["copyElement"].fn
        assert method is not None
        copies.append(method(1, element).data)
    return obj.with_data(object_array(copies, obj.shape))


def copy_element(nargout: int, obj: Any) -> Any:
    return making.copied(obj)


def get(nargout: int, obj: Any, *names: Any) -> Any:
    """``get(obj, name)`` of `matlab.mixin.SetGet`."""
    if names:
        return obj.field(_property_name(obj, text(names[0])))
    from runmat_core.values.struct import StructArray

    return StructArray({name: obj.field(name) for name in obj.info.shown})


def set_(nargout: int, obj: Any, *pairs: Any) -> None:
    """``set(obj, name, value, ...)`` of `matlab.mixin.SetGet`."""
    if len(pairs) % 2:
        raise MatlabError("MATLAB:class:InvalidArgument", "Each name must be followed by a value.")
    for record in obj.records():
        element = making.of_record(record)
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            element.set_field(_property_name(obj, text(name)), share(value))


def _property_name(obj: Any, given: str) -> str:
    """Return the property that a name means, whatever its case."""
    same = [name for name in obj.info.properties if name.lower() == given.lower()]
    return given if given in same or not same else same[0]


def add_property(nargout: int, obj: Any, name: Any) -> Any:
    """``addprop(obj, name)`` of `dynamicprops`."""
    from runmat_core.values.objects.dynamic import add_property

    return add_property(nargout, obj, name)


_METHODS: dict[str, dict[str, tuple[Method, int]]] = {
    "handle": {
        "addlistener": (events.add_listener, 1),
        "delete": (delete, 0),
        "isvalid": (isvalid, 1),
        "listener": (events.add_listener, 1),
        "notify": (events.notify, 0),
    },
    "dynamicprops": {"addprop": (add_property, 1)},
    "matlab.mixin.Copyable": {"copy": (copy, 1), "copyElement": (copy_element, 1)},
    "matlab.mixin.SetGet": {"get": (get, 1), "set": (set_, 0)},
}
_HANDLES = {
    "handle": (),
    "matlab.mixin.Copyable": ("handle",),
    "matlab.mixin.SetGet": ("handle",),
    "matlab.mixin.SetGetExactNames": ("matlab.mixin.SetGet",),
    "hgsetget": ("matlab.mixin.SetGet",),
    "dynamicprops": ("handle",),
    "event.EventData": ("handle",),
    "event.PropertyEvent": ("event.EventData",),
    "event.listener": ("handle",),
    "event.proplistener": ("event.listener",),
    "meta.property": ("handle",),
}
_VALUES = ("matlab.mixin.Heterogeneous", "matlab.mixin.CustomDisplay", "matlab.mixin.Scalar")
_PROPERTIES: dict[str, tuple[str, ...]] = {
    "event.EventData": ("Source", "EventName"),
    "event.PropertyEvent": ("AffectedObject",),
    "event.listener": ("Source", "EventName", "Callback", "Enabled", "Recursive"),
    "meta.property": ("Name",),
}
_DEFAULTS: dict[str, Callable[[], Any]] = {
    "Enabled": lambda: True,
    "Recursive": lambda: False,
    "EventName": lambda: CharArray(""),
    "Name": lambda: CharArray(""),
}
#: Classes of which there are objects of their own.
_CONCRETE = frozenset(
    {"event.EventData", "event.PropertyEvent", "event.listener", "event.proplistener"}
    | {"meta.property"}
)
_EVENTS = {"ObjectBeingDestroyed": "handle"}
_PROTECTED = frozenset({"copyElement"})


def base_class(name: str, host: ClassHost) -> ClassInfo | None:
    """Return the class `name` of MATLAB's own that others inherit from, or None."""
    if name not in _HANDLES and name not in _VALUES:
        return None
    supers = []
    for above in _HANDLES.get(name, ()):
        found = host.find_class(above)
        assert found is not None
        supers.append(found)
    properties = {p: _property(p, name) for p in _PROPERTIES.get(name, ())}
    methods = {m: _method(m, name, *rule) for m, rule in _METHODS.get(name, {}).items()}
    known: dict[str, str] = dict(_EVENTS) if name in _HANDLES else {}
    for superclass in supers:
        properties |= {k: p for k, p in superclass.properties.items() if k not in properties}
        methods |= {k: m for k, m in superclass.methods.items() if k not in methods}
    return ClassInfo(
        name=name,
        host=host,
        superclasses=tuple(supers),
        properties=properties,
        methods=methods,
        events=known,
        is_handle=name in _HANDLES,
        is_abstract=name not in _CONCRETE,
    )


def _property(name: str, owner: str) -> PropertyInfo:
    made = _DEFAULTS.get(name)
    default: MatlabFunction | None = None
    if made is not None:
        default = lambda nargout, make=made: make()  # noqa: E731
    if (name, owner) == ("Source", events.LISTENER):
        return PropertyInfo(name=name, owner=owner, dependent=True, getter=events.source_of)
    return PropertyInfo(name=name, owner=owner, default=default)


def _method(name: str, owner: str, fn: Method, outputs: int) -> MethodInfo:
    access = "protected" if name in _PROTECTED else "public"
    return MethodInfo(name=name, owner=owner, fn=fn, outputs=outputs, access=access)
