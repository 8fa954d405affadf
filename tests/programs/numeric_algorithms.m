% Numeric algorithms written out, and checked against what must hold.

% sieve, greatest common divisor, perfect numbers
n = 60;
sieve = true(1, n);
sieve(1) = false;
for p = 2:floor(sqrt(n))
    if sieve(p)
        sieve(p * p:p:n) = false;
    end
end
disp(find(sieve));
disp(isequal(find(sieve), primes(n)));
fprintf('%d ', arrayfun(@(a, b) euclid(a, b), [12 17 100], [18 5 75]));
fprintf('\n');
perfect = [];
for k = 2:500
    d = 1:k - 1;
    if sum(d(mod(k, d) == 0)) == k
        perfect(end + 1) = k; %#ok<SAGROW>
    end
end
disp(perfect);

% Gauss elimination with pivoting
A = [2 1 -1; -3 -1 2; -2 1 2];
b = [8; -11; -3];
x = eliminate(A, b);
fprintf('%.4f ', x);
fprintf('\n');
disp(norm(A * x - b) < 1e-12);

% Newton, bisection, quadrature, Runge-Kutta
[root, steps] = newton(@(x) x ^ 3 - 2, @(x) 3 * x ^ 2, 1);
fprintf('%.10f in %d steps\n', root, steps);
fprintf('%.6f\n', bisect(@(x) cos(x) - x, 0, 1, 1e-9));
fprintf('%.8f\n', simpson(@(x) sin(x), 0, pi, 100));
fprintf('%.8f\n', rk4(@(t, y) -2 * t * y, 0, 1, 1, 50) - exp(-1));

% power iteration finds the largest eigenvalue
M = [4 1 0; 1 3 1; 0 1 2];
v = ones(3, 1);
for k = 1:100
    v = M * v;
    v = v / norm(v);
end
fprintf('%.6f %d\n', v' * M * v, abs(v' * M * v - max(eig(M))) < 1e-10);

% sorting, searching, a matrix by its spiral
list = [5 3 9 1 5 -2 7];
disp(quick(list));
disp(issorted(quick(list)));
[found, where] = search(quick(list), 7);
fprintf('%d %d\n', found, where);
disp(spiral(4));

% games and numbers
board = zeros(5);
board(2:4, 3) = 1;
board = life(board);
disp(board(3, :));
disp(collatz(27));
fprintf('%s\n', dec2bin(bitxor(bin2dec('1100'), 10)));
disp(cumprod([1 2; 3 4]));
disp(mod(-7, 3) + rem(-7, 3));
disp(int32(7) / int32(2));
disp(uint8(250):uint8(255));
disp(polyfit(1:3, [2 4 6], 1) * [1; 1] > 1.99);
disp(hypot(3, 4) + nchoosek(5, 2));

function g = euclid(a, b)
    while b
        [a, b] = deal(b, mod(a, b));
    end
    g = a;
end

function x = eliminate(A, b)
    n = numel(b);
    T = [A b];
    for k = 1:n - 1
        [~, at] = max(abs(T(k:n, k)));
        at = at + k - 1;
        T([k at], :) = T([at k], :);
        for r = k + 1:n
            T(r, :) = T(r, :) - T(r, k) / T(k, k) * T(k, :);
        end
    end
    x = zeros(n, 1);
    for k = n:-1:1
        x(k) = (T(k, end) - T(k, k + 1:n) * x(k + 1:n)) / T(k, k);
    end
end

function [x, steps] = newton(f, df, x)
    steps = 0;
    while abs(f(x)) > 1e-12
        x = x - f(x) / df(x);
        steps = steps + 1;
    end
end

function m = bisect(f, a, b, tolerance)
    assert(f(a) * f(b) < 0);
    while b - a > tolerance
        m = (a + b) / 2;
        if sign(f(m)) == sign(f(a)), a = m; else, b = m; end
    end
end

function s = simpson(f, a, b, n)
    x = linspace(a, b, n + 1);
    w = 2 * ones(1, n + 1);
    w(2:2:end) = 4;
    w([1 end]) = 1;
    s = (b - a) / (3 * n) * sum(w .* f(x));
end

function y = rk4(f, t, y, stop, n)
    h = (stop - t) / n;
    for k = 1:n
        k1 = f(t, y);
        k2 = f(t + h / 2, y + h / 2 * k1);
        k3 = f(t + h / 2, y + h / 2 * k2);
        k4 = f(t + h, y + h * k3);
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        t = t + h;
    end
end

function s = quick(list)
    if numel(list) < 2
        s = list;
        return
    end
    pivot = list(ceil(end / 2));
    s = [quick(list(list < pivot)), list(list == pivot), quick(list(list > pivot))];
end

function [found, where] = search(list, x)
    low = 1;
    high = numel(list);
    found = false;
    where = 0;
    while low <= high
        middle = floor((low + high) / 2);
        if list(middle) == x
            found = true;
            where = middle;
            break
        elseif list(middle) < x
            low = middle + 1;
        else
            high = middle - 1;
        end
    end
end

function m = spiral(n)
    m = zeros(n);
    step = [0 1];
    at = [1 1];
    for k = 1:n ^ 2
        m(at(1), at(2)) = k;
        next = at + step;
        if any(next < 1 | next > n) || m(next(1), next(2))
            step = [step(2), -step(1)];
            next = at + step;
        end
        at = next;
    end
end

function next = life(board)
    around = conv2(board, [1 1 1; 1 0 1; 1 1 1], 'same');
    next = double(around == 3 | (board & around == 2));
end

function steps = collatz(n)
    steps = 0;
    while n ~= 1
        if mod(n, 2)
            n = 3 * n + 1;
        else
            n = n / 2;
        end
        steps = steps + 1;
    end
end
