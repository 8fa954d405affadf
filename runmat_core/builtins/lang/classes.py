"""Classes that programs define: handles, events, and what is known of a class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.api.errors import undefined_for
from runmat_core.api.interp import Interp
from runmat_core.values.object import HandleObject, ObjectValue


def _called(name: str, value: Any) -> Callable[..., Any]:
    """Return the method `name` of an object.

    Raises:
        MatlabError: MATLAB:UndefinedFunction, it has none.
    """
    found = value.method(name) if isinstance(value, ObjectValue) else None
    if found is None:
        raise undefined_for(name, v.class_of(value))
    return found


@builtin("handle", family="lang/classes", nargin=(0, None))
def handle(*args: Any) -> Any:
    """The class that classes of handles inherit from.

    classdef NAME < handle begins a class whose objects are handles: copies of a variable are the
    same object, which lasts until nobody holds a handle to it, or until it is deleted. Its methods
    are delete, isvalid, addlistener and notify; == and ~= tell whether two handles are the same.

    There are no objects of handle itself. handle(obj) is a handle object as it is, and handle([])
    is empty.

    Examples:
        >> try, handle, catch e, disp(e.identifier), end
        MATLAB:class:abstract

    See also: isvalid, delete, addlistener, notify, isobject.
    """
    if len(args) == 1 and (isinstance(args[0], HandleObject) or v.numel_of(args[0]) == 0):
        return v.share(args[0])
    raise MatlabError(
        "MATLAB:class:abstract",
        "Abstract classes cannot be instantiated. Class 'handle' is declared Abstract.",
    )


@builtin("isvalid", family="lang/classes")
def isvalid(obj: Any) -> Any:
    """Which handles are of objects that have not been deleted.

    TF = isvalid(H) has the size of the array of handles H.

    Examples:
        >> t = timer; isvalid(t)
        ans =
          logical
           1

    See also: handle, delete, isobject.
    """
    return _called("isvalid", obj)(1)


@builtin("addlistener", family="lang/classes", nargin=(3, 4), nargout=1, needs=("nargout",))
def addlistener(source: Any, *args: Any, nargout: int) -> Any:
    """Call a function when an event happens.

    L = addlistener(OBJ, EVENT, CALLBACK) calls CALLBACK(OBJ, DATA) for each notify(OBJ, EVENT).
    L = addlistener(OBJ, PROPERTY, "PostSet", CALLBACK) calls it after the property, which must be
    SetObservable, was set; "PreSet" before.
    delete(L) ends that, and L.Enabled = false suspends it.

    Examples:
        >> try, addlistener(5, 'Changed', @disp); catch e, disp(e.identifier), end
        MATLAB:UndefinedFunction

    See also: notify, handle, delete.
    """
    return _called("addlistener", source)(nargout, *args)


@builtin("notify", family="lang/classes", nargin=(2, 3), nargout=0)
def notify(source: Any, event: Any, *data: Any) -> None:
    """Tell the listeners of an object that an event happened.

    notify(OBJ, EVENT) calls what listens to the event, which the class of OBJ declares in an
    events block. notify(OBJ, EVENT, DATA) hands it an object of a class that inherits from
    event.EventData.

    Examples:
        >> try, notify(5, 'Changed'), catch e, disp(e.identifier), end
        MATLAB:UndefinedFunction

    See also: addlistener, handle.
    """
    _called("notify", source)(0, event, *data)


@builtin("metaclass", family="lang/classes", needs=("interp",))
def metaclass(obj: Any, *, interp: Any) -> Any:
    """What is known of the class of an object.

    M = metaclass(OBJ) has the properties Name, Description, Abstract, Sealed, Enumeration,
    HandleCompatible, ContainingPackage, PropertyList, MethodList, EventList,
    EnumerationMemberList and SuperclassList. ?NAME is that of a class by its name.

    Examples:
        >> m = metaclass(5); m.Name
        ans =
            'double'

    See also: class, isa, properties, methods, meta.class.fromName.
    """
    # what was added to the object alone is no part of its class
    info = interp.find_class(v.class_of(obj)) or getattr(obj, "info", None)
    if info is None:
        raise undefined_for("metaclass", v.class_of(obj))
    return _meta(info)


@builtin("findprop", family="lang/classes", needs=("interp",))
def findprop(obj: Any, name: Any, *, interp: Any) -> Any:
    """What is known of a property of an object.

    P = findprop(OBJ, NAME) is an object of meta.property, empty where there is no such property.

    Examples:
        >> try, findprop(5, 'Name'), catch e, disp(e.identifier), end
        MATLAB:UndefinedFunction

    See also: metaclass, isprop, properties.
    """
    from runmat_core.values.objects.dynamic import DynamicProperty
    from runmat_core.values.objects.meta import property_named

    own = obj.method("findprop") if isinstance(obj, ObjectValue) else None
    if own is not None:
        return own(1, name)
    if getattr(obj, "info", None) is None:
        raise undefined_for("findprop", v.class_of(obj))
    given = v.text(name)
    known = interp.find_class(v.class_of(obj)) or obj.info
    if given in obj.info.properties and given not in known.properties:
        return DynamicProperty(obj.data, given)
    return property_named(obj.info, given)


@builtin(
    "meta.class.fromName",
    "matlab.metadata.Class.fromName",
    family="lang/classes",
    needs=("interp",),
)
def meta_class_from_name(name: Any, *, interp: Any) -> Any:
    """What is known of a class, by its name.

    M = meta.class.fromName(NAME) is ?NAME; empty where there is no such class.

    Examples:
        >> m = meta.class.fromName('handle'); m.Abstract
        ans =
          logical
           1

    See also: metaclass, class.
    """
    info = interp.find_class(v.text(name))
    if info is None:
        from runmat_core.values.objects.meta import without_class

        return without_class()
    return _meta(info)


def _meta(info: Any) -> Any:
    from runmat_core.values.objects.meta import MetaClass

    return MetaClass(info)


@builtin("superclasses", family="lang/classes", needs=("interp", "nargout"), nargout=1)
def superclasses(obj: Any, *, interp: Any, nargout: int) -> Any:
    """The names of the classes that a class inherits from.

    S = superclasses(OBJ) or superclasses(NAME) is a column cell array.

    Examples:
        >> superclasses('event.EventData')
        ans =
          1×1 cell array
            {'handle'}

    See also: class, isa, metaclass.
    """
    names = list(_info(obj, interp, "superclasses").ancestors)[1:]
    return v.cell([v.char(name) for name in names], (len(names), 1))


@builtin("enumeration", family="lang/classes", needs=("interp", "nargout"), nargout=2)
def enumeration(obj: Any, *, interp: Any, nargout: int) -> Any:
    """The members of an enumeration.

    M = enumeration(NAME), or of an object, is a column of all members; [M, S] = enumeration(NAME)
    gives their names too, as a cell array. Without outputs they are printed.

    Examples:
        >> try, enumeration('handle'); catch e, disp(e.identifier), end
        MATLAB:class:invalidEnumeration

    See also: metaclass, events.
    """
    from runmat_core.values.objects.making import enumeration_member

    info = _info(obj, interp, "enumeration")
    if not info.is_enumeration:
        raise MatlabError(
            "MATLAB:class:invalidEnumeration", f"Class '{info.name}' is no enumeration."
        )
    names = list(info.members)
    if not nargout:
        listed = "".join(f"    {name}\n" for name in names)
        interp.write(f"\nEnumeration members for class '{info.name}':\n\n{listed}\n")
        return None
    found = v.vertcat(*[enumeration_member(info, name) for name in names])
    if nargout == 1:
        return found
    return found, v.cell([v.char(name) for name in names], (len(names), 1))


@builtin("isenum", family="lang/classes", pending="keep")
def isenum(value: Any) -> bool:
    """Whether a value is a member of an enumeration, or an array of members.

    Examples:
        >> isenum(5)
        ans =
          logical
           0

    See also: enumeration, isobject.
    """
    info = getattr(value, "info", None)
    return isinstance(value, ObjectValue) and info is not None and info.is_enumeration


@builtin("events", family="lang/classes", needs=("interp", "nargout"), nargout=1)
def events(obj: Any, *, interp: Any, nargout: int) -> Any:
    """The events of a class.

    events(OBJ) or events(NAME) prints their names; E = events(OBJ) returns them as a column cell
    array.

    Examples:
        >> e = events('handle')
        e =
          1×1 cell array
            {'ObjectBeingDestroyed'}

    See also: notify, addlistener, properties, methods.
    """
    info = _info(obj, interp, "events")
    names = sorted(info.events)
    if nargout:
        return v.cell([v.char(name) for name in names], (len(names), 1))
    listed = "".join(f"    {name}\n" for name in names)
    interp.write(f"\nEvents for class {info.name}:\n\n{listed}\n")
    return None


def _info(obj: Any, interp: Any, function: str) -> Any:
    """Return the class of an object, or of a name."""
    info = interp.find_class(v.text(obj)) if v.is_text(obj) else getattr(obj, "info", None)
    if info is None:
        name = v.text(obj) if v.is_text(obj) else v.class_of(obj)
        raise MatlabError(f"MATLAB:{function}:classNotFound", f"The class '{name}' was not found.")
    return info


@builtin("superiorto", family="lang/classes", nargin=(1, None), nargout=0, needs=("interp",))
def superiorto(*names: Any, interp: Interp) -> None:
    """Rank a class above others.

    superiorto(NAME1, ...), in the constructor of a class without classdef, has calls and operators
    with objects of both classes use the methods of the class that is constructed.

    Examples:
        >> try, superiorto('double'), catch e, disp(e.identifier), end
        MATLAB:class:mustBeCalledFromConstructor

    See also: inferiorto, class.
    """
    interp.constructors().rank([v.text(name) for name in names], above=True)


@builtin("inferiorto", family="lang/classes", nargin=(1, None), nargout=0, needs=("interp",))
def inferiorto(*names: Any, interp: Interp) -> None:
    """Rank a class below others.

    inferiorto(NAME1, ...), in the constructor of a class without classdef, has calls and operators
    with objects of both classes use the methods of the other class.

    Examples:
        >> try, inferiorto('double'), catch e, disp(e.identifier), end
        MATLAB:class:mustBeCalledFromConstructor

    See also: superiorto, class.
    """
    interp.constructors().rank([v.text(name) for name in names], above=False)
