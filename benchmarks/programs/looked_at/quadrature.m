n = 600;
% Integrals: trapezoids, Simpson, Gauss-Legendre, Romberg, adaptive recursion, Monte Carlo.
% At n = 600: 0.090009 1 1 1 1 52.434424 1
% At n = 10: 0.090009 1 1 1 1 0.676025 1

f = @(x) exp(-x.^2).*cos(3*x);
exact = integral(f, 0, 2);
a = trapezoids(f, 0, 2, n);
b = simpson(f, 0, 2, n);
[x, w] = gauss(20);
g = sum(w.*f(x + 1));
R = romberg(f, 0, 2, 10);
total = 0;
for k = 1:ceil(n/10)
    total = total + adaptive(@(t) sqrt(t + k/100), 0, 1, 1e-7);
end
state = 5;
s = 0;
for k = 1:40*n
    state = mod(16807*state, 2147483647);
    s = s + f(2*state/2147483647);
end
fprintf('%.6f %d %d %d %d %.6f %d\n', exact, abs(a - exact) < 1e-2, abs(b - exact) < 1e-4, ...
    abs(g - exact) < 1e-8, abs(R - exact) < 1e-8, total, abs(2*s/(40*n) - exact) < 0.1);

function s = trapezoids(f, a, b, n)
    h = (b - a)/n;
    s = (f(a) + f(b))/2;
    for k = 1:n-1
        s = s + f(a + k*h);
    end
    s = s*h;
end

function s = simpson(f, a, b, n)
    x = linspace(a, b, 2*n + 1);
    y = f(x);
    s = (b - a)/(6*n)*(y(1) + y(end) + 4*sum(y(2:2:end)) + 2*sum(y(3:2:end-1)));
end

function [x, w] = gauss(n)
    k = 1:n-1;
    beta = k./sqrt(4*k.^2 - 1);
    [V, D] = eig(diag(beta, 1) + diag(beta, -1));
    x = diag(D);
    w = 2*V(1, :)'.^2;
end

function r = romberg(f, a, b, levels)
    R = zeros(levels);
    for k = 1:levels
        R(k, 1) = trapezoids(f, a, b, 2^(k - 1));
        for j = 2:k
            R(k, j) = R(k, j-1) + (R(k, j-1) - R(k-1, j-1))/(4^(j - 1) - 1);
        end
    end
    r = R(levels, levels);
end

function s = adaptive(f, a, b, tolerance)
    c = (a + b)/2;
    whole = (b - a)/6*(f(a) + 4*f(c) + f(b));
    left = (c - a)/6*(f(a) + 4*f((a + c)/2) + f(c));
    right = (b - c)/6*(f(c) + 4*f((c + b)/2) + f(b));
    if abs(left + right - whole) < 15*tolerance
        s = left + right;
    else
        s = adaptive(f, a, c, tolerance/2) + adaptive(f, c, b, tolerance/2);
    end
end
