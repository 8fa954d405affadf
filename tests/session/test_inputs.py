"""inputParser, validateattributes, validatestring."""

from __future__ import annotations

import pytest

import runmat_core as rm

PARSER = """\
p = inputParser;
p.FunctionName = 'solve';
p.addRequired('A', @isnumeric);
addOptional(p, 'n', 10, @(x) x > 0);
p.addParameter('Tolerance', 1e-3);
p.addSwitch('verbose');
p.addParamValue('Method', 'direct', @(x) validateattributes(x, {'char'}, {'nonempty'}));
"""


@pytest.fixture(scope="module")
def s() -> rm.Session:
    return rm.Session()


def attempt(s: rm.Session, code: str) -> tuple[str, str]:
    s.run(f"id = ''; msg = '';\ntry\n{code}\ncatch e\nid = e.identifier; msg = e.message;\nend")
    return s["id"], s["msg"]


@pytest.mark.parametrize(
    ("call", "results"),
    [
        ("p.parse(5)", (5.0, 10.0, 1e-3, "direct", False)),
        ("parse(p, 5, 20)", (5.0, 20.0, 1e-3, "direct", False)),
        ("p.parse(5, 'Tolerance', 2)", (5.0, 10.0, 2.0, "direct", False)),
        ("p.parse(5, 20, 'tolerance', 2, 'METHOD', 'qr')", (5.0, 20.0, 2.0, "qr", False)),
        ("p.parse(5, 'Tol', 2)", (5.0, 10.0, 2.0, "direct", False)),
        ("p.parse(5, 'verbose')", (5.0, 10.0, 1e-3, "direct", True)),
        ("p.parse(5, struct('Method', 'lu', 'Tolerance', 4))", (5.0, 10.0, 4.0, "lu", False)),
        ("args = {5, 'Method', 'x'}; p.parse(args{:})", (5.0, 10.0, 1e-3, "x", False)),
    ],
)
def test_parsing(s: rm.Session, call: str, results: tuple[object, ...]) -> None:
    s.run(PARSER + call + "; r = p.Results;")
    got = s["r"]
    assert tuple(got[k] for k in ("A", "n", "Tolerance", "Method", "verbose")) == results
    assert list(got) == sorted(got, key=str.lower)


@pytest.mark.parametrize(
    ("call", "identifier", "message"),
    [
        ("p.parse()", "MATLAB:InputParser:notEnoughInputs", "Not enough input arguments."),
        (
            "p.parse('x')",
            "MATLAB:InputParser:ArgumentFailedValidation",
            "The value of 'A' is invalid. It must satisfy the function: isnumeric.",
        ),
        (
            "p.parse(5, -1)",
            "MATLAB:InputParser:ArgumentFailedValidation",
            "The value of 'n' is invalid. It must satisfy the function: @(x)x>0.",
        ),
        (
            "p.parse(5, 'Method', '')",
            "MATLAB:InputParser:ArgumentFailedValidation",
            "The value of 'Method' is invalid. Expected input to be nonempty.",
        ),
        (
            "p.parse(5, 6, 'Speed', 1)",
            "MATLAB:InputParser:UnmatchedParameter",
            "'Speed' is not a recognized parameter. For a list of valid name-value pair "
            "arguments, see the documentation for this function.",
        ),
        ("p.parse(5, 'Tolerance')", "MATLAB:InputParser:ParamMissingValue", None),
        ("p.parse(5, 6, 7)", "MATLAB:InputParser:ParamMustBeChar", None),
        ("p.addRequired('late')", "MATLAB:InputParser:invalidOrder", None),
        ("p.addParameter('A', 1)", "MATLAB:InputParser:ArgNameExists", None),
        ("p.Results = 1", "MATLAB:class:SetProhibited", None),
        ("p.Nothing", "MATLAB:noSuchMethodOrField", None),
    ],
)
def test_mistakes_in_parsing(
    s: rm.Session, call: str, identifier: str, message: str | None
) -> None:
    s.run(PARSER)
    got = attempt(s, call)
    assert got[0] == identifier
    if message is not None:
        assert got[1] == message


