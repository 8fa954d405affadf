"""Small programs and what they print: control flow, calls, scopes, comma lists, assignment."""

from __future__ import annotations

import pytest

# (id, program, printed)
CONTROL = [
    ("if-empty", "if [], fprintf('a'), else, fprintf('b'), end", "b"),
    ("if-not-all", "if [1 0], fprintf('a'), else, fprintf('b'), end", "b"),
    (
        "cell-of-brackets",
        "c = {[3], [-0]; {[2]}, 'a'}; fprintf('%g', c{1}, 1/c{3}, c{2}{1})",
        "3-Inf2",
    ),
    ("if-text", "if 'a'=='a', fprintf('a'), end", "a"),
    ("if-nested-and-skips", "if (0 & error('no')) | (3 & isempty([])), fprintf('a'), end", "a"),
    ("if-chain-and-skips", "if 0 & error('no') & error('no'), else, fprintf('a'), end", "a"),
    ("if-chain-or-skips", "if Inf | error('no') | error('no'), fprintf('a'), end", "a"),
    (
        "if-nested-arrays",
        "x = [1 0]; if (x & 1) | [0 1], fprintf('a'), end, if (x | 0) & 1, else, fprintf('b'), end",
        "ab",
    ),
    (
        "while-nested-or-skips",
        "k = 0; while 1 & (k < 2 | k < 3), k = k + 1; end, fprintf('%d', k)",
        "3",
    ),
    ("if-or-skips", "if 1 | error('no'), fprintf('a'), end", "a"),
    ("if-and-skips", "if 0 & error('no'), fprintf('a'), else, fprintf('b'), end", "b"),
    ("while-and-skips", "k = 1; while k < 3 & k > 0, k = k + 1; end, fprintf('%d', k)", "3"),
    (
        "elseif",
        "x = 2; if x==1, fprintf('a'), elseif x==2, fprintf('b'), else, fprintf('c'), end",
        "b",
    ),
    ("for-columns", "for v = [1 2; 3 4], fprintf('%d,', v), fprintf(';'), end", "1,3,;2,4,;"),
    ("for-column-once", "for v = [1; 2; 3], fprintf('%d', size(v)), end", "31"),
    ("for-cell", "for v = {1, 'ab'}, fprintf('%s%d ', class(v), numel(v)), end", "cell1 cell1 "),
    ("for-empty", "for v = [], fprintf('x'), end, fprintf('%d', size(v))", "00"),
    ("for-no-rows", "n = 0; for v = zeros(0, 3), n = n + 1; end, fprintf('%d', n)", "3"),
    ("for-range-empty", "for k = 1:0, end, fprintf('%d', size(k))", "10"),
    ("for-keeps-last", "for k = 1:3, k = k * 10; end, fprintf('%d', k)", "30"),
    ("for-assign-inside", "for k = 1:3, fprintf('%d', k), k = 7; end", "123"),
    ("for-step", "for k = 5:-2:0, fprintf('%d', k), end", "531"),
    ("for-fraction", "for k = 0:0.1:0.3, fprintf('%.3g ', k), end", "0 0.1 0.2 0.3 "),
    ("for-scalar", "for k = 7, fprintf('%d', k), end", "7"),
    ("for-logical", "for k = true, fprintf('%s', class(k)), end", "logical"),
    ("for-int", "for k = int8(1):3, fprintf('%s%d ', class(k), k), end", "int81 int82 int83 "),
    ("for-char", "for k = 'abc', fprintf('%s.', k), end", "a.b.c."),
    ("for-string", 'for k = ["a" "b"], fprintf("%s.", k), end', "a.b."),
    ("for-struct", "for s = struct('a', {1, 2}), fprintf('%d', s.a), end", "12"),
    ("for-field-target", "for s.k = 1:2, fprintf('%d', s.k), end", "12"),
    ("for-writes-source", "A = [1 2 3]; for v = A, A(1) = 9; fprintf('%d', v), end", "123"),
    ("break", "for k = 1:5, if k == 3, break, end, fprintf('%d', k), end", "12"),
    ("continue", "for k = 1:4, if k == 2, continue, end, fprintf('%d', k), end", "134"),
    ("while", "k = 0; while k < 3, k = k + 1; end, fprintf('%d', k)", "3"),
    ("while-array", "x = [1 1]; n = 0; while x, x(1) = 0; n = n + 1; end, fprintf('%d', n)", "1"),
    ("switch-number", "switch 3, case 1, fprintf('a'), case {2, 3}, fprintf('b'), end", "b"),
    (
        "switch-text",
        "switch 'ab', case 'AB', fprintf('a'), case {'x', 'ab'}, fprintf('b'), end",
        "b",
    ),
    ("switch-string", "switch \"q\", case 'q', fprintf('a'), otherwise, fprintf('b'), end", "a"),
    ("switch-array-case", "switch 1, case [1 2], fprintf('a'), otherwise, fprintf('b'), end", "b"),
    ("switch-none", "switch 1, case 2, fprintf('a'), end, fprintf('z')", "z"),
    ("switch-number-text", "switch 'a', case 97, fprintf('n'), otherwise, fprintf('o'), end", "o"),
    ("switch-first", "switch 1, case 1, fprintf('a'), case 1, fprintf('b'), end", "a"),
    (
        "try",
        "try, error('a:b', 'v %d', 3), catch e, fprintf('%s %s', e.identifier, e.message), end",
        "a:b v 3",
    ),
    ("try-no-catch", "try, error('x'), end, fprintf('z')", "z"),
    (
        "try-nested",
        "try, try, error('in'), catch, error('out'), end, catch e, fprintf(e.message), end",
        "out",
    ),
    (
        "try-break",
        "for k = 1:3, try, if k == 2, break, end, catch, end, fprintf('%d', k), end",
        "1",
    ),
    (
        "try-rethrow",
        "try, try, error('a:b', 'm'), catch e, rethrow(e), end, catch f, "
        "fprintf(f.identifier), end",
        "a:b",
    ),
    ("parfor", "s = 0; parfor k = 1:4, s = s + k; end, fprintf('%d', s)", "10"),
    ("nested-loops", "for a = 1:2, for b = 1:2, fprintf('%d%d ', a, b), end, end", "11 12 21 22 "),
    ("or-value", "x = 1 || error('no'); fprintf('%s%d', class(x), x)", "logical1"),
    ("and-chain", "x = 1 && 2 && 0 && error('no'); fprintf('%d', x)", "0"),
    ("mixed-chain", "fprintf('%d', 0 && 1 || 1 && 1)", "1"),
    ("no-python-chain", "fprintf('%d', 3 > 2 > 1)", "0"),
    ("not-precedence", "fprintf('%d', ~1 == 0)", "1"),
]

