"""Whole displays of cells, structs, handles and objects."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.values import CellArray, char, disp, display, from_numpy, string, struct
from runmat_core.values.cell import empty_cell, object_array
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.struct import struct_array

COMPACT = DisplayFormat(spacing="compact")


def lines(*parts: str) -> str:
    return "\n".join(parts) + "\n"


def numbers(rows, cls="float64"):
    return from_numpy(np.array(rows, dtype=cls))


def zeros(*shape):
    return from_numpy(np.zeros(shape))


def cells(rows):
    items = [item for column in zip(*rows, strict=True) for item in column]
    return CellArray(object_array(items, (len(rows), len(rows[0]))))


def handle(source, name=""):
    return FunctionHandle(lambda nargout, *args: None, name, source)


CELL = {
    "row": (cells([[1.0, char("a")]]), "  1×2 cell array", ["    {[1]}    {'a'}"]),
    "columns are aligned": (
        cells(
            [
                [1.0, 2.0, 3.0],
                [char("text"), zeros(5, 10, 2), cells([[11.0], [22.0], [33.0]])],
            ]
        ),
        "  2×3 cell array",
        [
            "    {[   1]}    {[          2]}    {[     3]}",
            "    {'text'}    {5×10×2 double}    {3×1 cell}",
        ],
    ),
    "numbers right, names left": (
        cells(
            [
                [char("row1"), numbers([[1, 2, 3]]), numbers([[3 + 4j]], complex)],
                [char("row2"), numbers([[2, 4], [1, 3]]), cells([[char("x"), 42.0]])],
            ]
        ),
        "  2×3 cell array",
        [
            "    {'row1'}    {[   1 2 3]}    {[3.0000 + 4.0000i]}",
            "    {'row2'}    {2×2 double}    {1×2 cell          }",
        ],
    ),
    "text column": (
        cells([[char("01")], [char("1")], [char("000")]]),
        "  3×1 cell array",
        ["    {'01' }", "    {'1'  }", "    {'000'}"],
    ),
    "empties": (
        cells([[zeros(0, 0), char(""), empty_cell(), zeros(0, 3)]]),
        "  1×4 cell array",
        ["    {0×0 double}    {0×0 char}    {0×0 cell}    {0×3 double}"],
    ),
    "strings": (
        cells([[string("C")], [string("long")]]),
        "  2×1 cell array",
        ['    {["C"   ]}', '    {["long"]}'],
    ),
    "classes": (
        cells([[True, numbers([[5]], "int8"), struct({}), handle("sin", "sin"), np.pi]]),
        "  1×5 cell array",
        ["    {[1]}    {[5]}    {1×1 struct}    {@sin}    {[3.1416]}"],
    ),
    "numbers": (
        cells([[numbers([[1, 2.5]]), 1e10, 0.001, -np.inf]]),
        "  1×4 cell array",
        ["    {[1 2.5000]}    {[1.0000e+10]}    {[1.0000e-03]}    {[-Inf]}"],
    ),
    "newline and tab": (cells([[char("a\nb\tc")]]), "  1×1 cell array", ["    {'a↵b→c'}"]),
    "a handle": (cells([[handle("@(x)x+1")]]), "  1×1 cell array", ["    {@(x)x+1}"]),
}


@pytest.mark.parametrize("case", CELL)
def test_cell(case):
    value, header, body = CELL[case]
    assert display("c", value) == lines("", "c =", "", header, "", *body, "")
    assert display("c", value, COMPACT) == lines("c =", header, *body)
    assert disp(value) == lines(*body, "")


def test_empty_cells():
    assert display("c", empty_cell()) == lines("", "c =", "", "  0×0 empty cell array", "")
    empty = CellArray(np.empty((1, 0), object))
    assert display("c", empty, COMPACT) == lines("c =", "  1×0 empty cell array")
    assert disp(empty) == ""


def test_long_text_in_a_cell_is_cut():
    shown = display("c", cells([[char("a" * 100)]]), COMPACT).splitlines()[-1]
    assert shown.startswith("    {'aaa")
    assert shown.endswith("a…'}")
    assert len(shown) <= 80


def test_wide_cells_wrap():
    row = [char("x" * 16) for _ in range(4)]
    shown = display("c", cells([row]), COMPACT).splitlines()
    assert [line for line in shown if "Column" in line] == ["  Columns 1 through 3", "  Column 4"]


def test_long_text_in_several_columns_is_cut_short():
    texts = [char("subtractCentralRefraction"), char("flipPSFUpsideDown")]
    shown = display("c", cells([texts]), COMPACT).splitlines()[-1]
    assert shown == "    {'subtractCentral…'}    {'flipPSFUpsideDown'}"


def test_long_text_in_a_field_is_cut_at_the_window():
    shown = display("s", struct({"a": char("y" * 100)}), COMPACT).splitlines()[-1]
    assert shown.endswith("y…'")
    assert len(shown) == 80


def test_cell_pages():
    value = CellArray(object_array([1.0, 2.0], (1, 1, 2)))
    assert display("c", value, COMPACT) == lines(
        "  1×1×2 cell array", "c(:,:,1) =", "    {[1]}", "c(:,:,2) =", "    {[2]}"
    )


FIELD = {
    "number": (5.0, "5"),
    "pi": (np.pi, "3.1416"),
    "logical": (True, "1"),
    "int8": (numbers([[-5]], "int8"), "-5"),
    "row": (numbers([[1, 2.5, np.inf]]), "[1 2.5000 Inf]"),
    "logical row": (numbers([[True, False]], bool), "[1 0]"),
    "int row": (numbers([[1, 2]], "uint8"), "[1 2]"),
    "column": (numbers([[1], [2]]), "[2×1 double]"),
    "matrix": (numbers([[1, 2], [3, 4]]), "[2×2 double]"),
    "long row": (
        numbers([list(range(60))]),
        "[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 … ] (1×60 double)",
    ),
    "empty": (zeros(0, 0), "[]"),
    "empty matrix": (zeros(0, 3), "[0×3 double]"),
    "complex": (numbers([[1 + 2j]], complex), "1.0000 + 2.0000i"),
    "char": (char("abc"), "'abc'"),
    "empty char": (char(""), "''"),
    "string": (string("abc"), '"abc"'),
    "cell": (cells([[char("f"), 1.0]]), "{'f'  [1]}"),
    "cell of vectors": (cells([[numbers([[2, 5]]), numbers([[1, 4]])]]), "{[2 5]  [1 4]}"),
    "empty cell": (empty_cell(), "{}"),
    "column cell": (cells([[1.0], [2.0]]), "{2×1 cell}"),
    "nested cell": (cells([[cells([[1.0]])]]), "{{1×1 cell}}"),
    "long cell": (cells([[char("x" * 40)] * 3]), "{1×3 cell}"),
    "struct": (struct({"b": 1.0}), "[1×1 struct]"),
    "handle": (handle("@(x)x+1"), "@(x)x+1"),
}


@pytest.mark.parametrize("case", FIELD)
def test_field(case):
    value, text = FIELD[case]
    shown = display("s", struct({"a": value}))
    assert shown == lines("", "s = ", "", "  struct with fields:", "", f"    a: {text}", "")


def test_field_names_align_on_the_right():
    value = struct({"x": 1.0, "longer": char("t")})
    assert disp(value) == lines("         x: 1", "    longer: 't'", "")
    assert display("s", value, COMPACT) == lines(
        "s = ", "  struct with fields:", "         x: 1", "    longer: 't'"
    )


STRUCTS = {
    "no fields": (struct({}), ["  struct with no fields."]),
    "array": (
        struct_array([{"a": 1.0, "b": 2.0}] * 2, (1, 2), ("a", "b")),
        ["  1×2 struct array with fields:", "", "    a", "    b"],
    ),
    "empty with fields": (
        struct_array([], (0, 0), ("a",)),
        ["  0×0 empty struct array with fields:", "", "    a"],
    ),
    "empty": (struct_array([], (0, 0), ()), ["  0×0 empty struct array with no fields."]),
}


@pytest.mark.parametrize("case", STRUCTS)
def test_struct_arrays(case):
    value, body = STRUCTS[case]
    assert display("s", value) == lines("", "s = ", "", *body, "")
    assert display("s", value, COMPACT) == lines("s = ", *filter(None, body))
    assert disp(value) == ("" if 0 in value.shape else lines(*body, ""))


def test_function_handle():
    assert display("f", handle("@(x)x+1")) == lines(
        "", "f =", "", "  function_handle with value:", "", "    @(x)x+1", ""
    )
    assert disp(handle("sin", "sin")) == "    @sin\n\n"


def test_map():
    from runmat_core.values.map import make_map

    value = make_map([])
    value.put(char("a"), 1.0)
    body = ["  Map with properties:", "", "        Count: 1", "      KeyType: char"]
    body.append("    ValueType: any")
    assert display("m", value) == lines("", "m = ", "", *body, "")
    assert disp(value) == lines(*body, "")
    assert display("c", cells([[value]]), COMPACT).splitlines()[-1] == "    {1×1 containers.Map}"


def test_dictionary():
    from runmat_core.values.dictionary import make_dictionary

    assert display("d", make_dictionary([])) == lines(
        "", "d =", "", "  dictionary with unset key and value types.", ""
    )
    value = make_dictionary([string("Tomato"), 1.0, string("Fig"), 0.5])
    assert display("d", value) == lines(
        "", "d =", "", "  dictionary (string ⟼ double) with 2 entries:", "",
        '    "Tomato" ⟼ 1', '    "Fig"    ⟼ 0.5000', "",
    )  # fmt: skip
    one = make_dictionary([1.0, cells([[numbers([[1, 2]])]])])
    assert display("d", one, COMPACT) == lines(
        "d =", "  dictionary (double ⟼ cell) with 1 entry:", "    1 ⟼ {[1 2]}"
    )


def test_exception():
    from runmat_core.api.errors import MatlabError
    from runmat_core.values.exception import ExceptionValue

    text = "a message that is longer than a line of the window, and is shown whole all the same"
    value = ExceptionValue(MatlabError("a:b", text))
    body = [
        "    identifier: 'a:b'",
        f"       message: '{text}'",
        "         cause: {}",
        "         stack: [0×1 struct]",
        "    Correction: []",
    ]
    header = "  MException with properties:"
    assert display("ME", value) == lines("", "ME = ", "", header, "", *body, "")
    assert disp(value, COMPACT) == lines(header, *body)


def sparse(rows):
    from scipy.sparse import csc_array

    from runmat_core.values.sparse import SparseArray

    return SparseArray(csc_array(np.array(rows)))


SPARSE = {
    "integers": (
        [[0, 0], [1.0, 5.0]],
        ["  2×2 sparse double matrix (2 nonzeros)", "", "   (2,1)        1", "   (2,2)        5"],
    ),
    "decimals": (
        [[0.5, 0.0]],
        ["  1×2 sparse double matrix (1 nonzero)", "", "   (1,1)       0.5000"],
    ),
    "logical": (
        [[True, False]],
        ["  1×2 sparse logical matrix (1 nonzero)", "", "   (1,1)        1"],
    ),
    "factor": (
        [[1000.5, 1.0]],
        ["  1×2 sparse double matrix (2 nonzeros)", "", "   1.0e+03 *", "",
         "   (1,1)       1.0005", "   (1,2)       0.0010"],
    ),
    "zero": ([[0.0, 0.0]], ["  1×2 sparse double matrix", "", "   All zero"]),
    "empty": (np.zeros((0, 3)), ["  0×3 empty sparse double matrix"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SPARSE)
def test_sparse(case):
    rows, body = SPARSE[case]
    value = sparse(rows)
    assert display("S", value) == lines("", "S =", "", *body, "")
    assert display("S", value, COMPACT) == lines("S =", *filter(None, body))


def test_sparse_places_are_aligned_on_their_commas():
    rows = np.zeros((1000, 1000))
    rows[0, 0], rows[899, 899], rows[999, 999] = 1, 10, 100
    assert disp(sparse(rows)) == lines(
        "   (1,1)        1", " (900,900)     10", "(1000,1000)   100", ""
    )
