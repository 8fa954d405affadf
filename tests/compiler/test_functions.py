"""Functions: inputs and outputs, scopes, nested functions, recursion."""

from __future__ import annotations

import pytest

# (id, files, program, printed)
FUNCTIONS = [
    ("nargin", "function r = f(a, b), r = nargin; end", "fprintf('%d', f(), f(1), f(1, 2))", "012"),
    (
        "nargout",
        "function varargout = f(), varargout = {nargout}; end",
        "f; fprintf('%d', f())",
        "1",
    ),
    (
        "nargout-counts",
        "function [a, b] = f(), a = nargout; b = 0; end",
        "[x, y] = f(); [~, z] = f(); w = f(); fprintf('%d%d', x, w)",
        "21",
    ),
    (
        "varargin",
        "function r = f(a, varargin), r = [numel(varargin) nargin]; end",
        "fprintf('%d', f(1), f(1, 2, 3))",
        "0123",
    ),
    (
        "varargin-size",
        "function r = f(varargin), r = size(varargin); end",
        "fprintf('%d', f())",
        "00",
    ),
    (
        "varargout",
        "function [a, varargout] = f(n), a = 0; for k = 1:n, varargout{k} = k; end, end",
        "[x, y, z] = f(2); fprintf('%d', x, y, z)",
        "012",
    ),
    ("no-output-needed", "function r = f(), end", "f(); fprintf('ok')", "ok"),
    ("ans-set", "function r = f(), r = 5; end", "f(); fprintf('%d', ans)", "5"),
    ("ans-not-set", "function f(), end", "ans = 3; f(); fprintf('%d', ans)", "3"),
    (
        "returns-early",
        "function r = f(x), r = 1; if x, return, end, r = 2; end",
        "fprintf('%d', f(1), f(0))",
        "12",
    ),
    (
        "input-is-output",
        "function x = f(x), x(1) = 9; end",
        "a = [1 2]; b = f(a); fprintf('%d', a, b)",
        "1292",
    ),
    ("input-untouched", "function f(x), x(1) = 9; end", "a = [1 2]; f(a); fprintf('%d', a)", "12"),
    ("ignored-input", "function r = f(~, b), r = b; end", "fprintf('%d', f(1, 2))", "2"),
    (
        "default-by-exist",
        "function r = f(a), if ~exist('a', 'var'), a = 7; end, r = a; end",
        "fprintf('%d', f(), f(1))",
        "71",
    ),
    (
        "default-by-nargin",
        "function r = f(a, b), if nargin < 2, b = 10; end, r = a + b; end",
        "fprintf('%d ', f(1), f(1, 2))",
        "11 3 ",
    ),
    (
        "recursion",
        "function r = f(n), if n < 2, r = 1; else, r = n * f(n - 1); end, end",
        "fprintf('%d', f(10))",
        "3628800",
    ),
    (
        "mutual-recursion",
        "function r = f(n), if n == 0, r = 1; else, r = g(n - 1); end, end\n"
        "function r = g(n), if n == 0, r = 0; else, r = f(n - 1); end, end",
        "fprintf('%d', f(10), f(7))",
        "10",
    ),
    (
        "persistent",
        "function r = f(), persistent n, if isempty(n), n = 0; end, n = n + 1; r = n; end",
        "f(); f(); fprintf('%d', f())",
        "3",
    ),
    (
        "global",
        "function f(), global G, G(end + 1) = 5; g(); end\nfunction g(), "
        "global G, fprintf('%d', G); end",
        "global G, G = 1; f(); fprintf('%d', G)",
        "1515",
    ),
    (
        "base-not-visible",
        "function r = f(), r = exist('outside', 'var'); end",
        "outside = 1; fprintf('%d', f())",
        "0",
    ),
    (
        "local-shadows-path",
        "function r = f(), r = max(1); end\nfunction r = max(x), r = x + 41; end",
        "fprintf('%d', f())",
        "42",
    ),
    (
        "handle-to-local",
        "function h = f(), h = @g; end\nfunction r = g(x), r = x * 2; end",
        "h = f(); fprintf('%d', h(21))",
        "42",
    ),
    (
        "eval-sees-locals",
        "function r = f(x), eval('y = x + 1;'); r = y; end",
        "fprintf('%d', f(1))",
        "2",
    ),
    (
        "eval-undeclared",
        "function r = f(), eval('q = 5;'); r = q + 1; end",
        "fprintf('%d', f())",
        "6",
    ),
    ("eval-value", "function r = f(x), r = eval('x * 2'); end", "fprintf('%d', f(4))", "8"),
    (
        "evalin",
        "function f(), evalin('caller', 'z = z + 1;'); end",
        "z = 1; f(); fprintf('%d', z)",
        "2",
    ),
    (
        "assignin",
        "function f(), assignin('caller', 'made', 3); end",
        "f(); fprintf('%d', made)",
        "3",
    ),
    (
        "assignin-function",
        "function r = f(), x = 1; g(); r = x; end\nfunction g(), h(); end\n"
        "function h(), assignin('base', 'b', 2); evalin('caller', '1;'); end",
        "fprintf('%d%d', f(), b)",
        "12",
    ),
    (
        "assignin-fast-local",
        "function r = f(), x = 1; g(); r = x; end\nfunction g(), assignin('caller', 'x', 5); end",
        "fprintf('%d', f())",
        "5",
    ),
    (
        "assignin-undeclared",
        "function r = f(), g(); r = fresh + 1; end\nfunction g(), "
        "assignin('caller', 'fresh', 5); end",
        "fprintf('%d', f())",
        "6",
    ),
    (
        "clear",
        "function r = f(), x = 1; clear x, r = exist('x', 'var'); end",
        "fprintf('%d', f())",
        "0",
    ),
    ("who", "function f(), a = 1; b = 2; w = who; fprintf('%s ', w{:}); end", "f()", "a b "),
    (
        "captures-unset",
        "function r = f(), if false, w = 1; end, h = @() w; r = 1; end",
        "fprintf('%d', f())",
        "1",
    ),
    (
        "closures-are-separate",
        "function c = f()\nc.next = @next; n = 0;\nfunction r = next(), n = n + 1; r = n; end\nend",
        "a = f(); b = f(); a.next(); fprintf('%d%d', a.next(), b.next())",
        "21",
    ),
    (
        "eval-makes-variables",
        "function r = f(n)\nfor k = 1:n, eval(sprintf('v%d = k;', k)); end\n"
        "r = v1 + v3; h = @(t) t + v2; r = r * 10 + h(1);\nend",
        "fprintf('%d', f(3))",
        "43",
    ),
    (
        "global-values-are-values",
        "function f()\nglobal A B\nA = [1 2]; B = A; B(1) = 9; g(); fprintf('%d', A, B);\nend\n"
        "function g()\nglobal A\nA(end + 1) = 5;\nend",
        "f()",
        "12592",
    ),
    (
        "narginchk",
        "function f(varargin), narginchk(1, 2); fprintf('%d', nargin); end",
        "f(1); try, f(), catch e, fprintf('%s', e.identifier), end",
        "1MATLAB:narginchk:notEnoughInputs",
    ),
    (
        "fields-of-a-result",
        "function s = f(), s.a.b = 5; end",
        "fprintf('%d', f.a.b, f().a.b)",
        "55",
    ),
    ("empty-file-functions", "function f\nfprintf('x')", "f", "x"),
    (
        "function-without-end",
        "function r = f(x)\nr = g(x);\nfunction r = g(x)\nr = x + 1;",
        "fprintf('%d', f(1))",
        "2",
    ),
]

