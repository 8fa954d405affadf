"""Statements of MATLAB's rules, one line each: lexing, values and shapes.

A line is MATLAB code that must leave the logical ``ok`` true.
"""

from __future__ import annotations

import pytest

from runmat_core import Session

LEXING = r"""
x = [1 2 3]; ok = isequal(size(x'), [3 1]) && isequal(size(x '), [3 1]);
a = 1; x = [a' a']; ok = isequal(size(x), [1 2]);
a = 'q'; x = [a 'b']; ok = isequal(x, 'qb');
x = [1 2]; ok = isequal(x'', x);
s.f = [1 2]; ok = isequal(s.f', [1; 2]);
c = {[1 2]}; ok = isequal(c{1}', [1; 2]);
ok = isequal([1 -2], [1, -2]) && isequal([1 - 2], -1) && isequal([1 -2 + 3], [1 1]);
a = 5; b = 3; ok = isequal([a -b], [5 -3]) && isequal([a - b], 2);
x = [5 6]; ok = isequal([x(1) -x(2)], [5 -6]);
ok = isequal([1 (2)], [1 2]) && isequal([1 , 2, ], [1 2]);
a = 1; b = 2; ok = isequal([a ==b], false) && isequal([a ~=b], true) && isequal([a ~b], [1 0]);
ok = isequal([1 .5], [1, 0.5]) && isequal([1 : 3], 1:3);
a = [1 2]; ok = isequal([a', a'], [1 1; 2 2]);
ok = isequal([ ; , ; 1 , 2], [1 2]);
c = {@(p) p+1, @(p) p*2}; ok = numel(c) == 2 && c{2}(4) == 8;
ok = 5--4 == 9;
a = 2; b = 3; ok = a++b == 5;
ok = strcmp(evalc('disp -5'), sprintf('-5\n'));
ok = strcmp(evalc('disp ''a b'''), sprintf('a b\n'));
a = 5; b = 2; ok = (a + b) == 7;
ok = strcmp('it''s', ['it' char(39) 's']) && strcmp("a""b", ['a' char(34) 'b']);
ok = numel('a\n') == 3 && strlength("a\n") == 3;
ok = 1e3 == 1000 && 1d3 == 1000 && 1E+3 == 1000 && .5 == 0.5 && 5. == 5;
ok = 2.5j == 2.5i && 1e3i == 1000i;
ok = isequal(0x1F, uint8(31)) && isequal(0b101, uint8(5)) && isequal(0xFFs16, int16(255));
x = [1 2]; ok = isequal(1./x, [1 0.5]) && isequal(3.^2, 9) && isequal(2.', 2);
ok = -2^2 == -4 && 2^-1 == 0.5 && 2^3^2 == 64 && 2^-1^2 == 0.25;
ok = isequal(~1==0, true) && isequal(1:3+1, 1:4) && abs(-2^0.5 + sqrt(2)) < eps;
s.end = 1; s.break = 2; ok = s.end + s.break == 3;
n = 'dyn'; s.(n) = 4; ok = s.dyn == 4;
if 1, y = 1; end, ok = y == 1;
if (1) y = 1, end; ok = y == 1;
for i=1:3 z = i; end; ok = z == 3;
for (i=1:3) z = i; end; ok = z == 3;
while 1, break, end; ok = true;
try, error('x'); catch, y = 2; end; ok = y == 2;
try error('a:b', 'm'), catch ME, end; ok = strcmp(ME.identifier, 'a:b');
switch 1, case 1, y = 7; end; ok = y == 7;
[q, ~, r] = fileparts('/a/b.c'); ok = strcmp(r, '.c');
[s(1:3).x] = deal(0); ok = numel(s) == 3 && s(3).x == 0;
[x.a(2), y{3}] = deal(7, 8); ok = isequal(x.a, [0 7]) && y{3} == 8;
x = 3; % comment with ' quote
ok = x == 3; ... continued
x = [1 2 ... and on
 3]; ok = numel(x) == 3;
x = {1, 'a' ; 2, 'b'}; ok = isequal(size(x), [2 2]);
x = 1:3; x(2) = []; ok = isequal(x, [1 3]);
ok = isequal([1,2
3,4], [1 2; 3 4]);
"""

