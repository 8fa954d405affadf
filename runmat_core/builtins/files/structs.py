"""readstruct and writestruct: structs in XML and JSON files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.dom import Node
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.json import encode_json, json_error
from runmat_core.builtins.files.table import resolve_path
from runmat_core.builtins.files.xml import content_of, parse_xml
from runmat_core.builtins.files.xml_nodes import text_of
from runmat_core.builtins.named import choice
from runmat_core.builtins.text.convert import parse_double, valid_name
from runmat_core.builtins.text.support import maybe_text, option_pairs
from runmat_core.values import (
    CellArray,
    CharArray,
    StringArray,
    StructArray,
    class_of,
    from_numpy,
    string,
    to_numpy,
    truth,
    vertcat,
)
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import cell_row, empty_double
from runmat_core.values.classes import DTYPE
from runmat_core.values.string import MISSING, string_array
from runmat_core.values.struct import struct_array

_SUFFIX = "Attribute"
_INDENT = "    "
#: Structs in structs beyond this are taken for an endless one.
_DEPTH = 200


def _kind(function: str, given: dict[str, Any], file: str) -> str:
    """Whether a file is 'xml' or 'json', as the option says or else its name."""
    if "type" in given:
        word = choice(given["type"], ("auto", "xml", "json"), function)
        if word != "auto":
            return word
    kind = os.path.splitext(file)[1][1:].lower()
    if kind not in ("xml", "json"):
        raise MatlabError(
            f"MATLAB:{function}:UnrecognizedFileExtension",
            f"Unable to tell the kind of '{file}'. Specify 'FileType' as 'xml' or 'json'.",
        )
    return kind


# -- reading -------------------------------------------------------------------------------------


def _scalar(text: str) -> Any:
    """Return a number where a text is one, a logical, or a string."""
    plain = text.strip()
    if plain.lower() in ("true", "false"):
        return plain.lower() == "true"
    number = parse_double(plain)
    if isinstance(number, float) and (number == number or plain.lower() == "nan"):
        return number
    return string(plain)


def _structured(node: Any, suffix: str | None, depth: int = 0) -> Any:
    """Return an element as a struct of its attributes and children, or the value of its text.

    Args:
        suffix: what stands behind the names of attributes; None to leave them out.
    """
    if depth > _DEPTH:
        raise MatlabError("MATLAB:xml:InvalidDocument", "Elements are nested too deeply.")
    children: dict[str, list[Any]] = {}
    for child in node.childNodes:
        if child.nodeType == Node.ELEMENT_NODE:
            children.setdefault(child.tagName, []).append(_structured(child, suffix, depth + 1))
    attributes = [] if suffix is None else node.attributes.items()
    if not children and not attributes:
        return _scalar(text_of(node))
    record: dict[str, Any] = {}
    for name, value in attributes:
        record[valid_name(f"{name}{suffix}", "x", "underscore")] = _scalar(value)
    for name, items in children.items():
        record[valid_name(name, "x", "underscore")] = _together(items)
    text = "".join(c.data for c in node.childNodes if c.nodeType != Node.ELEMENT_NODE).strip()
    if text:
        record["Text"] = _scalar(text)
    return StructArray(record)


def _together(items: list[Any]) -> Any:
    """Elements of one name as an array: of numbers, strings or structs with all their fields."""
    if len(items) == 1:
        return items[0]
    if all(isinstance(item, float | bool) for item in items):
        kind = bool if all(isinstance(item, bool) for item in items) else float
        return from_numpy(np.array([items], kind))
    if any(isinstance(item, StructArray) for item in items):
        records = [
            item.records()[0] if isinstance(item, StructArray) else {"Text": item} for item in items
        ]
        names = list(dict.fromkeys(name for record in records for name in record))
        full = [{name: record.get(name, vertcat()) for name in names} for record in records]
        return struct_array(full, (1, len(full)), names)
    texts = [item.texts()[0] if not isinstance(item, float | bool) else str(item) for item in items]
    return string_array(texts, (1, len(texts)))


def _of_json(value: Any) -> Any:
    """Return a parsed JSON value: texts are strings, arrays rows of one class if possible."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return float(value)
    if value is None:
        return StringArray(MISSING)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, dict):
        return StructArray({name: _of_json(item) for name, item in _valid(value)})
    return _row(value)


