"""Statements of MATLAB's rules, one line each: classes, indexing, control flow, text.

A line is MATLAB code that must leave the logical ``ok`` true.
"""

from __future__ import annotations

import pytest

from runmat_core import Session

CLASSES = r"""
ok = sum(uint8([200 100])) == 300 && isa(sum(uint8(1)), 'double') && isequal(sum(uint8([200 100]), 'native'), uint8(255));
ok = isequal(cumsum(uint8([200 100])), uint8([200 255])) && isa(max(int8([1 2])), 'int8') && isa(mod(int8(5), int8(3)), 'int8');
ok = isa(diff(int8([1 2])), 'int8') && isa(sort(int8([2 1])), 'int8');
ok = strcmp(class(single(1)+1), 'single') && single(16777216)+1 == 16777216 && eps('single') == 2^-23;
ok = isa(zeros(2, 'int8'), 'int8') && isa(zeros(1, 'like', single(1)), 'single') && isa(true+true, 'double');
ok = strcmp(class([int8(1) 3.7]), 'int8') && isequal([int8(100) int16(1000)], int8([100 127]));
ok = strcmp(['a' 66], 'aB') && isa([single(1) 2], 'single') && isa([true 2], 'double');
ok = isequal(["a" 1 'b'], ["a" "1" "b"]);
c = {2}; ok = isequal([c {1}], {2, 1}) && isequal([{1} 2], {1, 2}) && isequal([[] 3], 3);
ok = isequal('abc' == 'abd', [true true false]) && isequal("abc" == "ab", false) && isequal("a" + 1, "a1");
ok = ('abc' == "abc") && ~strcmp(1, 1) && isequal(strcmp('a', {'a','b'}), [true false]);
ok = isequal('a', 97) && isequal(1, true) && isequal(int8(1), 1) && isequal('abc', "abc");
ok = isequal(struct('a',1,'b',2), struct('b',2,'a',1));
ok = isequal(char('a','bcd'), ['a  '; 'bcd']) && strcmp(strcat('a ','b'), 'ab') && strcmp(['a ' 'b'], 'a b');
ok = ~isnumeric(true) && ~isnumeric('a') && isreal('a') && isfloat(single(1)) && isa(int8(1), 'integer');
ok = isa(1, 'float') && isa(1, 'numeric') && isa(single(1), 'float') && ~isa('a', 'numeric');
ok = isequal(size(struct('a', {1,2})), [1 2]) && isequal(size(struct('a', {{1,2}})), [1 1]) && isequal(size(struct('a', {})), [0 0]);
m = containers.Map(); n = m; n('q') = 1; ok = m.Count == 1;
m = containers.Map({'b','a'}, [1 2]); ok = isequal(keys(m), {'a','b'}) && isequal(values(m), {2, 1});
a.x = 1; b = a; b.x = 2; ok = a.x == 1;
c = {1}; d = c; d{1} = 5; ok = c{1} == 1;
x = []; x(3).a = 1; ok = isequal(size(x), [1 3]) && isempty(x(1).a);
x = []; x{2} = 1; ok = iscell(x) && isempty(x{1});
"""

INDEXING = r"""
c = {}; c{3} = 1; ok = isequal(size(c), [1 3]) && isequal(c{1}, []);
s = 'ab'; s(5) = 'e'; ok = numel(s) == 5 && double(s(3)) == 0;
c = {1,2,3}; c(2) = []; ok = isequal(c, {1,3});
c = {1,2,3}; c{2} = []; ok = isequal(size(c), [1 3]) && isempty(c{2});
c = {1,2,3}; ok = isequal([c{:}], [1 2 3]) && max(c{2:3}) == 3;
c = {}; ok = isempty([c{:}]) && isequal([1 c{:} 2], [1 2]);
c = {4,5}; x = c{:}; ok = x == 4;
s = struct('f', {1,2,3}); ok = isequal([s.f], 1:3) && isequal([s(2:3).f], [2 3]);
s(1).a.b{3}(2) = 5; ok = isequal(s(1).a.b{3}, [0 5]) && isempty(s(1).a.b{1});
x = 1:5; ok = x(min(end, 3)) == 3 && x(end/5) == 1;
c = {1:3, 4:9}; ok = c{end}(end) == 9 && c{1}(end-1) == 2;
x.y = 1:4; x.y(end+1) = 9; ok = isequal(x.y, [1 2 3 4 9]);
A = magic(4); ok = isequal(A(end, 1), 4) && A(end) == 1 && isequal(A(2:end, end)', [8 12 1]);
try, x = 1; x{1}; ok = false; catch e, ok = strcmp(e.identifier, 'MATLAB:cellRefFromNonCell') || strcmp(e.identifier, 'MATLAB:matrix:brace'); end; ok = ok;
s.a = 1; try, s.new; ok = false; catch e, ok = strcmp(e.message, 'Unrecognized field name "new".'); end; ok = ok;
"""