NESTED = [
    ("shares", "x = 1; g(); fprintf('%d', x)\nfunction g(), x = x + 1; end", "2"),
    ("parent-only-reads", "g(); fprintf('%d', x)\nfunction g(), x = 5; end", "5"),
    (
        "own-variables",
        "g(); h();\nfunction g(), y = 1; end\nfunction h(), y = 2; fprintf('%d', y); end",
        "2",
    ),
    ("own-name", "g(); g();\nfunction g(), g = 5; fprintf('%d', g); end", "55"),
    ("inputs-are-own", "x = 1; g(5); fprintf('%d', x)\nfunction g(x), x = x + 1; end", "1"),
    ("returns", "fprintf('%d', g(3))\nfunction r = g(k), r = k * 2; end", "6"),
    (
        "recursive",
        "fprintf('%d', g(4))\nfunction r = g(k), if k < 1, r = 0; else, r = k + g(k - 1); end, end",
        "10",
    ),
    (
        "siblings",
        "fprintf('%d', g(1))\nfunction r = g(k), r = h(k) + 1; end\nfunction r "
        "= h(k), r = k * 10; end",
        "11",
    ),
    (
        "two-deep",
        "x = 1; g(); fprintf('%d', x)\nfunction g(), h(); function h(), x = 7; end, end",
        "7",
    ),
    (
        "handle-keeps-variables",
        "n = 0; h = @g; h(); h(); fprintf('%d', n)\nfunction g(), n = n + 1; end",
        "2",
    ),
    (
        "write-during-expression",
        "A = [1 2]; y = A + bump(); fprintf('%d', y, A)\nfunction r = bump(), "
        "A(1) = 100; r = 0; end",
        "121002",
    ),
    (
        "anonymous-calls-nested",
        "k = 2; h = @(x) g(x) + 1; fprintf('%d', h(3))\nfunction r = g(x), r = x * k; end",
        "7",
    ),
    (
        "array-shared",
        "A = zeros(1, 3); for k = 1:3, put(k); end, fprintf('%d', A)\nfunction "
        "put(k), A(k) = k; end",
        "123",
    ),
    (
        "cellfun",
        "s = 0; cellfun(@add, {1, 2, 3}); fprintf('%d', s)\nfunction add(x), s = s + x; end",
        "6",
    ),
]