ARITHMETIC = [
    ("true-plus-true", "x = true + true; fprintf('%s %d', class(x), x)", "double 2"),
    ("true-times-true", "x = true * true; fprintf('%s %d', class(x), x)", "double 1"),
    ("true-minus-true", "x = true - true; fprintf('%s %d', class(x), x)", "double 0"),
    ("minus-true", "x = -true; fprintf('%s %d', class(x), x)", "double -1"),
    ("plus-true", "x = +true; fprintf('%s', class(x))", "double"),
    (
        "bool-variables",
        "a = 1 < 2; b = 2 < 3; x = a + b; fprintf('%s %d', class(x), x)",
        "double 2",
    ),
    ("not", "x = ~3; fprintf('%s %d', class(x), x)", "logical 0"),
    ("not-bool", "a = true; x = ~a; fprintf('%s %d', class(x), x)", "logical 0"),
    ("and-or", "a = true; b = false; fprintf('%d%d%s', a & b, a | b, class(a | b))", "01logical"),
    ("division-by-zero", "fprintf('%g %g %g', 1/0, -1/0, 0/0)", "Inf -Inf NaN"),
    ("division-by-variable-zero", "z = 0; fprintf('%g %g', 1/z, 1./z)", "Inf Inf"),
    ("division-by-false", "z = false; fprintf('%g', 1/z)", "Inf"),
    ("zero-to-minus-one", "z = 0; fprintf('%g', z^-1)", "Inf"),
    ("overflow", "z = 1e200; fprintf('%g %g', z^2, z*z)", "Inf Inf"),
    ("square", "z = 3; fprintf('%g %g', z^2, z.^2)", "9 9"),
    ("square-true", "z = true; x = z^2; fprintf('%s %g', class(x), x)", "double 1"),
    ("root-of-negative", "z = (-8)^(1/3); fprintf('%.4f %.4f', real(z), imag(z))", "1.0000 1.7321"),
    ("imaginary-demotes", "z = 1i*1i; fprintf('%d %g', isreal(z), z)", "1 -1"),
    ("elementwise", "x = [1 2 3] .* [4 5 6]; fprintf('%d ', x)", "4 10 18 "),
    (
        "elementwise-scalar",
        "a = 2; x = a .* [1 2]; y = [1 2] ./ a; fprintf('%g ', x, y)",
        "2 4 0.5 1 ",
    ),
    ("scalar-over-array", "a = 2; x = a ./ [1 2]; fprintf('%g ', x)", "2 1 "),
    ("matrix-product", "x = [1 2; 3 4] * [1; 1]; fprintf('%d ', x)", "3 7 "),
    ("left-division", "x = 2 \\ 6; fprintf('%d', x)", "3"),
    ("transpose-scalar", "a = 3; b = a'; fprintf('%d', b)", "3"),
    ("transpose-row", "b = [1 2 3]'; fprintf('%d', size(b))", "31"),
    ("precedence", "fprintf('%g ', -2^2, 2^-1, 2^3^2, 2^-1^2, -2^0.5)", "-4 0.5 64 0.25 -1.41421 "),
    ("negative-zero", "x = -0; fprintf('%g', 1/x)", "-Inf"),
    ("int-literal", "x = 0x1F; fprintf('%s %d', class(x), x)", "uint8 31"),
    ("compare-nan", "fprintf('%d%d', NaN == NaN, NaN ~= NaN)", "01"),
    ("char-sum", "x = 'a' + 1; fprintf('%s %d', class(x), x)", "double 98"),
    ("range-of-logical", "x = true:true; fprintf('%s', class(x))", "double"),
    ("int-times-bool", "x = int8(3) * true; fprintf('%s %d', class(x), x)", "int8 3"),
]

