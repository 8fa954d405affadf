"""A linked class file to the description of its class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runmat_core.api.errors import MatlabError
from runmat_core.compiler.class_text import ClassText, MethodText, PropertyText
from runmat_core.values.objects import numbers
from runmat_core.values.objects.info import Access, ClassInfo, MethodInfo, PropertyInfo
from runmat_core.values.objects.members import CONVERSIONS

if TYPE_CHECKING:
    from runmat_core.api.interp import MatlabFunction
    from runmat_core.compiler.link import LinkedModule
    from runmat_core.session.services import ClassTable


class ClassMaker:
    """Makes the `ClassInfo` of one class file."""

    def __init__(
        self, classes: ClassTable, name: str, text: ClassText, linked: LinkedModule
    ) -> None:
        self.classes = classes
        self.name = name
        self.text = text
        self.linked = linked
        self.own = name.rpartition(".")[2]
        self._made: ClassInfo | None = None

    def made(self, files: dict[str, str]) -> ClassInfo:
        """Return the class; `files` are those of its folder by the methods that they hold."""
        supers = tuple(self.superclass(name) for name in self.text.superclasses)
        given = dict(self.text.attributes)
        methods, accessors, constructor = self.methods(files)
        properties = self.properties(accessors)
        is_handle = any(superclass.is_handle for superclass in supers)
        # deleting an object of a handle class is more than to call its method
        destructor = methods.pop("delete", None) if is_handle else None
        is_number = any(superclass.is_number for superclass in supers)
        rules = CONVERSIONS if self.text.is_enumeration else {}
        for name, rule in {**rules, **(numbers.CONVERSIONS if is_number else {})}.items():
            methods.setdefault(name, MethodInfo(name=name, owner=self.name, fn=rule))
        inherited = self.inherit(supers, properties, methods)
        lower = given.get("InferiorClasses")
        if isinstance(lower, tuple):
            self.classes.structured.ranks |= {(self.name, other) for other in lower}
        events = dict.fromkeys(self.text.events, self.name)
        for superclass in supers:
            events = {**superclass.events, **events}
        self._made = ClassInfo(
            name=self.name,
            file=self.linked.scope.file,
            help=self.text.help,
            host=self.classes,
            superclasses=supers,
            properties=properties,
            methods=inherited,
            events=events,
            members={m.name: self.function(m.arguments) for m in self.text.members},
            constructor=constructor,
            destructor=None if destructor is None else destructor.fn,
            is_handle=is_handle,
            is_abstract=given.get("Abstract") is True,
            is_sealed=given.get("Sealed") is True,
            is_number=is_number,
            is_enumeration=self.text.is_enumeration or any(s.is_enumeration for s in supers),
            attributes=self.attributes(given),
        )
        return self._made

    def attributes(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return the attributes of the class, with functions for those that are computed."""
        key = given.get("SharedTestFixtures")
        return {**given, "SharedTestFixtures": self.function(key)} if key else given

    def function(self, key: str | None) -> MatlabFunction | None:
        """Return the function of a code object, described for reports."""
        if key is None:
            return None
        function: MatlabFunction = self.linked.namespace[key]
        function.__matlab__ = self.linked.infos[key]  # type: ignore[attr-defined]
        return function

    # -- superclasses ------------------------------------------------------------------------------

    def superclass(self, name: str) -> ClassInfo:
        found = self.classes.find_class(name)
        if found is None:
            raise MatlabError(
                "MATLAB:class:InvalidSuperClass",
                f"The specified superclass '{name}' contains a parse error, cannot be found on "
                "MATLAB's search path, or is shadowed by another file with the same name.",
            )
        if found.is_sealed:
            raise MatlabError(
                "MATLAB:class:sealedSuperclass",
                f"Class '{found.name}' is Sealed and may not be used as a superclass.",
            )
        return found

    def inherit(
        self,
        supers: tuple[ClassInfo, ...],
        properties: dict[str, PropertyInfo],
        methods: dict[str, MethodInfo],
    ) -> dict[str, MethodInfo]:
        """Add what superclasses have; the methods with them.

        What is defined wins over what is Abstract, a method over the one that it overrides in a
        class that several superclasses have in common, and the class's own over all.
        """
        found = dict(methods)
        for superclass in supers:
            for name, prop in superclass.properties.items():
                known = properties.get(name)
                if known is None or (known.abstract and not prop.abstract):
                    properties[name] = prop
            for name, method in superclass.methods.items():
                if name == self.own:
                    continue  # what converts to this class; of its own objects it is constructed
                if name in methods and method.sealed:
                    raise MatlabError(
                        "MATLAB:class:sealedMethod",
                        f"Method '{name}' of superclass '{superclass.name}' is Sealed and cannot "
                        f"be overridden in class '{self.name}'.",
                    )
                inherited = found.get(name)
                if inherited is None or (
                    method.fn is not None
                    and (inherited.fn is None or _overrides(method, inherited, superclass))
                ):
                    found[name] = method
        return found

    # -- properties --------------------------------------------------------------------------------

    def properties(self, accessors: dict[str, MatlabFunction]) -> dict[str, PropertyInfo]:
        found: dict[str, PropertyInfo] = {}
        for text in self.text.properties:
            if text.name in found:
                raise MatlabError(
                    "MATLAB:class:DuplicateProperty",
                    f"The property '{text.name}' is defined twice in class '{self.name}'.",
                )
            found[text.name] = self.property(text, accessors)
        for name in accessors:
            if name.partition(".")[2] not in found:
                raise MatlabError(
                    "MATLAB:class:accessorWithoutProperty",
                    f"Cannot define the method '{name}' in class '{self.name}': the class has no "
                    f"property '{name.partition('.')[2]}'.",
                )
        return found

    def property(self, text: PropertyText, accessors: dict[str, MatlabFunction]) -> PropertyInfo:
        given = dict(text.attributes)
        read, write = _access(given, "GetAccess"), _access(given, "SetAccess")
        constant = given.get("Constant") is True
        return PropertyInfo(
            name=text.name,
            owner=self.name,
            get_access=read,
            set_access=write,
            constant=constant,
            dependent=given.get("Dependent") is True,
            abstract=given.get("Abstract") is True,
            hidden=given.get("Hidden") is True,
            transient=given.get("Transient") is True,
            copied=given.get("NonCopyable") is not True,
            observable=given.get("SetObservable") is True,
            abort_set=given.get("AbortSet") is True,
            default=self.function(text.default),
            validator=self.function(text.validator),
            getter=accessors.get(f"get.{text.name}"),
            setter=accessors.get(f"set.{text.name}"),
            class_name=text.class_name,
            size=text.size,
            attributes=given,
        )

    # -- methods -----------------------------------------------------------------------------------

    def methods(
        self, files: dict[str, str]
    ) -> tuple[dict[str, MethodInfo], dict[str, MatlabFunction], MatlabFunction | None]:
        """Return the methods, the accessors of properties, and the constructor."""
        found: dict[str, MethodInfo] = {}
        accessors: dict[str, MatlabFunction] = {}
        constructor = None
        for text in self.text.methods:
            function = self.function(text.key)
            if text.name == self.own:
                constructor = function
            elif text.name.startswith(("get.", "set.")) and function is not None:
                accessors[text.name] = function
            else:
                if function is None and text.name in files:
                    function = self.from_file(files[text.name])
                found[text.name] = self.method(text, function)
        for name, file in files.items():
            if name != self.own and name not in found:
                function = self.from_file(file)
                found[name] = MethodInfo(name=name, owner=self.name, fn=function)
        return found, accessors, constructor

    def method(self, text: MethodText, function: MatlabFunction | None) -> MethodInfo:
        given = dict(text.attributes)
        return MethodInfo(
            name=text.name,
            owner=self.name,
            fn=function,
            static=given.get("Static") is True,
            abstract=given.get("Abstract") is True,
            sealed=given.get("Sealed") is True,
            hidden=given.get("Hidden") is True,
            access=_access(given, "Access"),
            outputs=text.outputs,
            attributes=given,
        )

    def from_file(self, file: str) -> MatlabFunction:
        """Return a method in a file of its own, which is read with its first call."""

        def method(nargout: int, *args: Any) -> Any:
            assert self._made is not None
            return self.classes.method_file(file, self._made)(nargout, *args)

        return method


def _overrides(method: MethodInfo, other: MethodInfo, superclass: ClassInfo) -> bool:
    """Whether `method`, which `superclass` has, overrides `other` of one of its ancestors."""
    owner = superclass.ancestors.get(method.owner)
    return owner is not None and owner.name != other.owner and owner.is_a(other.owner)


def _access(given: dict[str, Any], kind: str) -> Access:
    """Who may use a member of a block: what `kind` says, else what ``Access`` does."""
    access = given.get(kind, given.get("Access", "public"))
    return access if isinstance(access, tuple) else str(access).lower()
