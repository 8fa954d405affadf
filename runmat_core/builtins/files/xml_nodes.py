"""Nodes of XML documents as objects with the methods of the W3C document object model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.dom import Node, minidom

from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.text.support import maybe_text
from runmat_core.values import HandleObject, char, empty, truth
from runmat_core.values.object import method as dom

_CONSTANTS = {name: float(value) for name, value in vars(Node).items() if name.endswith("_NODE")}
#: What a node answers, by Python's name of it; lists and nodes become objects.
_READS = {
    "getNodeName": "nodeName",
    "getNodeValue": "nodeValue",
    "getNodeType": "nodeType",
    "getTagName": "tagName",
    "getName": "name",
    "getValue": "value",
    "getTarget": "target",
    "getData": "data",
    "getLocalName": "localName",
    "getPrefix": "prefix",
    "getNamespaceURI": "namespaceURI",
    "getChildNodes": "childNodes",
    "getFirstChild": "firstChild",
    "getLastChild": "lastChild",
    "getNextSibling": "nextSibling",
    "getPreviousSibling": "previousSibling",
    "getParentNode": "parentNode",
    "getOwnerDocument": "ownerDocument",
    "getOwnerElement": "ownerElement",
    "getDocumentElement": "documentElement",
    "getDoctype": "doctype",
    "getAttributes": "attributes",
    "getXmlEncoding": "encoding",
    "getXmlVersion": "version",
}
_CLASSES = {
    Node.DOCUMENT_NODE: "Document",
    Node.ELEMENT_NODE: "Element",
    Node.ATTRIBUTE_NODE: "Attr",
    Node.TEXT_NODE: "Text",
    Node.CDATA_SECTION_NODE: "CDATASection",
    Node.COMMENT_NODE: "Comment",
    Node.DOCUMENT_FRAGMENT_NODE: "DocumentFragment",
    Node.PROCESSING_INSTRUCTION_NODE: "ProcessingInstruction",
}


def wrapped(value: Any) -> Any:
    """Return the MATLAB value of what the document gives: ``[]`` for nothing."""
    if value is None:
        return empty()
    if isinstance(value, str):
        return char(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return float(value)
    if isinstance(value, Node):
        return XmlNode(value)
    return XmlList(value)


def text_of(node: Any) -> str:
    """Return the text below a node, without comments."""
    if node.nodeType in (Node.TEXT_NODE, Node.CDATA_SECTION_NODE, Node.ATTRIBUTE_NODE):
        return str(node.nodeValue)
    parts, pending = [], [node]
    while pending:
        at = pending.pop()
        if at.nodeType in (Node.TEXT_NODE, Node.CDATA_SECTION_NODE):
            parts.append(at.data)
        pending.extend(reversed(at.childNodes))
    return "".join(parts)


def _failed(problem: Exception) -> MatlabError:
    what = str(problem) or type(problem).__name__
    return MatlabError("MATLAB:Java:GenericException", f"The document refuses this: {what}.")


def _word(value: Any) -> str:
    found = maybe_text(value)
    if found is None:
        raise MatlabError("MATLAB:Java:InvalidInput", "Expected a text.")
    return found


def node_of(value: Any) -> Any:
    """Return the node that an argument is."""
    if not isinstance(value, XmlNode):
        raise MatlabError("MATLAB:Java:InvalidInput", "Expected a node of an XML document.")
    return value.data


class XmlNode(HandleObject):
    """A node.

    Attributes:
        data: the node of `xml.dom.minidom`.
    """

    __slots__ = ()
    properties = tuple(_CONSTANTS)

    def __init__(self, node: Any) -> None:
        self.data = node

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return f"org.w3c.dom.{_CLASSES.get(self.data.nodeType, 'Node')}"

    def get_property(self, name: str) -> Any:
        return _CONSTANTS[name]

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether two objects are one node."""
        return isinstance(other, XmlNode) and other.data is self.data

    def reader(self, name: str) -> Callable[..., Any] | None:
        attribute = _READS.get(name)
        if attribute is None or not hasattr(self.data, attribute):
            return None
        return lambda nargout, *args: wrapped(getattr(self.data, attribute))

    def maker(self, name: str) -> Callable[..., Any] | None:
        """``createElement(name)`` and its like, of documents."""
        if not name.startswith("create") or not isinstance(self.data, minidom.Document):
            return None
        make = getattr(self.data, name, None)

        def create(nargout: int, *args: Any) -> Any:
            assert make is not None
            try:
                return wrapped(make(*map(_word, args)))
            except TypeError:
                raise not_enough_inputs() from None

        return None if make is None else create

    def changer(self, name: str) -> Callable[..., Any] | None:
        """``appendChild(node)`` and its like."""
        if name not in ("appendChild", "insertBefore", "removeChild", "replaceChild"):
            return None

        def change(nargout: int, *args: Any) -> Any:
            nodes = [node_of(a) if isinstance(a, XmlNode) else None for a in args]
            if not nodes or nodes[0] is None:
                raise MatlabError("MATLAB:Java:InvalidInput", "Expected a node.")
            try:
                return wrapped(getattr(self.data, name)(*nodes))
            except TypeError:
                raise not_enough_inputs() from None
            except (ValueError, AttributeError, RecursionError, OSError) as problem:
                raise _failed(problem) from None
            except Exception as problem:  # xml.dom's own, which have no common base but this
                if type(problem).__module__ != "xml.dom":
                    raise
                raise _failed(problem) from None

        return change

    def method(self, name: str) -> Callable[..., Any] | None:
        found = super().method(name) or self.reader(name)
        return found or self.maker(name) or self.changer(name)

    @dom("getTextContent")
    def text_content(self, nargout: int = 1) -> Any:
        return char(text_of(self.data))

    @dom("setTextContent")
    def set_text_content(self, nargout: int, content: Any) -> None:
        node = self.data
        if node.nodeType in (Node.TEXT_NODE, Node.CDATA_SECTION_NODE, Node.COMMENT_NODE):
            node.data = _word(content)
            return
        for child in list(node.childNodes):
            node.removeChild(child)
        node.appendChild(node.ownerDocument.createTextNode(_word(content)))

    @dom("setData", "setNodeValue", "setValue")
    def set_data(self, nargout: int, content: Any) -> None:
        self.data.nodeValue = _word(content)

    @dom("getAttribute")
    def attribute(self, nargout: int, name: Any) -> Any:
        """Return the value of an attribute, empty where there is none."""
        return char(self._element().getAttribute(_word(name)))

    @dom("setAttribute")
    def set_attribute(self, nargout: int, name: Any, value: Any) -> None:
        self._element().setAttribute(_word(name), _word(value))

    @dom("hasAttribute")
    def has_attribute(self, nargout: int, name: Any) -> bool:
        return bool(self._element().hasAttribute(_word(name)))

    @dom("hasAttributes")
    def has_attributes(self, nargout: int = 1) -> bool:
        return bool(getattr(self.data, "attributes", None))

    @dom("removeAttribute")
    def remove_attribute(self, nargout: int, name: Any) -> None:
        if self._element().hasAttribute(_word(name)):
            self._element().removeAttribute(_word(name))

    @dom("getAttributeNode")
    def attribute_node(self, nargout: int, name: Any) -> Any:
        return wrapped(self._element().getAttributeNode(_word(name)))

    @dom("setAttributeNode")
    def set_attribute_node(self, nargout: int, node: Any) -> Any:
        return wrapped(self._element().setAttributeNode(node_of(node)))

    @dom("hasChildNodes")
    def has_children(self, nargout: int = 1) -> bool:
        return bool(self.data.childNodes)

    @dom("getElementsByTagName")
    def elements(self, nargout: int, name: Any) -> Any:
        """Return the elements of a name below, in the order of the document; "*" for all."""
        return XmlList(self.data.getElementsByTagName(_word(name)))

    @dom("getElementById")
    def element_by_id(self, nargout: int, name: Any) -> Any:
        return wrapped(self.data.getElementById(_word(name)))

    @dom("cloneNode")
    def clone(self, nargout: int, deep: Any = False) -> Any:
        return wrapped(self.data.cloneNode(truth(deep)))

    @dom("importNode")
    def import_node(self, nargout: int, node: Any, deep: Any = False) -> Any:
        return wrapped(self.data.importNode(node_of(node), truth(deep)))

    @dom("normalize")
    def normalize(self, nargout: int = 0) -> None:
        self.data.normalize()

    @dom("isSameNode")
    def is_same(self, nargout: int, other: Any) -> bool:
        return self.data is node_of(other)

    @dom("getLength")
    def length(self, nargout: int = 1) -> float:
        content = getattr(self.data, "data", None)
        return float(len(content if isinstance(content, str) else self.data.childNodes))

    @dom("item")
    def item(self, nargout: int, place: Any) -> Any:
        return XmlList(self.data.childNodes).item(1, place)

    def _element(self) -> Any:
        if self.data.nodeType != Node.ELEMENT_NODE:
            raise MatlabError("MATLAB:noSuchMethodOrField", "Only elements have attributes.")
        return self.data


class XmlList(HandleObject):
    """Nodes or attributes in their order.

    Attributes:
        data: a list of nodes, or a map of attributes, of `xml.dom.minidom`.
    """

    __slots__ = ()
    class_name = "org.w3c.dom.NodeList"

    def __init__(self, nodes: Any) -> None:
        self.data = nodes

    @dom("getLength")
    def length(self, nargout: int = 1) -> float:
        return float(len(self.data) if isinstance(self.data, list) else self.data.length)

    @dom("item")
    def item(self, nargout: int, place: Any) -> Any:
        """Return the node at a place that counts from zero, ``[]`` beyond the last."""
        at = integer(place)
        return wrapped(self.data.item(at) if 0 <= at < self.length() else None)

    @dom("getNamedItem")
    def named_item(self, nargout: int, name: Any) -> Any:
        found = None if isinstance(self.data, list) else self.data.get(_word(name))
        return wrapped(found)
