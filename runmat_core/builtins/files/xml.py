"""xmlread, xmlwrite, readstruct: XML files."""

from __future__ import annotations

import os
import re
from typing import Any
from xml.dom import Node, expatbuilder, minidom
from xml.parsers.expat import ExpatError

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.json import decode_json
from runmat_core.builtins.files.table import find_readable, resolve_path
from runmat_core.builtins.files.xml_nodes import XmlNode, text_of
from runmat_core.builtins.text.convert import parse_double, valid_name
from runmat_core.builtins.text.support import maybe_text, option_pairs, row
from runmat_core.values import StructArray, from_numpy, string, vertcat
from runmat_core.values.string import string_array
from runmat_core.values.struct import struct_array

_INDENT = "   "


class _RefusedError(Exception):
    """The document declares entities, which can stand for other files or for endless text."""


class _Builder(expatbuilder.ExpatBuilderNS):
    """A builder of documents that takes no declarations of entities."""

    def install(self, parser: Any) -> None:
        super().install(parser)
        parser.EntityDeclHandler = _refuse
        parser.UnparsedEntityDeclHandler = _refuse
        parser.ExternalEntityRefHandler = _refuse


def _refuse(*_: Any) -> Any:
    raise _RefusedError


def parse_xml(content: bytes, name: str) -> Any:
    """The document in the bytes of a file.

    Raises:
        MatlabError: MATLAB:xml:InvalidDocument, it is no XML, or declares entities.
    """
    try:
        document = _Builder().parseString(content)
    except _RefusedError:
        raise MatlabError(
            "MATLAB:xml:InvalidDocument", f"'{name}' declares entities, which are not expanded."
        ) from None
    except (ExpatError, ValueError, LookupError) as problem:
        raise MatlabError(
            "MATLAB:xml:InvalidDocument", f"'{name}' is no valid XML: {problem}."
        ) from None
    return document


def _content(interp: Interp, name: Any, function: str) -> tuple[bytes, str]:
    word = maybe_text(name)
    if word is None:
        raise MatlabError(f"MATLAB:{function}:InvalidInput", "The file name must be text.")
    path = find_readable(interp, word.removeprefix("file://"))
    try:
        with open(path, "rb") as stream:
            return stream.read(), word
    except OSError as problem:
        raise MatlabError(
            f"MATLAB:{function}:FileNotFound",
            f"Unable to read the file '{word}': {problem.strerror}.",
        ) from None


@builtin("xmlread", family="files/xml", nargin=(1, None), needs=("interp",))
def xmlread(name: Any, *options: Any, interp: Interp) -> Any:
    """Read an XML file as a document.

    DOC = xmlread(FILE): a node with the methods of the document object model: getDocumentElement,
    getElementsByTagName, getChildNodes, getFirstChild, getNextSibling, getParentNode, getNodeName,
    getNodeType, getAttribute, getAttributes, getTextContent, getData, hasChildNodes, item,
    getLength; to change it createElement, createTextNode, appendChild, removeChild, setAttribute,
    setTextContent and others. item counts from zero.

    Documents that declare entities are refused, and nothing else is read.

    Examples:
        >> f = [tempname '.xml']; writelines("<a><b id='7'>text</b></a>", f);
        >> b = xmlread(f).getElementsByTagName('b').item(0);
        >> {char(b.getAttribute('id')), char(b.getTextContent)}
        ans =
          1×2 cell array
            {'7'}    {'text'}

    See also: xmlwrite, readstruct, jsondecode.
    """
    return XmlNode(parse_xml(*_content(interp, name, "xmlread")))


# -- writing ------------------------------------------------------------------------------------


def _escaped(text: str, quote: bool = False) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("\n", "&#10;") if quote else text


def _start(node: Any) -> str:
    attributes = "".join(
        f' {name}="{_escaped(value, quote=True)}"' for name, value in node.attributes.items()
    )
    return f"<{node.tagName}{attributes}"


def _is_blank(node: Any) -> bool:
    return bool(node.nodeType == Node.TEXT_NODE and not node.data.strip())


def _written(node: Any, indent: str) -> str:
    """A node as text; children are on lines of their own unless there is text among them."""
    kind = node.nodeType
    if kind == Node.TEXT_NODE:
        return _escaped(node.data)
    if kind != Node.ELEMENT_NODE:
        return str(node.toxml())
    children = [child for child in node.childNodes if not _is_blank(child)]
    if not children:
        only = "".join(child.data for child in node.childNodes)
        return f"{_start(node)}>{only}</{node.tagName}>" if only else f"{_start(node)}/>"
    textual = (Node.TEXT_NODE, Node.CDATA_SECTION_NODE)
    if any(child.nodeType in textual for child in children):
        inner = "".join(_written(child, indent) for child in node.childNodes)
        return f"{_start(node)}>{inner}</{node.tagName}>"
    deeper = indent + _INDENT
    inner = "".join(f"{deeper}{_written(child, deeper)}\n" for child in children)
    return f"{_start(node)}>\n{inner}{indent}</{node.tagName}>"