CONTROL = r"""
if [], ok = false; else, ok = true; end; ok = ok;
if [1 0], ok = false; else, ok = true; end; ok = ok;
if 'a' == 'a', ok = true; end; ok = ok;
if 1 | error('no'), ok = true; end; ok = ok;
try, if [1 1] && 1, end; ok = false; catch, ok = true; end; ok = ok;
try, [] || 1; ok = false; catch, ok = true; end; ok = ok;
r = {}; for v = [1 2; 3 4], r{end+1} = v; end; ok = isequal(r, {[1;3], [2;4]});
n = 0; for v = (1:3)', n = n + 1; end; ok = n == 1 && isequal(v, (1:3)');
for v = {1, 'a'}, end; ok = iscell(v) && strcmp(v{1}, 'a');
n = 0; for k = [], n = n + 1; end; ok = n == 0;
n = 0; for v = zeros(0,3), n = n + 1; end; ok = n == 3 && isequal(size(v), [0 1]);
n = 0; for k = 1:3, k = 10; n = n + k; end; ok = n == 30 && k == 10;
for k = 1:0, end; ok = isequal(size(k), [1 0]);
switch 'b', case {'a','b'}, ok = true; otherwise, ok = false; end; ok = ok;
switch 1, case [1 2], ok = false; otherwise, ok = true; end; ok = ok;
switch 3, case 3, x = 1; case 3, x = 2; end; ok = x == 1;
w = 2; f = @(x) x + w; w = 100; ok = f(1) == 3;
ok = strcmp(func2str(@(x) x + 1), '@(x)x+1') && strcmp(func2str(@sin), 'sin');
f = @sin; ok = f(0) == 0;
[~, i] = max([3 9 2]); ok = i == 2;
ok = isequal(cellfun(@numel, {'a','bb'}), [1 2]) && isequal(cellfun(@numel, {}), []) && isequal(cellfun('isempty', {1,[]}), [false true]);
try, cellfun(@(x) [x x], {1}); ok = false; catch e, ok = strcmp(e.identifier, 'MATLAB:cellfun:NotAScalarOutput'); end; ok = ok;
x = cellfun(@(x) error('a:b', 'no'), {1, 2}, 'ErrorHandler', @(e, v) e.index); ok = isequal(x, [1 2]);
[a, b] = cellfun(@max, {[1 5 2], [7 3]}); ok = isequal(a, [5 7]) && isequal(b, [2 1]);
try, error('a:b', 'v %d', 3); catch e, ok = strcmp(e.message, 'v 3') && strcmp(e.identifier, 'a:b'); end; ok = ok;
try, error('text\n'); catch e, ok = strcmp(e.message, 'text\n'); end; ok = ok;
try, error('x:y'); catch e, ok = strcmp(e.message, 'x:y') && isempty(e.identifier); end; ok = ok;
warning('off', 'my:id'); warning('my:id', 'm%d', 1); [m, id] = lastwarn; ok = strcmp(m, 'm1') && strcmp(id, 'my:id');
[u, ia, ic] = unique([3 1 3]); ok = isequal(u, [1 3]) && isequal(ia, [2; 1]) && isequal(ic, [2; 1; 2]);
ok = isequal(size(find([0 0])), [1 0]) && isequal(size(find(zeros(2))), [0 1]) && isequal(size(find(0)), [0 0]);
[tf, loc] = ismember([1 5], [5 6]); ok = isequal(tf, [false true]) && isequal(loc, [0 1]);
ok = abs(std([1 2 3 4]) - 1.2910) < 1e-4 && mode([2 1 2 1]) == 1 && isnan(interp1([1 2], [1 2], 3));
ok = isequal(strfind('abc', 'z'), []) && isequal(regexp('ab12', '\d'), [3 4]) && strcmp(regexp('ab12', '\d+', 'match', 'once'), '12');
ok = str2double('1,000') == 1000 && isnan(str2double('abc'));
ok = isequal([1 1 1] \ 1, [1; 0; 0]);
warning('off', 'all'); x = [1 2; 2 4] \ [1; 2]; [~, id] = lastwarn; ok = strcmp(id, 'MATLAB:singularMatrix');
ok = isequal([1 2; 3 4]^2, [7 10; 15 22]) && norm(expm(zeros(2)) - eye(2)) == 0;
ok = dot([1i 2], [1i 2]) == 5 && isequal(circshift([1 2 3], 1), [3 1 2]);
"""

