% `end` belongs to the innermost variable that is indexed, whatever is around it.
a = 1:10;
b = [3 5 7];
c = {a, b, 'text'};
s.v = magic(4);
s.w = {1:3, {4:6, 7:9}};

disp(a(end));
disp(a(b(end)));
disp(a(end - b(1)));
disp(a(b(end - 1) + end / 5));
disp(a([1 end/2 end]));
disp(c{end}(end:-1:1));
disp(c{1}(c{2}(end)));
disp(s.v(end, 1) + s.v(1, end));
disp(s.v(end));
disp(s.w{end}{end}(end));
disp(s.w{1}(end) == s.w{2}{1}(end) - 3);
disp(numel(a(end:end)));

% functions between: `end` is still that of the variable
disp(a(min(end, 20)));
disp(a(max([1 end - 8])));
disp(a(numel(b(1:end - 1))));

% a matrix with fewer subscripts than dimensions
m = reshape(1:24, 2, 3, 4);
disp([m(end) m(1, end) m(end, end, 1) size(m(:, :, end))]);
disp(m(end, 2, end - 1));

% on the left side, where the end is that before the assignment
a(end + 1) = 11;
a(end / 11 + 1) = -1;
b([1 end]) = b([end 1]);
c{end + 1} = a(end);
s.v(end + 1, :) = 0;
s.w{end}{end + 1} = 'x';
disp(a);
disp(b);
fprintf('%d %d %d %d\n', numel(c), size(s.v), numel(s.w{2}));

% deletion
a([1 end - 1 end]) = [];
disp(a);
s.v(:, [1 end]) = [];
disp(s.v);

% a call between keeps its own variables: `end` of the handle's argument
last = @(x) x(end);
f = @(varargin) varargin{end}(end);
disp([last(a(1:end - 2)), f('abc', {}, 4:6)]);
words = strsplit('the quick brown fox', ' ');
disp(words{end}([1 end]));
disp(words(end - 1:end));