CALLS = [
    ("max-second", "[~, k] = max([3 9 2]); fprintf('%d', k)", "2"),
    ("comma-list-args", "c = {1, 2, 3}; fprintf('%d-', c{:})", "1-2-3-"),
    ("comma-list-first", "c = {4, 5}; x = c{:}; fprintf('%d', x)", "4"),
    ("comma-list-matrix", "c = {1, 2}; x = [c{:} 3]; fprintf('%d', x)", "123"),
    ("comma-list-cell", "c = {1, 2}; x = {c{:}, 3}; fprintf('%d', numel(x))", "3"),
    ("comma-list-empty", "c = {}; x = [1 c{:} 2]; fprintf('%d', x)", "12"),
    ("comma-list-index", "A = magic(4); c = {2, 3}; fprintf('%d', A(c{:}))", "10"),
    ("comma-list-field", "s = struct('f', {1, 2, 3}); x = [s.f]; fprintf('%d', x)", "123"),
    ("comma-list-slice", "s = struct('f', {1, 2, 3}); x = [s(2:3).f]; fprintf('%d', x)", "23"),
    ("deal-fields", "s = struct('f', {1, 2}); [s.f] = deal(7); fprintf('%d', s.f)", "77"),
    (
        "deal-slice",
        "s = struct('f', {1, 2, 3}); [s(2:3).f] = deal(8, 9); fprintf('%d', s.f)",
        "189",
    ),
    ("deal-cells", "[c{1:3}] = deal(1, 2, 3); fprintf('%d', c{:})", "123"),
    ("mixed-targets", "[a, c{2}, s.f] = deal(1, 2, 3); fprintf('%d%d%d', a, c{2}, s.f)", "123"),
    ("size-several", "[m, n] = size(ones(2, 3, 4)); fprintf('%d %d', m, n)", "2 12"),
    ("targets-indexed", "[x.a(2), y{3}] = deal(4, 5); fprintf('%d%d', x.a(2), y{3})", "45"),
    ("cells-to-variables", "c = {1, 2}; [a, b] = c{:}; fprintf('%d%d', a, b)", "12"),
    ("handle", "f = @sin; fprintf('%g', f(0))", "0"),
    ("handle-no-args", "f = @() 42; fprintf('%d', f())", "42"),
    ("handle-value", "f = @() 42; g = f; fprintf('%d', g())", "42"),
    ("handle-in-cell", "c = {@(x) x + 1}; fprintf('%d', c{1}(2))", "3"),
    ("handle-in-field", "s.f = @(x) x * 2; fprintf('%d', s.f(4))", "8"),
    ("handle-outputs", "f = @() deal(1, 2); [a, b] = f(); fprintf('%d%d', a, b)", "12"),
    ("handle-of-handle", "f = @(x) @(y) x + y; g = f(1); fprintf('%d', g(2))", "3"),
    ("handle-captures", "w = 2; f = @(x) x + w; w = 100; fprintf('%d', f(1))", "3"),
    ("handle-varargin", "f = @(varargin) numel(varargin); fprintf('%d', f(1, 2, 3))", "3"),
    ("handle-ignored", "f = @(~, x) x; fprintf('%d', f(1, 2))", "2"),
    ("handle-text", "fprintf('%s', func2str(@(x) x + 1))", "@(x)x+1"),
    ("handle-nargout-zero", "f = @() disp('hi'); f()", "hi\n"),
    ("handle-comma-list", "c = {1, 2}; f = @() c{:}; [a, b] = f(); fprintf('%d%d', a, b)", "12"),
    ("colon-to-function", "f = @(x) ischar(x); fprintf('%d', feval(f, ':'))", "1"),
    ("command-syntax", "disp hello", "hello\n"),
    ("ans", "3 + 4; fprintf('%d', ans)", "7"),
    ("ans-of-call", "max([1 5 2]); fprintf('%d', ans)", "5"),
    ("ans-not-of-name", "ans = 1; x = 2; x; fprintf('%d', ans)", "1"),
    ("end-arithmetic", "x = 1:5; fprintf('%d', x(end-1), x(end/5), x(min(end, 9)))", "415"),
    ("end-nested", "c = {1:3, 4:6}; fprintf('%d', c{end}(end))", "6"),
    ("end-of-field", "s.a = 1:4; fprintf('%d', s.a(end))", "4"),
    ("end-two", "A = magic(4); fprintf('%d', A(end, 1), A(end))", "41"),
    ("end-binds-inner", "x = 1:5; y = [2 3]; fprintf('%d', x(y(end)))", "3"),
    ("end-in-call", "x = 1:5; fprintf('%d', x(max(1, end)))", "5"),
    ("shadowed-function", "max = [5 6]; fprintf('%d', max(2))", "6"),
    (
        "python-names",
        "lambda = 3; None = 1; True = 2; def = 4; fprintf('%d', lambda, None, True, def)",
        "3124",
    ),
    ("names-like-keywords", "end1 = 1; if1 = 2; fprintf('%d', end1, if1)", "12"),
    ("i-shadowed", "i = 3; fprintf('%d %d', i, imag(1i))", "3 1"),
    (
        "dynamic-field",
        "n = 'ab'; s.(n) = 1; s.([n 'c']) = 2; fprintf('%d', s.ab, s.(['a' 'bc']))",
        "12",
    ),
    ("feval", "fprintf('%d', feval(@plus, 1, 2), feval('minus', 5, 1))", "34"),
    ("cellfun", "fprintf('%d', cellfun(@(x) x * 2, {1, 2}))", "24"),
    (
        "method-call",
        "m = containers.Map(); m('q') = 1; fprintf('%d%d', m.isKey('q'), m.Count)",
        "11",
    ),
    ("map-aliases", "m = containers.Map(); n = m; n('q') = 1; fprintf('%d', m.Count)", "1"),
]

