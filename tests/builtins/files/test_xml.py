"""XML documents: reading, walking, changing, writing; what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import MatlabError, Session

DOCUMENT = """<?xml version="1.0"?>
<!-- a comment -->
<lib name="main">
  <book id="1" lang="en"><title>One &amp; only</title><pages>10</pages></book>
  <book id="2"><title>Two</title><pages>20</pages><note><![CDATA[a < b]]></note></book>
</lib>
"""


@pytest.fixture
def library(session: Session, tmp_path: Path) -> Session:
    (tmp_path / "lib.xml").write_text(DOCUMENT)
    session.run(
        "d = xmlread('lib.xml'); top = d.getDocumentElement; b = d.getElementsByTagName('book');"
    )
    return session


READS = [
    ("char(top.getNodeName)", "lib"),
    ("top.getTagName", "lib"),
    ("top.getAttribute('name')", "main"),
    ("top.getAttribute('none')", ""),
    ("b.getLength", 2.0),
    ("char(b.item(1).getAttribute('id'))", "2"),
    ("isempty(b.item(2))", True),
    ("b.item(0).getElementsByTagName('title').item(0).getTextContent", "One & only"),
    ("b.item(0).getFirstChild.getFirstChild.getData", "One & only"),
    ("str2double(b.item(1).getChildNodes.item(1).getTextContent)", 20.0),
    ("b.item(1).getLastChild.getTextContent", "a < b"),
    ("top.getNodeType == top.ELEMENT_NODE", True),
    ("top.getFirstChild.getNodeType == top.TEXT_NODE", True),
    ("isempty(top.getFirstChild.getPreviousSibling)", True),
    ("b.item(0).getAttributes.getLength", 2.0),
    ("b.item(0).getAttributes.item(1).getName", "lang"),
    ("b.item(0).getAttributes.item(1).getValue", "en"),
    ("b.item(0).getAttributes.getNamedItem('lang').getNodeValue", "en"),
    ("b.item(1).hasAttribute('lang')", False),
    ("b.item(1).hasChildNodes", True),
    ("b.item(1).getParentNode.getNodeName", "lib"),
    ("isequal(b.item(1).getParentNode, top)", True),
    ("isequal(b.item(0), b.item(1))", False),
    ("d.getElementsByTagName('*').getLength", 8.0),
    ("getLength(d.getElementsByTagName('pages'))", 2.0),
    ("class(top)", "org.w3c.dom.Element"),
    ("d.getFirstChild.getNodeName", "#comment"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), READS, ids=[c for c, _ in READS])
def test_a_document_is_walked(code: str, expected: object, library: Session) -> None:
    assert library.eval(code) == expected


def test_a_document_is_changed_and_written(library: Session, tmp_path: Path) -> None:
    library.run("""
        e = d.createElement('book'); e.setAttribute('id', '3 & "4"');
        e.appendChild(d.createTextNode('x < y')); top.appendChild(e);
        top.removeChild(b.item(0)); b = d.getElementsByTagName('book');
        b.item(0).getFirstChild.setTextContent('Zwei');
        top.insertBefore(d.createComment('hi'), top.getFirstChild);
        xmlwrite('out.xml', d);
    """)
    assert (tmp_path / "out.xml").read_text() == (
        '<?xml version="1.0" encoding="utf-8"?>\n<!-- a comment -->\n'
        '<lib name="main">\n   <!--hi-->\n'
        '   <book id="2">\n      <title>Zwei</title>\n      <pages>20</pages>\n'
        "      <note><![CDATA[a < b]]></note>\n   </book>\n"
        '   <book id="3 &amp; &quot;4&quot;">x &lt; y</book>\n</lib>'
    )
    # what was written is read as the same
    assert library.eval("xmlwrite(xmlread('out.xml'))") == (tmp_path / "out.xml").read_text()
    assert library.eval("b.item(1).getAttribute('id')") == '3 & "4"'


ENTITIES = [
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>',
    '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x">%x;]><a/>',
    "<!DOCTYPE a [<!ENTITY a0 'ha'>"
    + "".join(f"<!ENTITY a{k} '{f'&a{k - 1};' * 10}'>" for k in range(1, 10))
    + "]><a>&a9;</a>",
]


@pytest.mark.parametrize(
    "text", [*ENTITIES, "", "<a>", "<a></b>", "plain", "\x00\x01", "<a>&b;</a>"]
)
def test_entities_and_broken_documents_are_errors(
    text: str, session: Session, tmp_path: Path
) -> None:
    (tmp_path / "bad.xml").write_text(text)
    with pytest.raises(MatlabError) as raised:
        session.run("xmlread('bad.xml')")
    assert raised.value.identifier == "MATLAB:xml:InvalidDocument"


def test_external_document_types_are_not_fetched(session: Session, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text('<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a>1</a>')
    assert session.eval("xmlread('a.xml').getDocumentElement.getTextContent") == "1"


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("xmlread('none.xml')", "MATLAB:xmlread:FileNotFound"),
        ("xmlread(5)", "MATLAB:xmlread:InvalidInput"),
        ("xmlwrite(5)", "MATLAB:xmlwrite:InvalidInput"),
        ("xmlwrite('no/such/folder.xml', d)", "MATLAB:xmlwrite:FileNotWritable"),
        ("d.getAttribute('x')", "MATLAB:noSuchMethodOrField"),
        ("d.getWhatever", "MATLAB:noSuchMethodOrField"),
        ("top.appendChild(5)", "MATLAB:Java:InvalidInput"),
        ("d.appendChild(d.createElement('two'))", "MATLAB:Java:GenericException"),
        ("top.removeChild(d.createElement('two'))", "MATLAB:Java:GenericException"),
        ("d.createElement(5)", "MATLAB:Java:InvalidInput"),
        ("matlab.io.xml.dom.Document('<')", "MATLAB:xml:InvalidName"),
    ],
)
def test_errors(code: str, identifier: str, library: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        library.run(code)
    assert raised.value.identifier == identifier


def test_a_document_as_a_struct(library: Session, tmp_path: Path) -> None:
    library.run("s = readstruct('lib.xml');")
    assert library.eval("s.nameAttribute") == "main"
    assert library.eval("size(s.book)").tolist() == [[1, 2]]
    assert library.eval("[s.book.pages]").tolist() == [[10, 20]]
    assert library.eval('isempty(s.book(1).note) && s.book(2).note == "a < b"') is True
    (tmp_path / "n.xml").write_text("<r><v>1</v><v>2.5</v><w>a</w><w>2</w><t f='true'>x</t></r>")
    library.run("s = readstruct('n.xml', 'AttributeSuffix', '_at');")
    assert library.eval("s.v").tolist() == [[1, 2.5]]
    assert library.eval("class(s.w)") == "string"
    assert library.eval("s.t.f_at") is True
    assert library.eval("s.t.Text") == "x"
    (tmp_path / "j.json").write_text('{"a": [1, 2]}')
    assert library.eval("readstruct('j.json').a").tolist() == [[1, 2]]
