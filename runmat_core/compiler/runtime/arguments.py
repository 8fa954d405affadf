"""What ``arguments`` blocks check on entry."""

from __future__ import annotations

from typing import Any

from runmat_core import values
from runmat_core.api.errors import MatlabError
from runmat_core.compiler.frames import UNSET
from runmat_core.values import DTYPE, FLOAT_CLASSES, NUMERIC_CLASSES, share
from runmat_core.values.deferred import Deferred, stored
from runmat_core.values.object import ObjectValue

Size = tuple[int | None, ...] | None


def invalid_argument(error: MatlabError, label: int | str) -> MatlabError:
    """Return a validator's error with the place of the argument it is about."""
    return MatlabError(
        error.identifier or "MATLAB:functionValidation", f"{_place(label)} {error.message}"
    )


def _place(label: int | str) -> str:
    if isinstance(label, int):
        return f"Invalid argument at position {label}."
    if label.startswith("property "):
        return f"Error setting {label}."
    return f"Invalid value for '{label}' argument."


def convert_argument(value: Any, label: int | str, size: Size, class_name: str | None) -> Any:
    """`value` as the declared class and size.

    Raises:
        MatlabError: it cannot be converted, or its size cannot be made to fit.
    """
    if value.__class__ is Deferred and value.shape == (1, 1):
        value = value.settle()
    if class_name is not None and not _is_a(value, class_name):
        value = _convert(value, class_name, label)
    if size is not None:
        value = _resize(value, size, label)
    return value


def _is_a(value: Any, class_name: str) -> bool:
    actual = values.class_of(value)
    if class_name == actual or (isinstance(value, ObjectValue) and value.is_a(class_name)):
        return True
    if class_name == "numeric":
        return actual in NUMERIC_CLASSES
    if class_name == "float":
        return actual in FLOAT_CLASSES
    return class_name == "any"


_CONVERTIBLE = {
    **{name: {*DTYPE, "char"} for name in DTYPE},
    "char": NUMERIC_CLASSES | {"string", "char"},
    "string": {*DTYPE, "char", "cell"},
    "cell": {"string"},
}


def _convert(value: Any, class_name: str, label: int | str) -> Any:
    actual = values.class_of(value)
    if actual in _CONVERTIBLE.get(class_name, ()):
        return _converted(value, actual, class_name)
    raise MatlabError(
        "MATLAB:validation:UnableToConvert",
        f"{_place(label)} Value must be of type {class_name} or be convertible to {class_name}.",
    )


def _converted(value: Any, actual: str, class_name: str) -> Any:
    if class_name == "char":
        return values.char(values.text(value)) if actual == "string" else _char_of(value)
    if class_name == "string":
        return _string_of(value, actual)
    if class_name == "cell":
        return values.cell([values.char(text) for text in values.texts(value)], value.shape)
    return values.cast(value, class_name)


def _char_of(value: Any) -> Any:
    codes = values.to_double(value).ravel(order="F")
    return values.char("".join(chr(int(code)) for code in codes))


def _string_of(value: Any, actual: str) -> Any:
    if actual == "char":
        return values.string(values.text(value))
    if actual == "cell":
        strings = [values.string(text) for text in values.texts(value)]
        return values.horzcat(*strings) if value.shape[0] == 1 else values.vertcat(*strings)
    if actual == "logical":
        return values.string("true" if values.truth(value) else "false")
    return values.plus(values.string(""), value)


def _resize(value: Any, size: tuple[int | None, ...], label: int | str) -> Any:
    actual = values.size_of(value)
    if _fits(actual, size):
        return value
    if values.numel_of(value) == 1:
        if all(extent is not None for extent in size):
            copies = values.from_numpy(_ones(size))
            return values.index(value, (copies,))
        return value
    if len(size) == 2 and len(actual) == 2 and 1 in actual and _fits(actual[::-1], size):
        return values.transpose(value)
    if actual == (0, 0) and size in ((1, None), (None, 1)):
        return values.index(value, (values.from_numpy(_ones(size)),))
    wanted = "×".join(":" if extent is None else str(extent) for extent in size)
    given = "×".join(map(str, actual))
    raise MatlabError(
        "MATLAB:validation:IncompatibleSize",
        f"{_place(label)} Value must be of size {wanted} but was of size {given}.",
    )


def _ones(size: tuple[int | None, ...]) -> Any:
    import numpy as np

    return np.ones([extent or 0 for extent in size], order="F")