def test_unmatched_defaults_and_sharing(s: rm.Session) -> None:
    s.run(
        "p = inputParser; p.KeepUnmatched = true; q = p; q.addParameter('a', 1);\n"
        "q.addParameter('b', 2); p.parse('a', 5, 'other', 6);\n"
        "u = p.Unmatched; d = p.UsingDefaults; names = p.Parameters;"
    )
    assert (s["u"], s["d"], s["names"]) == ({"other": 6.0}, ["b"], ["a", "b"])


def test_case_and_partial_names_can_be_required(s: rm.Session) -> None:
    s.run("p = inputParser; p.addParameter('Width', 1); p.CaseSensitive = true;")
    assert attempt(s, "p.parse('width', 2)")[0] == "MATLAB:InputParser:UnmatchedParameter"
    s.run("p.CaseSensitive = false; p.PartialMatching = false;")
    assert attempt(s, "p.parse('wid', 2)")[0] == "MATLAB:InputParser:UnmatchedParameter"


@pytest.mark.parametrize(
    ("value", "attributes", "message"),
    [
        ("5", "{'positive'}", ""),
        ("-5", "{'positive'}", "Expected input to be positive."),
        ("0", "{'nonzero'}", "Expected input to be nonzero."),
        ("[1 2 3]", "{'row', 'numel', 3, 'increasing'}", ""),
        ("[1 3 2]", "{'increasing'}", "Expected input to be increasing valued."),
        ("[1;2]", "{'row'}", "Expected input to be a row."),
        ("ones(2, 3)", "{'size', [2 NaN]}", ""),
        (
            "ones(2, 3)",
            "{'size', [3 NaN]}",
            "Expected input to be of size 3xN, but it is of size 2x3.",
        ),
        ("ones(2)", "{'square', 'binary', '2d', 'nonsparse'}", ""),
        ("[1.5 2]", "{'integer'}", "Expected input to be integer-valued."),
        ("[2 4]", "{'even', 'nonnegative', 'finite', 'real'}", ""),
        ("NaN", "{'nonnan'}", "Expected input to be non-NaN."),
        ("[]", "{'nonempty'}", "Expected input to be nonempty."),
        ("5", "{'<=', 4}", "Expected input to be a scalar with value less than or equal to 4."),
        ("[1 5]", "{'<', 4}", "Expected input to be an array with all of the values less than 4."),
        (
            "[1 2]",
            "{'ncols', 3}",
            "Expected input to be an array with number of columns equal to 3.",
        ),
        ("diag([1 2])", "{'diag'}", ""),
        ("int8(3)", "{'odd', 'scalar'}", ""),
        ("'ab'", "{'vector'}", ""),
    ],
)
def test_validateattributes(s: rm.Session, value: str, attributes: str, message: str) -> None:
    assert attempt(s, f"validateattributes({value}, {{}}, {attributes})")[1] == message


@pytest.mark.parametrize(
    ("arguments", "identifier", "message"),
    [
        (
            "'x', {'numeric'}, {}",
            "MATLAB:invalidType",
            "Expected input to be one of these types:\n\ndouble, single, uint8, uint16, uint32, "
            "uint64, int8, int16, int32, int64\n\nInstead its type was char.",
        ),
        ("-1, {'double'}, {'positive'}, 'f'", "MATLAB:f:expectedPositive", None),
        ("-1, {}, {'positive'}, 'f', 'x'", None, "Expected x to be positive."),
        ("-1, {}, {'positive'}, 'f', 'x', 2", None, "Expected input number 2, x, to be positive."),
        ("-1, {}, {'positive'}, 3", None, "Expected input number 3 to be positive."),
        ("1, {}, {'pretty'}", "MATLAB:validateattributes:badattribute", None),
        (
            "1, {}, {'postive'}",
            None,
            "'postive' is not a known attribute. Did you mean 'positive'?",
        ),
    ],
)
def test_names_in_messages(
    s: rm.Session, arguments: str, identifier: str | None, message: str | None
) -> None:
    got = attempt(s, f"validateattributes({arguments})")
    if identifier is not None:
        assert got[0] == identifier
    if message is not None:
        assert got[1] == message


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ("'r', {'red', 'green'}", "red"),
        ("'GREEN', {'red', 'green'}", "green"),
        ("'app', {'apple', 'applesauce'}", "apple"),
        ('\'b\', ["blue" "red"]', "blue"),
    ],
)
def test_validatestring(s: rm.Session, arguments: str, result: str) -> None:
    assert s.eval(f"validatestring({arguments})") == result


def test_validatestring_says_what_is_valid(s: rm.Session) -> None:
    assert attempt(s, "validatestring('x', {'red', 'green'})") == (
        "MATLAB:unrecognizedStringChoice",
        "Expected input to match one of these values:\n\n'red', 'green'\n\nThe input, 'x', did "
        "not match any of the valid values.",
    )
    assert attempt(s, "validatestring('g', {'green', 'gray'})")[0] == (
        "MATLAB:ambiguousStringChoice"
    )


def test_a_method_without_outputs_gives_none(s: rm.Session) -> None:
    assert s.capture("p = inputParser; p.parse\np.parse()\nparse(p)\n") == ""
    assert attempt(s, "x = p.parse();")[0] == "MATLAB:TooManyOutputs"
    assert attempt(s, "x = [p.parse() 1];")[0] == "MATLAB:TooManyOutputs"
    assert attempt(s, "x = p.parse;")[1].startswith("Insufficient number of outputs")


#: Every attribute: what has it, what has it not, and the identifier of the error.
ATTRIBUTES = {
    "'2d'": ("ones(2)", "ones(2, 2, 2)", "expected2D"),
    "'3d'": ("ones(2, 2, 2)", "ones(2, 2, 2, 2)", "expected3D"),
    "'column'": ("[1; 2]", "[1 2]", "expectedColumn"),
    "'row'": ("[1 2]", "[1; 2]", "expectedRow"),
    "'scalar'": ("1", "[1 2]", "expectedScalar"),
    "'vector'": ("[1 2]", "ones(2)", "expectedVector"),
    "'size', [2 NaN]": ("ones(2, 5)", "ones(3, 5)", "incorrectSize"),
    "'numel', 4": ("ones(2)", "1", "incorrectNumel"),
    "'ncols', 2": ("ones(3, 2)", "1", "incorrectNumcols"),
    "'nrows', 2": ("ones(2, 3)", "1", "incorrectNumrows"),
    "'ndims', 3": ("ones(2, 2, 2)", "1", "incorrectNumdims"),
    "'square'": ("ones(2)", "[1 2]", "expectedSquare"),
    "'diag'": ("eye(2)", "ones(2)", "expectedDiag"),
    "'nonempty'": ("1", "[]", "expectedNonempty"),
    "'nonsparse'": ("1", "sparse(1)", "expectedNonsparse"),
    "'binary'": ("[0 1]", "2", "expectedBinary"),
    "'even'": ("2", "1", "expectedEven"),
    "'odd'": ("-1", "2", "expectedOdd"),
    "'integer'": ("int8(1)", "1.5", "expectedInteger"),
    "'real'": ("1", "1i", "expectedReal"),
    "'finite'": ("1", "Inf", "expectedFinite"),
    "'nonnan'": ("Inf", "NaN", "expectedNonNaN"),
    "'nonnegative'": ("0", "-1", "expectedNonnegative"),
    "'nonzero'": ("-1", "0", "expectedNonZero"),
    "'positive'": ("1", "0", "expectedPositive"),
    "'decreasing'": ("[2 1]", "[1 1]", "expectedDecreasing"),
    "'increasing'": ("[1 2]", "[1 NaN]", "expectedIncreasing"),
    "'nondecreasing'": ("[1 1]", "[2 1]", "expectedNonDecreasing"),
    "'nonincreasing'": ("[1 1]", "[1 2]", "expectedNonIncreasing"),
    "'>', 1": ("2", "1", "notGreater"),
    "'>=', 1": ("1", "0", "notGreaterEqual"),
    "'<', 1": ("0", "1", "notLess"),
    "'<=', 1": ("1", "2", "notLessEqual"),
}
OF_SIZE = ("2d", "3d", "column", "row", "scalar", "vector", "square", "nonempty", "nonsparse")


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_every_attribute(s: rm.Session, attribute: str) -> None:
    good, bad, identifier = ATTRIBUTES[attribute]
    assert attempt(s, f"validateattributes({good}, {{'numeric'}}, {{{attribute}}})")[0] == ""
    for naming, scope in (("", ""), (", 'fn', 'X', 2", "fn:"), (", 3", "")):
        found = attempt(s, f"validateattributes({bad}, {{'numeric'}}, {{{attribute}}}{naming})")
        assert found[0] == f"MATLAB:{scope}{identifier}"
    word = attribute.strip("'")
    if "," not in attribute and word not in OF_SIZE:
        # no cell has what only numbers have
        found = attempt(s, f"validateattributes({{1}}, {{'cell'}}, {{{attribute}}})")
        assert found[0] == f"MATLAB:{identifier}"


def test_an_attribute_without_its_value(s: rm.Session) -> None:
    got = attempt(s, "validateattributes(1, {}, {'size'})")
    assert got == (
        "MATLAB:validateattributes:badattribute",
        "The attribute 'size' must be followed by a value.",
    )


def test_matched_texts_have_the_class_of_the_input(s: rm.Session) -> None:
    assert s.eval('class(validatestring(\'r\', ["red" "green"]))') == "char"
    assert s.eval("class(validatestring(\"r\", {'red', 'green'}))") == "string"
    assert s.eval("validatestring('rig', {'righteously', 'right', 'righteous'})") == "right"
    got = attempt(s, "validatestring('show', {'showcase', 'show up'})")
    assert got[0] == "MATLAB:ambiguousStringChoice"
    assert got[1].endswith("The input, show, matched more than one valid value.")


def test_optional_inputs_by_name_and_priorities_of_parameters(s: rm.Session) -> None:
    s.run("p = inputParser; p.addOptional('a', 1, @isnumeric); p.addOptional('b', 2, @isnumeric);")
    s.run("p.addParameter('Tol', 5); p.parse('b', 7, 'tol', 6); r = p.Results;")
    assert s["r"] == {"a": 1.0, "b": 7.0, "Tol": 6.0}
    assert attempt(s, "p.parse(3, 'a', 4)")[0] == "MATLAB:InputParser:UnmatchedParameter"
    s.run("q = inputParser; q.addParameter('Size', 1, 'PartialMatchPriority', 2);")
    s.run("q.addParameter('Side', 1, @isnumeric, 'PartialMatchPriority', 1); q.parse('si', 3);")
    assert s.eval("[q.Results.Size q.Results.Side]").tolist() == [[1, 3]]
    assert s.eval("size(inputParser().Parameters)").tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("call", "identifier"),
    [
        ("p = inputParser; p.addParameter('c')", "MATLAB:minrhs"),
        ("p = inputParser; p.addSwitch('c', 1, 2)", "MATLAB:TooManyInputs"),
        ("m = containers.Map; m.isKey(1, 2, 3)", "MATLAB:TooManyInputs"),
        ("eval('m = containers.Map; m.isKey')", "MATLAB:minrhs"),
    ],
)
def test_methods_of_objects_count_their_inputs(s: rm.Session, call: str, identifier: str) -> None:
    assert attempt(s, call)[0] == identifier