SHAPES = r"""
ok = isequal(size(5), [1 1]) && isequal(size('abc'), [1 3]) && isequal(size("abc"), [1 1]);
ok = isequal(size({}), [0 0]) && isequal(size(1:0), [1 0]);
ok = isequal(size(ones(2,3,1,1)), [2 3]) && isequal(size(ones(2,3,0)), [2 3 0]);
ok = isequal(size(squeeze(ones(1,1,3))), [3 1]);
ok = isequal(reshape(1:6, 2, 3), [1 3 5; 2 4 6]);
ok = strcmp(sprintf('%d,%d;', [1 2; 3 4]), '1,3;2,4;');
[m, n] = size(ones(2,3,4)); ok = m == 2 && n == 12;
ok = length(zeros(0,5)) == 0 && ndims(1) == 2 && size(ones(2), 5) == 1;
ok = sum(1:3) == 6 && isequal(sum(ones(2,3)), [2 2 2]) && isequal(sum(ones(2,3), 3), ones(2,3));
ok = sum(ones(2,3,4), 'all') == 24 && isequal(size(sum(ones(2,3,4), [1 2])), [1 1 4]);
ok = sum([1 NaN 2], 'omitnan') == 3;
ok = sum([]) == 0 && prod([]) == 1 && isequal(max([]), []) && isnan(mean([]));
ok = isequal(sum(zeros(0,3)), [0 0 0]) && isequal(size(sum(zeros(3,0))), [1 0]);
ok = sum(zeros(0,1)) == 0 && all([]) && ~any([]) && isequal(all(zeros(0,3)), true(1,3));
ok = isequal(size(max(zeros(0,3))), [0 3]) && isequal(size(min(zeros(3,0))), [1 0]);
ok = isequal(zeros(3,0)*zeros(0,2), zeros(3,2)) && islogical([]==[]) && isequal([]+5, []);
ok = isequal([], '') && ~isequal(zeros(0,1), []) && ~isequal([], {});
ok = isempty('') && ~isempty("") && ~isrow([]) && ~isvector([]) && ~isscalar([]);
ok = isequal(size(zeros(-1)), [0 0]);
ok = ~(NaN == NaN) && ~isequal(NaN, NaN) && isequaln(NaN, NaN);
ok = isequaln(sort([3 NaN 1]), [1 3 NaN]) && isequaln(sort([3 NaN 1], 'descend'), [NaN 3 1]);
ok = max([NaN 1 2]) == 2 && isnan(min([NaN NaN])) && isequal(max([1 NaN], [NaN 2]), [1 2]);
ok = isequaln(unique([NaN NaN 1]), [1 NaN NaN]) && ~ismember(NaN, NaN) && isnan(median([1 NaN 3]));
ok = ~any(NaN) && all(NaN);
[m, i] = max([3 9 9]); ok = m == 9 && i == 2;
ok = isequal(round([0.5 -0.5 2.5 -2.5 -0.4]), [1 -1 3 -3 0]) && fix(-2.5) == -2;
ok = mod(-1,3) == 2 && rem(-1,3) == -1 && mod(5,-3) == -1 && rem(5,-3) == 2 && mod(5,0) == 5;
ok = isnan(rem(5,0)) && mod(5.5,2) == 1.5;
ok = 1/0 == Inf && -1/0 == -Inf && isnan(0/0) && 0^0 == 1;
ok = isequal(sqrt(-1), 1i) && abs(log(-1) - pi*1i) < 1e-15 && abs(acos(2) - 1.316957896924817i) < 1e-14;
ok = abs(log2(-4) - (2 + 4.532360141827194i)) < 1e-14 && abs(asin(2) - (1.5707963267949 - 1.31695789692482i)) < 1e-12;
ok = abs(acosh(0.5) - 1.0471975511966i) < 1e-12 && abs((-8)^(1/3) - (1 + 1.732050807568877i)) < 1e-14;
ok = isreal(1i*1i) && ~isreal(complex(1,0));
ok = isequal([1+2i]', 1-2i) && isequal([1+2i].', 1+2i);
ok = max([1+1i 3]) == 3 && isequal(sort([3 -4 1i]), [1i 3 -4]);
ok = numel(0:.1:1) == 11 && ~isequal(0:.1:1, linspace(0,1,11));
ok = strcmp('a':'e', 'abcde') && isa(int8(1):3, 'int8') && isa(1:single(3), 'single');
x = 0:0.1:0.3; ok = numel(x) == 4 && x(end) == 0.3;
rng(0, 'twister'); x = rand(1, 6); ok = max(abs(x - [.8147 .9058 .1270 .9134 .6324 .0975])) < 6e-5;
rng(1, 'twister'); ok = abs(rand - 0.4170) < 5e-5;
"""


def lines(text: str) -> list[str]:
    """Each rule: a line, or several that end with the one that sets ``ok``."""
    rules, open_lines = [], []
    for line in text.strip().splitlines():
        open_lines.append(line)
        if ("ok = " in line and line.rstrip().endswith(";")) or "continued" in line:
            rules.append("\n".join(open_lines))
            open_lines = []
    return rules


@pytest.mark.parametrize("rule", lines(LEXING) + lines(SHAPES))
def test_rule_holds(rule: str) -> None:
    session = Session()
    session.capture(rule)
    assert session["ok"] is True
