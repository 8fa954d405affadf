function closures
    % Nested functions share variables; handles keep what they captured.
    total = 0;
    step = 2;

    function value = advance(times)
        for k = 1:times
            total = total + step;
        end
        value = total;
    end

    fprintf('%d %d\n', advance(3), total);
    step = 10;
    fprintf('%d %d\n', advance(1), total);

    % an anonymous function keeps the values of the moment it was made
    factor = 3;
    triple = @(x) factor * x;
    factor = 100;
    fprintf('%d\n', triple(7));

    % handles of nested functions keep their own workspace alive
    [first, last] = counter(10);
    second = counter(100);
    first(); first(); second();
    fprintf('%d %d %d\n', first(), second(), last());

    % functions that make functions
    compose = @(f, g) @(varargin) f(g(varargin{:}));
    shout = compose(@upper, @(varargin) strjoin(varargin, '-'));
    disp(shout('ab', 'cd', 'ef'));
    powers = arrayfun(@(n) @(x) x .^ n, 1:4, 'UniformOutput', false);
    disp(cellfun(@(f) f(3), powers));
    twice = @(f) @(x) f(f(x));
    quadruple = feval(twice(twice), @(x) x + 1);
    disp(quadruple(0));
    disp(func2str(compose));

    % a fixed point by recursion through a handle that is an argument
    factorial_of = @(self, n) iff(n <= 1, @() 1, @() n * self(self, n - 1));
    disp(factorial_of(factorial_of, 6));

    % a recursive nested function
    seen = {};
    function walk(tree, depth)
        if iscell(tree)
            cellfun(@(branch) walk(branch, depth + 1), tree);
        else
            seen{end + 1} = sprintf('%s%d', repmat('.', 1, depth), tree);
        end
    end
    walk({1, {2, {3}, 4}, {}}, 0);
    disp(strjoin(seen, ' '));
end

function [increment, current] = counter(start)
    count = start;
    increment = @up;
    current = @() count;
    function value = up
        count = count + 1;
        value = count;
    end
end

function value = iff(condition, yes, no)
    if condition
        value = yes();
    else
        value = no();
    end
end
