% Loops, conditions, switch, and where each of them leaves its variable.
for k = [1 2; 3 4]
    fprintf('[%d %d] ', k);
end
fprintf('\n');
for k = zeros(0, 3), fprintf('column of %d\n', numel(k)); end
for k = [], disp('never'); end
disp(isempty(k));
for k = {1, 'two'; 3, 'four'}
    fprintf('%s ', class(k), class(k{2}));
end
fprintf('\n');
for s = struct('a', {1, 2})
    fprintf('%d ', s.a);
end
for c = 'xyz'
    fprintf('<%s>', c);
end
for x = 5:-2:-1, fprintf(' %d', x); end
for x = uint8(3), fprintf(' %s', class(x)); end
fprintf('\n');

% changing the variable of a loop does not change the loop
for k = 1:3
    fprintf('%d', k);
    k = 10; %#ok<FXSET>
end
fprintf(' %d\n', k);

% break and continue belong to the innermost loop
for i = 1:4
    for j = 1:4
        if j == i, continue, end
        if j > 3, break, end
        fprintf('%d%d ', i, j);
    end
    if i == 3, break, end
end
fprintf('| %d %d\n', i, j);
n = 0;
while true
    n = n + 1;
    if mod(n, 2), continue; end
    if n > 6, break; end
    fprintf('%d ', n);
end
fprintf('\n');

% conditions over arrays and empties
if [1 2 0], disp('all?'), else, disp('not all'), end
if [], disp('empty is true'), else, disp('empty is false'), end
if 'a', disp('text is true'), end
while [], disp('never'), end
if 1:3, disp('nonzero'), end
f = @() error('must not be called');
if false && f(), end
if true || f(), disp('short circuit'), end
if 0 | 1, disp('one of them'), end

% switch: numbers, text, cells of alternatives, no fall through
for v = {1, 3, 'stop', 'Stop', "go", 7, 'x'}
    switch v{1}
        case {1, 2}
            fprintf('one or two; ');
        case 3
            fprintf('three; ');
        case {'stop', 'halt'}
            fprintf('stop; ');
        case 'go'
            fprintf('go; ');
        case {'y', 'x'}
            fprintf('x; ');
        otherwise
            fprintf('other; ');
    end
end
fprintf('\n');
switch lower('ABC')
    case 'abc'
        switch 2
            case {1, 3}, disp('odd');
            case {2, 4}, disp('even');
        end
end

% return leaves a function from inside loops
fprintf('%d %d\n', first_over([1 5 9 2], 4), first_over([1 2], 4));

% expressions that span lines, comments between
total = 1 + ... one
    2 + ...
    3;
list = [1, 2 ... rest of the line
        3
        4 5 6];
disp(total);
disp(list);
%{
disp('never');
%}
a.b(2).c = {1, {2}};
a.b(2).c{2}{1}(3) = 9;
disp(a.b(2).c{2}{1});
x = 3; x(2) = 4, y = x';

% ranges that do not meet their end, and numbers of steps
disp(numel(0:0.1:1));
disp(0:0.3:1);
disp(size(3:1));
k = 0;
for t = 0:0.1:0.5, k = k + 1; end
fprintf('%d %.1f\n', k, t);

function at = first_over(list, limit)
    at = 0;
    for k = 1:numel(list)
        while list(k) > limit
            at = k;
            return
        end
    end
end
