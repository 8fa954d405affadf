"""What a class file says of its class, on its way from the compiler to the session."""

from __future__ import annotations

from typing import Any

import attrs

#: Attributes of a block of a class: name and true, false, a word, or names of classes.
Attributes = tuple[tuple[str, Any], ...]


@attrs.frozen(kw_only=True)
class PropertyText:
    """A property: the names of what computes its default value and checks its values."""

    name: str
    attributes: Attributes
    default: str | None
    validator: str | None
    class_name: str
    size: tuple[int | None, ...] | None


@attrs.frozen(kw_only=True)
class MethodText:
    """A method; `key` is None where only its signature stands in the class file."""

    name: str
    attributes: Attributes
    key: str | None
    outputs: int


@attrs.frozen(kw_only=True)
class MemberText:
    """An enumeration member and the name of what computes its arguments."""

    name: str
    arguments: str | None


@attrs.frozen(kw_only=True)
class ClassText:
    """A class as its file says; names of code objects stand for what is to be computed."""

    name: str
    line: int
    help: str
    superclasses: tuple[str, ...]
    attributes: Attributes
    properties: tuple[PropertyText, ...]
    methods: tuple[MethodText, ...]
    events: tuple[str, ...]
    members: tuple[MemberText, ...]
    is_enumeration: bool


def class_text_of(plain: tuple[Any, ...]) -> ClassText:
    """Return a description of a class from the plain values that `plain_of` gives."""
    name, line, text, above, given, properties, methods, events, members, is_enumeration = plain
    return ClassText(
        name=name,
        line=line,
        help=text,
        superclasses=above,
        attributes=given,
        properties=tuple(PropertyText(**dict(one)) for one in properties),
        methods=tuple(MethodText(**dict(one)) for one in methods),
        events=events,
        members=tuple(MemberText(**dict(one)) for one in members),
        is_enumeration=is_enumeration,
    )


def plain_of(text: ClassText) -> tuple[Any, ...]:
    """Return the description of a class as plain values, which the code cache keeps."""

    def pairs(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(tuple(attrs.asdict(item, recurse=False).items()) for item in items)

    return (
        *(text.name, text.line, text.help, text.superclasses, text.attributes),
        *(pairs(text.properties), pairs(text.methods), text.events, pairs(text.members)),
        text.is_enumeration,
    )