TEXT = r"""
ok = strcmp(sprintf('%d,', [1 2 3]), '1,2,3,') && strcmp(sprintf('%d %d\n', 1, 2, 3), sprintf('1 2\n3 '));
ok = strcmp(sprintf('hello %d|'), 'hello ') && isempty(sprintf('%d', [])) && strcmp(sprintf('a%d\n', []), sprintf('a\n'));
ok = strcmp(sprintf('%d', 1.5), '1.500000e+00') && strcmp(sprintf('%s', pi), '3.141593e+00') && strcmp(sprintf('%x', 1.5), '1.500000e+00');
ok = strcmp(sprintf('%d', 3.0), '3') && strcmp(sprintf('%d', 1e10), '10000000000') && strcmp(sprintf('%d', 'abc'), '979899');
ok = strcmp(sprintf('%s', 65), 'A') && strcmp(sprintf('%s', [72 101]), 'He') && strcmp(sprintf('%d %s|', 1, 'abc', 2, 'de'), '1 abc|2 de|');
ok = strcmp(sprintf('%5.2f|%-5d|%+d|%05d|%*d|%%', pi, 3, 4, 5, 6, 7), ' 3.14|3    |+4|00005|     7|%');
ok = strcmp(sprintf('%g %G %e', 1e10, 1e-10, 12.5), '1e+10 1E-10 1.250000e+01') && strcmp(sprintf('%5d', NaN), '  NaN') && strcmp(sprintf('%f', Inf), 'Inf');
ok = strcmp(num2str(pi), '3.1416') && strcmp(num2str(123456.789), '123456.789') && strcmp(num2str(1.23456789e-5), '1.2346e-05');
ok = strcmp(num2str(1e10), '10000000000') && strcmp(num2str(0.1+0.2), '0.3') && strcmp(num2str([1 2 3]), '1  2  3') && strcmp(num2str([10 200]), '10  200');
ok = strcmp(num2str([1.5 2.25]), '1.5        2.25') && strcmp(num2str(1+2i), '1+2i') && strcmp(num2str(pi, 8), '3.1415927') && strcmp(num2str(true), '1');
ok = strcmp(mat2str([1 2; 3 4.5]), '[1 2;3 4.5]') && strcmp(mat2str([true false]), '[true false]') && strcmp(mat2str([]), 'zeros(0,0)');
ok = strcmp(int2str(2.5), '3') && strcmp(evalc('x = 5'), sprintf('\nx =\n\n     5\n\n'));
format compact; ok = strcmp(evalc('x = 5'), sprintf('x =\n     5\n'));
format compact; ok = strcmp(evalc('x = pi'), sprintf('x =\n    3.1416\n')) && strcmp(evalc('x = [480 640 3]'), sprintf('x =\n   480   640     3\n'));
format compact; ok = strcmp(evalc('x = 1234567890'), sprintf('x =\n   1.2346e+09\n')) && strcmp(evalc('x = 2400318'), sprintf('x =\n     2400318\n'));
format compact; ok = strcmp(evalc('x = [0.88 0.2134 0 15.2497]'), sprintf('x =\n    0.8800    0.2134         0   15.2497\n'));
format compact; ok = strcmp(evalc('x = 3+4i'), sprintf('x =\n   3.0000 + 4.0000i\n')) && strcmp(evalc('x = int8(5)'), sprintf('x =\n  int8\n   5\n'));
format compact; ok = strcmp(evalc('x = "abc"'), sprintf('x = \n    "abc"\n')) && strcmp(evalc('x = true'), sprintf('x =\n  logical\n   1\n'));
format compact; format long; ok = strcmp(evalc('x = pi'), sprintf('x =\n   3.141592653589793\n'));
"""


def rules(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.parametrize("rule", rules(CLASSES) + rules(INDEXING) + rules(CONTROL) + rules(TEXT))
def test_rule_holds(rule: str) -> None:
    session = Session()
    session.capture(rule)
    assert session["ok"] is True
