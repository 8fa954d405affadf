% varargin, varargout, nargin, nargout, defaults, ignored outputs.
fprintf('%d ', many(), many(1), many(1, [], 'x'));
fprintf('\n');
[a, b, c] = spread(10);
disp([a b c]);
[~, second] = spread(5, 6);
disp(second);
[pair{1:2}] = spread(1, 2);
disp(pair);
values = cell(1, 3);
[values{:}] = spread(7);
disp([values{:}]);
[s.low, s.high] = bounds([4 9 2]);
disp(s);
[m(2), m(1)] = bounds([8 3]);
disp(m);

% lists spread into calls, matrices and cells
args = {2, 3};
disp(size(zeros(args{:}, 4)));
disp([args{:}; args{end:-1:1}]);
fprintf('%s\n', class(sum(args{1})));
opts = {'descend'};
disp(sort([3 1 2], opts{:}));
empty = {};
disp(max([1 5 3], empty{:}));

% how many outputs a call was asked for
outputs();
x = outputs();
[x, y] = outputs();
z = {outputs(), outputs()};
fprintf('%d %d %d\n', x, y, numel(z));
if outputs(), disp('one in a condition'), end

% functions tell how many arguments they declare
fprintf('%d %d %d %d\n', nargin('many'), nargout('spread'), nargin(@bounds_of), nargout(@bounds_of));

% errors for too many, too few, not set
tryit(@() bounds_of(1, 2, 3));
tryit(@() bounds_of());
tryit(@() unset());
tryit(@() deal(1, 2, 3));
tryit(@() needs_two(1));

% defaults
disp(power_of(3));
disp(power_of(3, 3));
disp(power_of(3, []));

% the number of arguments is checked
tryit(@() checked());
tryit(@() checked(1, 2, 3));
disp(checked(1, 2));

function n = many(varargin)
    n = nargin + 10 * numel(varargin);
end

function varargout = spread(varargin)
    varargout = cell(1, max(nargout, 1));
    for k = 1:numel(varargout)
        varargout{k} = varargin{min(k, end)} * k;
    end
end

function [low, high] = bounds(x)
    low = min(x);
    high = max(x);
end

function [low, high] = bounds_of(x, y)
    low = x;
    high = y;
end

function varargout = outputs()
    fprintf('nargout %d\n', nargout);
    varargout = {1, 2};
    varargout = varargout(1:max(nargout, 1));
end

function r = unset()
end

function r = needs_two(a, b)
    r = a + b;
end

function y = power_of(x, n)
    if nargin < 2 || isempty(n)
        n = 2;
    end
    y = x ^ n;
end

function n = checked(varargin)
    narginchk(1, 2);
    nargoutchk(0, 1);
    n = nargin;
end

function tryit(f)
    try
        value = f();
        disp(value);
    catch problem
        fprintf('%s\n', problem.identifier);
    end
end