def _valid(value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for name, item in value.items():
        base = valid_name(name, "x", "underscore")
        unique, count = base, 0
        while unique in seen:
            count += 1
            unique = f"{base}_{count}"
        seen.add(unique)
        yield unique, item


def _row(items: list[Any]) -> Any:
    if not items:
        return empty_double()
    if all(isinstance(item, bool) for item in items):
        return from_numpy(np.array([items], np.bool_))
    if all(isinstance(item, int | float) and not isinstance(item, bool) for item in items):
        return from_numpy(np.array([items], np.float64))
    if all(item is None or isinstance(item, str) for item in items):
        return string_array([MISSING if item is None else item for item in items], (1, len(items)))
    if all(isinstance(item, dict) for item in items):
        return _together([_of_json(item) for item in items])
    return cell_row(map(_of_json, items))


@builtin("readstruct", family="files/structs", nargin=(1, None), needs=("interp",))
def readstruct(name: Any, *options: Any, interp: Interp) -> Any:
    """Read an XML or JSON file as a struct.

    S = readstruct(FILE): elements and attributes are fields, attributes with "Attribute" after
    their names; text is a number where it looks like one, else a string; several elements of a name
    are an array. Of JSON, texts are strings and arrays are rows, cell arrays where their elements
    differ in class.
    S = readstruct(FILE, "AttributeSuffix", TEXT), readstruct(FILE, "ImportAttributes", false)
    S = readstruct(FILE, "StructNodeName", NAME): the first element of that name
    S = readstruct(FILE, "FileType", "xml") or "json"

    Examples:
        >> f = [tempname '.xml']; writelines("<a><n id='7'>2</n><n>5</n><w>text</w></a>", f);
        >> s = readstruct(f); s.w
        ans =
            "text"
        >> s.n(1).idAttribute
        ans =
             7

    See also: writestruct, xmlread, jsondecode.
    """
    content, word = content_of(interp, name, "readstruct")
    names = {
        "AttributeSuffix": "suffix",
        "FileType": "type",
        "ImportAttributes": "attributes",
        "StructNodeName": "node",
    }
    error = MatlabError("MATLAB:readstruct:UnknownOption", "Unknown or incomplete option.")
    given = option_pairs(options, names, error)
    if _kind("readstruct", given, word) == "json":
        try:
            found = _of_json(json.loads(content.decode("utf-8-sig", "replace")))
        except (json.JSONDecodeError, RecursionError) as problem:
            raise json_error(problem) from None
        return found if isinstance(found, StructArray) else StructArray({"Value": found})
    suffix = maybe_text(given["suffix"]) if "suffix" in given else _SUFFIX
    if "attributes" in given and not truth(given["attributes"]):
        suffix = None
    element = parse_xml(content, word).documentElement
    if "node" in given:
        element = _named(element, maybe_text(given["node"]) or "", word)
    found = _structured(element, suffix)
    return found if isinstance(found, StructArray) else StructArray({"Text": found})


def _named(element: Any, name: str, file: str) -> Any:
    if element.tagName == name:
        return element
    found = element.getElementsByTagName(name)
    if not found:
        raise MatlabError(
            "MATLAB:readstruct:StructNodeNotFound", f"'{file}' has no element named '{name}'."
        )
    return found[0]


# -- writing -------------------------------------------------------------------------------------


class _XmlWriter:
    """Writes values as elements.

    Attributes:
        suffix: what names of fields that are attributes end with.
    """

    def __init__(self, suffix: str) -> None:
        self.suffix = suffix
        self.lines: list[str] = []

    def struct(self, name: str, record: dict[str, Any], depth: int) -> None:
        """Return a struct as an element with elements for its fields."""
        if depth > _DEPTH:
            raise MatlabError("MATLAB:writestruct:TooDeep", "Structs are nested too deeply.")
        attributes, inner, text = "", {}, None
        for field, value in record.items():
            if self.suffix and field.endswith(self.suffix) and field != self.suffix:
                attributes += f" {field[: -len(self.suffix)]}={quoteattr(_one_text(field, value))}"
            elif field == "Text":
                text = escape(_one_text(field, value))
            else:
                inner[field] = value
        margin = _INDENT * depth
        if not inner:
            if text is None:
                self.lines.append(f"{margin}<{name}{attributes}/>")
            else:
                self.lines.append(f"{margin}<{name}{attributes}>{text}</{name}>")
            return
        self.lines.append(f"{margin}<{name}{attributes}>")
        if text is not None:
            self.lines.append(f"{margin}{_INDENT}{text}")
        for field, value in inner.items():
            self.elements(field, value, depth + 1)
        self.lines.append(f"{margin}</{name}>")

    def elements(self, name: str, value: Any, depth: int) -> None:
        """Return a value as elements of one name, one for each of its elements."""
        if isinstance(value, StructArray):
            for record in value.records():
                self.struct(name, dict(record), depth)
            return
        if isinstance(value, CellArray):
            for item in value.items():
                self.elements(name, item, depth)
            return
        for text in _texts(name, value):
            margin = _INDENT * depth
            if text:
                self.lines.append(f"{margin}<{name}>{escape(text)}</{name}>")
            else:
                self.lines.append(f"{margin}<{name}/>")


def _texts(name: str, value: Any) -> list[str]:
    """Return the elements of an array as texts; a row of chars is one."""
    if isinstance(value, CharArray):
        return value.rows() if value.data.shape[0] != 1 and value.data.size else [value.text()]
    if isinstance(value, StringArray | ArrayObject):
        data = value.data if isinstance(value, StringArray) else value.element_texts()
        return ["" if item is MISSING else str(item) for item in data.ravel(order="F").tolist()]
    if class_of(value) not in DTYPE or to_numpy(value).dtype.kind == "c":
        raise MatlabError(
            "MATLAB:writestruct:UnsupportedType",
            f"The field '{name}' of class {class_of(value)} cannot be written.",
        )
    return [_number(item) for item in to_numpy(value).ravel(order="F").tolist()]


def _number(item: Any) -> str:
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, float):
        if item != item:
            return "NaN"
        if item in (float("inf"), float("-inf")):
            return "Inf" if item > 0 else "-Inf"
        return str(int(item)) if item.is_integer() and abs(item) < 1e15 else repr(item)
    return str(item)