ASSIGNMENT = [
    ("grow", "x = [1 2 3]; x(5) = 9; fprintf('%d', x)", "12309"),
    ("grow-from-nothing", "y(3) = 5; fprintf('%d', y)", "005"),
    ("grow-end", "x = []; for k = 1:4, x(end+1) = k; end, fprintf('%d', x)", "1234"),
    ("grow-cell", "c = {}; for k = 1:4, c{end+1} = k; end, fprintf('%d', c{:})", "1234"),
    ("grow-struct", "for k = 1:3, s(k).v = k; end, fprintf('%d', s.v)", "123"),
    (
        "grow-struct-end",
        "s = struct('v', {}); s(end+1).v = 1; s(end+1).v = 2; fprintf('%d', s.v)",
        "12",
    ),
    ("nested", "s(1).a.b{3}(2) = 5; fprintf('%d', s(1).a.b{3})", "05"),
    ("nested-end", "s.a.b(end+1) = 1; s.a.b(end+1) = 2; fprintf('%d', s.a.b)", "12"),
    ("scalar-grows", "y = 1; y(2, 3) = 7; fprintf('%d', y)", "100007"),
    ("bool-element", "y = true(1, 2); y(1) = 5; fprintf('%s', class(y))", "logical"),
    ("fill", "x = zeros(2); x(:) = 4; fprintf('%d', x)", "4444"),
    ("column-assign", "A = zeros(2); A(:, 1) = [5; 6]; fprintf('%d', A)", "5600"),
    ("delete", "x = 1:4; x(2) = []; fprintf('%d', x)", "134"),
    ("delete-column", "A = magic(3); A(:, 2) = []; fprintf('%d', size(A))", "32"),
    ("delete-cell", "c = {1, 2, 3}; c(2) = []; fprintf('%d', c{:})", "13"),
    ("empty-cell-content", "c = {1, 2}; c{1} = []; fprintf('%d', numel(c))", "2"),
    ("delete-in-field", "s.x = 1:3; s.x(1) = []; fprintf('%d', s.x)", "23"),
    ("delete-char", "x = 'abc'; x(2) = ''; fprintf('%s', x)", "ac"),
    ("value-copy", "a = [1 2]; b = a; b(1) = 9; fprintf('%d', a, b)", "1292"),
    ("value-copy-cell", "c = {1, [1 2]}; d = c; d{2}(1) = 9; fprintf('%d', c{2}, d{2})", "1292"),
    ("value-copy-struct", "s.a = [1 2]; t = s; t.a(1) = 9; fprintf('%d', s.a, t.a)", "1292"),
    ("self-in-cell", "c = {1}; c{2} = c; fprintf('%s', class(c{2}{1}))", "double"),
    ("own-element", "x = [1 2 3]; x(2) = x(3); fprintf('%d', x)", "133"),
    ("right-first", "k = 1; x = 1:3; x(k) = numel(x) * 10; fprintf('%d', x)", "3023"),
    ("int-to-float-array", "y = zeros(1, 2); y(1) = int8(5); fprintf('%s', class(y))", "double"),
    ("complex-into-real", "y = zeros(1, 2); y(2) = 2i; fprintf('%d', isreal(y))", "0"),
    ("empty-retypes", "x = []; x(2).a = 1; fprintf('%s', class(x))", "struct"),
    ("swap", "a = 1; b = 2; [a, b] = deal(b, a); fprintf('%d%d', a, b)", "21"),
    ("many-ignored", "[~, ~, c] = deal(1, 2, 3); fprintf('%d', c)", "3"),
]

CASES = [*CONTROL, *ARITHMETIC, *CALLS, *ASSIGNMENT]
each_case = pytest.mark.parametrize(
    ("program", "printed"),
    [(program, printed) for _, program, printed in CASES],
    ids=[name for name, _, _ in CASES],
)


@each_case
def test_as_script(run, program: str, printed: str) -> None:
    assert run(program) == printed


@each_case
def test_as_function(run, program: str, printed: str) -> None:
    assert run("subject", subject=f"function subject()\n{program}\nend\n") == printed


@each_case
def test_with_a_dict_of_variables(run, program: str, printed: str) -> None:
    """A function whose text names `eval` keeps its variables in a dict."""
    source = f"function subject()\n{program}\nif 0, eval('1'); end\nend\n"
    assert run("subject", subject=source) == printed


def test_script_may_turn_a_function_name_into_a_variable(run) -> None:
    program = "a = max([1 2]); max = 3; fprintf('%d%d', a, max)"
    assert run(program) == "23"