ERRORS = [
    (
        "too-many-inputs",
        "function f(a), end",
        "f(1, 2)",
        "MATLAB:TooManyInputs|Too many input arguments.",
    ),
    (
        "too-many-outputs",
        "function f(a), end",
        "x = f(1);",
        "MATLAB:TooManyOutputs|Too many output arguments.",
    ),
    (
        "not-enough",
        "function r = f(a, b), r = a + b; end",
        "f(1)",
        "MATLAB:minrhs|Not enough input arguments.",
    ),
    (
        "unset-output",
        "function r = f(), end",
        "x = f();",
        'MATLAB:unassignedOutputs|Output argument "r" (and possibly others) not assigned a value '
        'in the execution with "f" function.',
    ),
    (
        "unset-second-output",
        "function [a, b] = f(), a = 1; end",
        "[x, y] = f();",
        'MATLAB:unassignedOutputs|Output argument "b" (and possibly others) not assigned a value '
        'in the execution with "f" function.',
    ),
    (
        "unset-variable",
        "function r = f(), if false, q = 1; end, r = q; end",
        "f();",
        "MATLAB:UndefinedFunction|Unrecognized function or variable 'q'.",
    ),
    (
        "unknown-name",
        "function r = f(), r = nowhere_to_be_found(3); end",
        "f();",
        "MATLAB:UndefinedFunction|Unrecognized function or variable 'nowhere_to_be_found'.",
    ),
    (
        "variable-throughout",
        "function r = f(), r = max([1 2]); max = 3; end",
        "f();",
        "MATLAB:UndefinedFunction|Unrecognized function or variable 'max'.",
    ),
    (
        "capture-unset-called",
        "function r = f(), if false, w = 1; end, h = @() w; r = h(); end",
        "f();",
        "MATLAB:UndefinedFunction|Unrecognized function or variable 'w'.",
    ),
    (
        "anonymous-too-many",
        "function f(), g = @(x) x; g(1, 2); end",
        "f()",
        "MATLAB:TooManyInputs|Too many input arguments.",
    ),
    (
        "anonymous-missing",
        "function f(), g = @(x) x; g(); end",
        "f()",
        "MATLAB:minrhs|Not enough input arguments.",
    ),
]


@pytest.mark.parametrize(
    ("source", "program", "printed"), [c[1:] for c in FUNCTIONS], ids=[c[0] for c in FUNCTIONS]
)
def test_functions(run, source: str, program: str, printed: str) -> None:
    assert run(program, f=source) == printed


@pytest.mark.parametrize(("body", "printed"), [c[1:] for c in NESTED], ids=[c[0] for c in NESTED])
def test_nested(run, body: str, printed: str) -> None:
    assert run("f", f=f"function f()\n{body}\nend") == printed


@pytest.mark.parametrize(("body", "printed"), [c[1:] for c in NESTED], ids=[c[0] for c in NESTED])
def test_nested_over_dicts(run, body: str, printed: str) -> None:
    assert run("f", f=f"function f()\nif 0, eval('1'); end\n{body}\nend") == printed


@pytest.mark.parametrize(
    ("source", "program", "message"),
    [c[1:] for c in ERRORS],
    ids=[c[0] for c in ERRORS],
)
def test_errors(failure, source: str, program: str, message: str) -> None:
    assert failure(program, f=source) == message


def test_endless_recursion_is_an_error(failure) -> None:
    assert failure("f()", f="function f(), f(); end").startswith("MATLAB:recursionLimit|")


def test_outputs_handed_on_to_nobody(run) -> None:
    source = (
        "function varargout = f()\n[varargout{1:nargout}] = size(1);\n"
        "fprintf('%d ', numel(varargout));\nend"
    )
    assert run("f, a = f(); [a, b] = f();", f=source) == "0 1 2 "