def write_xml(node: Any) -> str:
    """The text of a document or node, indented by three blanks a level."""
    children = node.childNodes if node.nodeType == Node.DOCUMENT_NODE else [node]
    body = "\n".join(_written(child, "") for child in children if not _is_blank(child))
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}'


@builtin("xmlwrite", family="files/xml", nargin=(1, None), needs=("nargout", "interp"))
def xmlwrite(target: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Write an XML document to a file or as text.

    xmlwrite(FILE, DOC), TEXT = xmlwrite(DOC)

    Examples:
        >> doc = com.mathworks.xml.XMLUtils.createDocument('top');
        >> part = doc.createElement('part'); part.setAttribute('n', '1');
        >> doc.getDocumentElement.appendChild(part);
        >> disp(xmlwrite(doc))
        <?xml version="1.0" encoding="utf-8"?>
        <top>
           <part n="1"/>
        </top>

    See also: xmlread.
    """
    node = args[0] if args else target
    if not isinstance(node, XmlNode):
        raise MatlabError("MATLAB:xmlwrite:InvalidInput", "Expected a node of an XML document.")
    text = write_xml(node.data)
    if not args:
        return row(text)
    name = maybe_text(target)
    if name is None:
        raise MatlabError("MATLAB:xmlwrite:InvalidInput", "The file name must be text.")
    try:
        with open(resolve_path(interp, name), "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except OSError as problem:
        raise MatlabError(
            "MATLAB:xmlwrite:FileNotWritable", f"Unable to write '{name}': {problem.strerror}."
        ) from None
    return None


@builtin(
    "com.mathworks.xml.XMLUtils.createDocument",
    "matlab.io.xml.dom.Document",
    family="files/xml",
    nargin=(1, 1),
)
def create_document(name: Any) -> Any:
    """New XML document with an element of a name.

    DOC = com.mathworks.xml.XMLUtils.createDocument(NAME), DOC = matlab.io.xml.dom.Document(NAME)

    Examples:
        >> doc = matlab.io.xml.dom.Document('top'); doc.getDocumentElement.getTagName
        ans =
            'top'

    See also: xmlwrite, xmlread.
    """
    word = maybe_text(name)
    if not word or not re.fullmatch(r"[^\W\d][\w.:-]*", word):
        raise MatlabError("MATLAB:xml:InvalidName", "The name of an element must be a text.")
    return XmlNode(minidom.getDOMImplementation().createDocument(None, word, None))


# -- structs ------------------------------------------------------------------------------------


def _scalar(text: str) -> Any:
    """A number where a text is one, a logical, or a string."""
    plain = text.strip()
    if plain.lower() in ("true", "false"):
        return plain.lower() == "true"
    number = parse_double(plain)
    if isinstance(number, float) and (number == number or plain.lower() == "nan"):
        return number
    return string(plain)


def _structured(node: Any, suffix: str) -> Any:
    """An element as a struct of its attributes and children, or the value of its text."""
    children: dict[str, list[Any]] = {}
    for child in node.childNodes:
        if child.nodeType == Node.ELEMENT_NODE:
            children.setdefault(child.tagName, []).append(_structured(child, suffix))
    attributes = node.attributes.items()
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


@builtin("readstruct", family="files/xml", nargin=(1, None), needs=("interp",))
def readstruct(name: Any, *options: Any, interp: Interp) -> Any:
    """Read an XML or JSON file as a struct.

    S = readstruct(FILE): elements and attributes are fields, attributes with "Attribute" after
    their names; text is a number where it looks like one, else a string; several elements of a name
    are an array
    S = readstruct(FILE, "AttributeSuffix", TEXT), S = readstruct(FILE, "FileType", "xml") or "json"

    Examples:
        >> f = [tempname '.xml']; writelines("<a><n id='7'>2</n><n>5</n><w>text</w></a>", f);
        >> s = readstruct(f); s.w
        ans =
            "text"
        >> s.n(1).idAttribute
        ans =
             7

    See also: xmlread, jsondecode.
    """
    content, word = _content(interp, name, "readstruct")
    names = {"attributesuffix": "suffix", "filetype": "type"}
    error = MatlabError("MATLAB:readstruct:UnknownOption", "Unknown or incomplete option.")
    given = option_pairs(options, names, error)
    kind = maybe_text(given["type"]) if "type" in given else os.path.splitext(word)[1][1:]
    if (kind or "").lower() == "json":
        return decode_json(content.decode("utf-8", "replace"))
    suffix = maybe_text(given["suffix"]) if "suffix" in given else "Attribute"
    found = _structured(parse_xml(content, word).documentElement, suffix or "")
    return found if isinstance(found, StructArray) else StructArray({"Text": found})
