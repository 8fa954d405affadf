% Function handles: closures, composition, root finding and functions as data.

compose = @(f, g) @(x) f(g(x));
add = @(a) @(x) x + a;
double_it = @(x) 2*x;

h = compose(double_it, add(3))
fprintf('h(4) = %g\n', h(4));

% values are captured when the handle is made
w = 10;
scale = @(x) w*x;
w = 0;
fprintf('scale(2) = %d\n', scale(2));

% Newton's method with a numerical derivative
root = newton(@(x) x^3 - 2, 1);
fprintf('cube root of 2: %.10f\n', root);
fprintf('cos(x) = x at %.6f\n', newton(@(x) cos(x) - x, 0.5));

% a table of functions
ops = {@plus, @minus, @times, @(a, b) a^b};
for k = 1:numel(ops)
    f = ops{k};
    fprintf('%-12s %g\n', func2str(f), f(7, 3));
end

% map, filter and fold
squares = arrayfun(@(n) n^2, 1:6)
even = squares(arrayfun(@(n) mod(n, 2) == 0, squares))
total = fold(@(a, b) a + b, 0, squares)
names = cellfun(@func2str, ops(1:3), 'UniformOutput', false)

% a counter that remembers, through a nested function
count = make_counter(5);
count(); count();
fprintf('third call: %d\n', count());

[lo, hi] = cellfun(@bounds_of, {[3 1 2], [10 40 20]});
disp([lo; hi])

function x = newton(f, x)
    for k = 1:50
        d = (f(x + 1e-7) - f(x - 1e-7)) / 2e-7;
        step = f(x) / d;
        x = x - step;
        if abs(step) < 1e-14, break, end
    end
end

function acc = fold(f, acc, list)
    for item = list
        acc = f(acc, item);
    end
end

function counter = make_counter(start)
    n = start;
    counter = @next;
    function value = next()
        n = n + 1;
        value = n;
    end
end

function [lo, hi] = bounds_of(v)
    lo = min(v);
    hi = max(v);
end