def _fits(actual: tuple[int, ...], size: tuple[int | None, ...]) -> bool:
    rank = max(len(actual), len(size))
    padded = (*actual, *(1,) * (rank - len(actual)))
    wanted = (*size, *(1,) * (rank - len(size)))
    return all(w is None or w == a for w, a in zip(wanted, padded, strict=True))


# -- name-value and repeating arguments -----------------------------------------------------------


def name_values(rest: tuple[Any, ...], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the name-value arguments by their declared names.

    A unique beginning of a name will do.
    """
    if len(rest) % 2:
        if not values.is_text(rest[-1]):
            raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
        raise MatlabError(
            "MATLAB:functionValidation:NameMustBeFollowedByValue",
            f"Invalid argument list. Expected a value after '{values.text(rest[-1])}'.",
        )
    pairs: dict[str, Any] = {}
    for name, value in zip(rest[::2], rest[1::2], strict=True):
        if not values.is_text(name):
            raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
        pairs[_full_name(values.text(name), names)] = share(stored(value))
    return pairs


def _full_name(given: str, names: tuple[str, ...]) -> str:
    if given in names:
        return given
    matches = [name for name in names if name.lower().startswith(given.lower())]
    if len(matches) == 1:
        return matches[0]
    known = ", ".join(f"'{name}'" for name in names)
    raise MatlabError(
        "MATLAB:TooManyInputs",
        f"'{given}' is not a recognized parameter. Valid name-value arguments are {known}.",
    )


def past_optional(
    given: tuple[Any, ...], rest: tuple[Any, ...], first: int, names: tuple[str, ...]
) -> tuple[Any, ...]:
    """Return the inputs and what follows them: from a name in an optional place on, the rest."""
    known = {name.lower() for name in names}
    for place in range(first, len(given)):
        value = given[place]
        if value is UNSET:
            break
        left = len([v for v in given[place:] if v is not UNSET]) + len(rest)
        if left % 2 == 0 and values.is_text(value) and values.text(value).lower() in known:
            moved = tuple(v for v in given[place:] if v is not UNSET)
            return (*given[:place], *(UNSET,) * (len(given) - place), (*moved, *rest))
    return (*given, rest)


def option_names(names: tuple[str, ...], *classes: Any) -> tuple[str, ...]:
    """Return names of name-value arguments, with those of the settable properties of classes."""
    settable = [p.name for c in classes for p in c.data.properties.values() if _is_settable(p)]
    return (*names, *(name for name in settable if name not in names))


def _is_settable(prop: Any) -> bool:
    return prop.set_access == "public" and not prop.constant


def put_properties(structure: Any, pairs: dict[str, Any], known: tuple[str, ...], of: Any) -> Any:
    """Add the arguments that are properties of a class to a structure, as the class takes them."""
    from runmat_core.values.objects.making import converted

    for name, prop in of.data.properties.items():
        if name not in pairs or name in known or not _is_settable(prop):
            continue
        try:
            value = converted(of.data, prop, pairs[name])
            if prop.validator is not None:
                value = prop.validator(1, value)
        except MatlabError as error:
            said = error.message.partition(f"of class '{prop.owner}'. ")[2] or error.message
            raise invalid_argument(MatlabError(error.identifier, said), name) from None
        structure = structure.set_field(name, value)
    return structure


def take_option(pairs: dict[str, Any], name: str) -> Any:
    """Return the value given for a name-value argument, UNSET where none was."""
    return pairs.get(name, UNSET)


def repeated(rest: tuple[Any, ...], place: int, count: int) -> Any:
    """Return the cell row of the arguments at one place of each group of `count`."""
    if len(rest) % count:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    items = [share(stored(item)) for item in rest[place::count]]
    return values.cell(items, (1, len(items)))


def convert_each(cell: Any, size: Size, class_name: str | None) -> Any:
    items = [
        convert_argument(item, position, size, class_name)
        for position, item in enumerate(cell.items(), 1)
    ]
    return values.cell(items, (1, len(items)))


def numbered_items(cell: Any) -> list[tuple[int, Any]]:
    """Return the values of a repeating input, each with its position among them."""
    return [(position, share(item)) for position, item in enumerate(cell.items(), 1)]


def empty_struct() -> Any:
    return values.struct({})


HELPERS = {
    "invalid_argument": invalid_argument,
    "convert_argument": convert_argument,
    "name_values": name_values,
    "past_optional": past_optional,
    "option_names": option_names,
    "put_properties": put_properties,
    "take_option": take_option,
    "repeated": repeated,
    "convert_each": convert_each,
    "numbered_items": numbered_items,
    "empty_struct": empty_struct,
}