def _one_text(name: str, value: Any) -> str:
    found = _texts(name, value)
    if len(found) != 1:
        raise MatlabError(
            "MATLAB:writestruct:NonscalarText",
            f"The field '{name}' is an attribute or the text of an element and must be a scalar.",
        )
    return found[0]


@builtin("writestruct", family="files/structs", nargin=(2, None), nargout=0, needs=("interp",))
def writestruct(s: Any, name: Any, *options: Any, interp: Interp) -> None:
    """Write a struct to an XML or JSON file.

    writestruct(S, FILE): fields are elements, several where a field is an array; fields whose names
    end with "Attribute" are attributes, and the field Text is the text of its element
    writestruct(S, FILE, "StructNodeName", NAME) names the outermost element, which is else "struct"
    writestruct(S, FILE, "AttributeSuffix", TEXT), writestruct(S, FILE, "FileType", "xml") or "json"
    writestruct(S, FILE, "PrettyPrint", false), writestruct(S, FILE, "PreserveInfAndNaN", false) of
    JSON, the second for null in place of NaN and Infinity

    Examples:
        >> f = [tempname '.xml']; writestruct(struct('a', [1 2], 'b', "x < y"), f);
        >> type(f)
        <?xml version="1.0" encoding="UTF-8"?>
        <struct>
            <a>1</a>
            <a>2</a>
            <b>x &lt; y</b>
        </struct>

    See also: readstruct, jsonencode, xmlwrite.
    """
    if not isinstance(s, StructArray) or s.shape != (1, 1):
        raise MatlabError(
            "MATLAB:writestruct:InvalidInput", "The first input must be a scalar struct."
        )
    file = maybe_text(name)
    if not file:
        raise MatlabError("MATLAB:writestruct:InvalidFile", "The file name must be text.")
    names = {
        "AttributeSuffix": "suffix",
        "FileType": "type",
        "StructNodeName": "node",
        "PrettyPrint": "pretty",
        "PreserveInfAndNaN": "preserve",
    }
    error = MatlabError("MATLAB:writestruct:UnknownOption", "Unknown or incomplete option.")
    given = option_pairs(options, names, error)
    rule: Callable[[StructArray, dict[str, Any]], str]
    rule = _as_json if _kind("writestruct", given, file) == "json" else _as_xml
    content = rule(s, given)
    try:
        with open(resolve_path(interp, file), "w", encoding="utf-8", newline="") as stream:
            stream.write(content)
    except OSError as problem:
        raise MatlabError(
            "MATLAB:writestruct:FileNotWritable", f"Unable to write '{file}': {problem.strerror}."
        ) from None


def _as_json(s: StructArray, given: dict[str, Any]) -> str:
    pretty = truth(given.get("pretty", True))
    return encode_json(s, not truth(given.get("preserve", True)), pretty) + "\n"


def _as_xml(s: StructArray, given: dict[str, Any]) -> str:
    root = maybe_text(given["node"]) if "node" in given else "struct"
    if not root or not re.fullmatch(r"[^\W\d][\w.-]*", root):
        raise MatlabError("MATLAB:xml:InvalidName", "The name of an element must be a text.")
    suffix = maybe_text(given["suffix"]) if "suffix" in given else _SUFFIX
    writer = _XmlWriter(suffix or "")
    writer.struct(root, dict(s.records()[0]), 0)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + "".join(f"{x}\n" for x in writer.lines)
