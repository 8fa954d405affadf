"""xmlread, xmlwrite: XML files."""

from __future__ import annotations

import re
from typing import Any
from xml.dom import Node, expatbuilder, minidom
from xml.parsers.expat import ExpatError

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.files.table import find_readable, resolve_path
from runmat_core.builtins.files.xml_nodes import XmlNode
from runmat_core.builtins.text.support import maybe_text, row

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
    """Return the document in the bytes of a file.

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


def content_of(interp: Interp, name: Any, function: str) -> tuple[bytes, str]:
    """Return the bytes of the file that an argument names, and the name.

    Raises:
        MatlabError: MATLAB:FUNCTION:InvalidInput, MATLAB:FUNCTION:FileNotFound.
    """
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
    return XmlNode(parse_xml(*content_of(interp, name, "xmlread")))


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
    """Return a node as text; children are on lines of their own unless there is text among them."""
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
    """Return the text of a document or node, indented by three blanks a level."""
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
