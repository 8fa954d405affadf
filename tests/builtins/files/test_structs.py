"""readstruct and writestruct: what is written is read, and what stands in the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import MatlabError, Session

SETUP = """
s.idAttribute = 7;
s.name = "a < b & c";
s.count = int16(3);
s.ratio = 0.1;
s.flag = [true false];
s.rows = [1 2.5 NaN Inf];
s.words = ["x" "y z"];
s.part = struct('n', {1 2}, 'w', {"p" "q"});
s.deep.er.still = 'text';
"""


@pytest.mark.parametrize("kind", ["xml", "json"])
def test_what_is_written_is_read(kind: str, session: Session) -> None:
    session.run(SETUP + f"writestruct(s, 'f.{kind}'); r = readstruct('f.{kind}');")
    assert session.eval("fieldnames(r)") == session.eval("fieldnames(s)")
    assert session.eval('class(r.name) == "string" && r.name == s.name') is True
    assert session.eval("[r.idAttribute r.count r.ratio]").tolist() == [[7, 3, 0.1]]
    assert session.eval("islogical(r.flag) && isequal(r.flag, s.flag)") is True
    assert session.eval("isequaln(r.rows, s.rows) && isequal(r.words, s.words)") is True
    assert session.eval("isequal(size(r.part), [1 2]) && isequal([r.part.n], [1 2])") is True
    assert session.eval('r.part(2).w == "q" && r.deep.er.still == "text"') is True


def test_the_text_of_an_xml_file(session: Session, tmp_path: Path) -> None:
    session.run(
        """
        t.unit_at = "m";  t.Text = 5;  t2.empty = "";  t2.when = datetime(2020, 1, 2);
        t2.mixed = {1, "two"};
        writestruct(struct('v', t, 'w', t2), 'f.xml', 'StructNodeName', 'top', ...
            'AttributeSuffix', '_at');
        """
    )
    assert (tmp_path / "f.xml").read_text() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<top>\n"
        '    <v unit="m">5</v>\n'
        "    <w>\n"
        "        <empty/>\n"
        "        <when>02-Jan-2020</when>\n"
        "        <mixed>1</mixed>\n"
        "        <mixed>two</mixed>\n"
        "    </w>\n"
        "</top>\n"
    )


def test_json_of_mixed_arrays(session: Session, tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(
        '{"mixed": [1, "a", null], "none": null, "some": ["a", null], "empty": [], "2 b": 1,'
        ' "parts": [{"x": 1}, {"y": 2}], "m": [[1, 2], [3, 4]]}'
    )
    session.run("s = readstruct('m.json');")
    assert session.eval("iscell(s.mixed) && isequal(size(s.mixed), [1 3])") is True
    assert session.eval("ismissing(s.none) && isequal(ismissing(s.some), [false true])") is True
    assert session.eval("isempty(s.empty) && isfield(s, 'x2B')") is True
    assert session.eval("s.parts(2).y == 2 && isempty(s.parts(1).y)") is True
    assert session.eval("isequal(s.m, {[1 2], [3 4]})") is True


def test_json_options(session: Session, tmp_path: Path) -> None:
    session.run("writestruct(struct('a', [1 NaN]), 'o.json', 'PrettyPrint', false);")
    assert (tmp_path / "o.json").read_text() == '{"a":[1,NaN]}\n'
    session.run(
        "writestruct(struct('a', [1 NaN]), 'o.txt', 'FileType', 'json', 'PrettyPrint', false, "
        "'PreserveInfAndNaN', false);"
    )
    assert (tmp_path / "o.txt").read_text() == '{"a":[1,null]}\n'


def test_one_node_without_attributes(session: Session, tmp_path: Path) -> None:
    (tmp_path / "n.xml").write_text('<a><b k="1"><c d="2">3</c></b></a>')
    session.run("s = readstruct('n.xml', 'StructNodeName', 'b', 'ImportAttributes', false);")
    assert session.eval("isequal(s, struct('c', 3))") is True


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("writestruct(5, 'f.xml')", "MATLAB:writestruct:InvalidInput"),
        ("writestruct(struct('a', {1 2}), 'f.xml')", "MATLAB:writestruct:InvalidInput"),
        ("writestruct(struct('a', @sin), 'f.xml')", "MATLAB:writestruct:UnsupportedType"),
        ("writestruct(struct('a', 1i), 'f.xml')", "MATLAB:writestruct:UnsupportedType"),
        ("writestruct(struct('xAttribute', [1 2]), 'f.xml')", "MATLAB:writestruct:NonscalarText"),
        ("writestruct(struct, 'f.dat')", "MATLAB:writestruct:UnrecognizedFileExtension"),
        ("writestruct(struct, 'no/such/f.xml')", "MATLAB:writestruct:FileNotWritable"),
        ("writestruct(struct, 'f.xml', 'StructNodeName', '<')", "MATLAB:xml:InvalidName"),
        ("readstruct('none.json')", "MATLAB:readstruct:FileNotFound"),
        ("writelines('{', 'b.json'); readstruct('b.json')", "MATLAB:json:ExpectedLiteral"),
        (
            'writelines(join(repmat("<a>", 1, 5000), "") + join(repmat("</a>", 1, 5000), ""), '
            "'d.xml'); readstruct('d.xml')",
            "MATLAB:xml:InvalidDocument",
        ),
    ],
)
def test_errors(code: str, identifier: str, session: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier
