"""Arguments that make no sense are MATLAB's errors, and odd ones have MATLAB's results."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session

ERRORS = [
    ("[a, b, c] = cart2pol(1, 2);", "MATLAB:unassignedOutputs"),
    ("[a, b] = license;", "MATLAB:unassignedOutputs"),
    ("[a, b] = evalc('x = 1;');", "MATLAB:unassignedOutputs"),
    ("a = eval('x = 1;');", "MATLAB:unassignedOutputs"),
    ("dec2bin(5, [])", "MATLAB:expectedScalar"),
    ("dec2bin(5, NaN)", "MATLAB:expectedInteger"),
    ("dec2hex(5, 1e300)", "MATLAB:nomem"),
    ("mat2str(1, [])", "MATLAB:expectedScalar"),
    ("num2str(pi, [])", "MATLAB:expectedScalar"),
    ("rats(1, [])", "MATLAB:expectedScalar"),
    ("magic(1e10);", "MATLAB:nomem"),
    ("hilb(1e10);", "MATLAB:nomem"),
    ("strings(1e6, 1e6);", "MATLAB:array:SizeLimitExceeded"),
    ("repelem(1:3, 1e15);", "MATLAB:nomem"),
    ("spalloc(7, 1e300);", "MATLAB:array:SizeLimitExceeded"),
    ("1:intmax('uint64');", "MATLAB:array:SizeLimitExceeded"),
    ("times(zeros(2,0,3), speye(3))", "MATLAB:sparse:ndArraysNotSupported"),
    ("validateattributes(1, 'x', {})", "MATLAB:validateattributes:expectedCell"),
    ("validatestring('r', {'red'}, 'f', 'x', Inf)", "MATLAB:expectedInteger"),
    ("nargchk(1, 2, 'abc')", "MATLAB:expectedScalar"),
    ("strncmp('a', 'b', single(1i))", "MATLAB:strncmp:NotNonnegativeInteger"),
    ("fzero(@(x) x, [])", "MATLAB:fzero:LengthArg2"),
    ("fzero(@(x) x, 1i)", "MATLAB:fzero:mustBeReal"),
    ("fminbnd(@(x) x, 0, Inf)", "MATLAB:fminbnd:invalidBounds"),
    ("fminsearch(@(x) 1, [])", "MATLAB:fminsearch:EmptyX0"),
    ("optimset(struct('a', {1, 2}))", "MATLAB:optimset:InvalidArguments"),
    ("polyval([1 2], 3, [], 1)", "MATLAB:polyval:InvalidMu"),
    ("filter(1, [1 2 3], 1:3, 1:3)", "MATLAB:filter:initialConditionsSize"),
    ("interp1([1 2], [1 2], 1, 2)", "MATLAB:interp1:nargin"),
    ("printf('%s', @sin)", "MATLAB:printf:invalidInputType"),
    ("addCorrection(MException('a:b', 'c'), 5)", "MATLAB:MException:InvalidCorrection"),
    ("dbstack(Inf)", "MATLAB:expectedInteger"),
    ("clear y; y(1) = []", "MATLAB:deletionRequiresExistingVariable"),
    ("clear y; y(:, end+1) = []", "MATLAB:deletionRequiresExistingVariable"),
    ("c = {}; c{@sin} = 1;", "MATLAB:badsubscript"),
    ("c = {}; c{1+2i} = 1;", "MATLAB:badsubscript"),
    ("s = struct; s(1+2i).f = 1;", "MATLAB:badsubscript"),
    ("x = 1; x(@sin)", "MATLAB:badsubscript"),
    ('lookup(dictionary("a", 1), "b", FallbackValue=[1 2])', "MATLAB:dictionary:ScalarFallback"),
    ("accumarray(char(zeros(2,0)), 1)", "MATLAB:accumarray:nonPosIntIndValues"),
    ("cat(7, sparse([1 0 2]), [1 2])", "MATLAB:catenate:dimensionMismatch"),
    ("containers.Map(1+2i, 1)", "MATLAB:Containers:TypeMismatch"),
    ("pchip([1 2], [1 2 3 4])", "MATLAB:chckxy:NumSitesMismatchValues"),
    ('pad("str", 1e300)', "MATLAB:nomem"),
    ("repmat('', 1:70)", "MATLAB:nomem"),
    ("a{intmax('int64')} = 1;", "MATLAB:nomem"),
    ("num2cell(containers.Map)", "MATLAB:UndefinedFunction"),
    ('join(["a" "b"], \'-\', -Inf)', "MATLAB:getdimarg:dimensionMustBePositiveInteger"),
]

RESULTS = [
    ("1:int32([])", "zeros(1, 0, 'int32')"),
    ("nchoosek(1e10, 5e9)", "Inf"),
    ("nchoosek(5, 7)", "0"),
    ("nchoosek(40, 20)", "137846528820"),
    ("nchoosek(1:3, 1e300)", "zeros(0, 4)"),
    ("tril(ones(2), 1e300)", "ones(2)"),
    ("diag(ones(3), 1e300)", "zeros(0, 1)"),
    ("size(char(zeros(2,0,3)))", "[2 0 3]"),
    ('size(split(["a" "b"]))', "[1 2]"),
    ("rat([])", "''"),
    ("rats(zeros(0,3))", "''"),
    ("datevec(1e300)", "nan(1, 6)"),
    ("datestr(1e300)", "'NaN'"),
    ("sprintf([65 66.5])", "'AB'"),
    ("double(sprintf(NaN))", "0"),
    ("numel(textscan('abc', 'a.m'))", "0"),
    ("getfield(sparse([1 0 2]), {})", "sparse([1 0 2])"),
    ("filter(1, [1 .5], [1 2; 3 4], 1)", "filter(1, [1 .5], [1 2; 3 4], [1 1])"),
    ("size(lu(zeros(0,3)))", "[0 3]"),
    ("integral(@sin, NaN, 1)", "NaN"),
    ("full(realpow(sparse([1 0 2]), Inf))", "[1 0 Inf]"),
    ("full(kron(speye(2), [1 2]))", "[1 2 0 0; 0 0 1 2]"),
    ("mat2str(0.5, 1e300)", "'0.5'"),
]


@pytest.fixture(scope="module")
def s() -> Session:
    return Session()


@pytest.mark.parametrize(("code", "identifier"), ERRORS, ids=[code for code, _ in ERRORS])
def test_errors(s: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        s.capture(code)
    assert raised.value.identifier == identifier


@pytest.mark.parametrize(("code", "expected"), RESULTS, ids=[code for code, _ in RESULTS])
def test_results(s: Session, code: str, expected: str) -> None:
    assert s.eval(f"isequaln({code}, {expected})")


def test_no_notice_of_floating_point_leaks(s: Session) -> None:
    """NumPy's notices would be errors in this test run."""
    s.run("x = log(0); y = Inf - Inf; z = 10 .^ [1 1e300]; [a, b] = pol2cart(Inf, 1);")
    s.run("p = polyarea([Inf 1 2], [1 2 Inf]); q = bitand(1, 3); w = expm([1 1e10; 1 1]);")
