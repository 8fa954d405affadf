n = 10000;
% Interpolation: natural cubic spline by hand, Lagrange, Newton's divided differences, interp1.
% At n = 10000: 0.012679 0.031070 286.615701 0.319098 0.945567
% At n = 40: 0.011666 0.030397 1.172565 0.319098 0.949229

x = linspace(0, 10, 21);
y = cos(x) + x/5;
xq = linspace(0, 10, n);
m = second_derivatives(x, y);
s = zeros(1, n);
for k = 1:n
    s(k) = evaluate(x, y, m, xq(k));
end
linear = interp1(x, y, xq);
error_spline = max(abs(s - (cos(xq) + xq/5)));
error_linear = max(abs(linear - (cos(xq) + xq/5)));
nodes = -cos(pi*(0:10)/10);
values = 1./(1 + 25*nodes.^2);
total = 0;
for k = 1:floor(n/10)
    total = total + lagrange(nodes, values, -1 + 20*k/n);
end
c = divided(nodes, values);
p = c(end);
at = 0.3;
for k = numel(c)-1:-1:1
    p = c(k) + (at - nodes(k))*p;
end
fprintf('%.6f %.6f %.6f %.6f %.6f\n', error_spline, error_linear, total, p, sum(s)/n);

function m = second_derivatives(x, y)
    n = numel(x);
    h = diff(x);
    A = eye(n);
    r = zeros(n, 1);
    for i = 2:n-1
        A(i, i-1:i+1) = [h(i-1), 2*(h(i-1) + h(i)), h(i)];
        r(i) = 6*((y(i+1) - y(i))/h(i) - (y(i) - y(i-1))/h(i-1));
    end
    m = A\r;
end

function v = evaluate(x, y, m, t)
    i = find(x <= t, 1, 'last');
    i = min(i, numel(x) - 1);
    h = x(i+1) - x(i);
    a = (x(i+1) - t)/h;
    b = (t - x(i))/h;
    v = a*y(i) + b*y(i+1) + ((a^3 - a)*m(i) + (b^3 - b)*m(i+1))*h^2/6;
end

function v = lagrange(x, y, t)
    v = 0;
    for i = 1:numel(x)
        others = x([1:i-1, i+1:end]);
        v = v + y(i)*prod((t - others)./(x(i) - others));
    end
end

function c = divided(x, y)
    n = numel(x);
    c = y;
    for j = 2:n
        for i = n:-1:j
            c(i) = (c(i) - c(i-1))/(x(i) - x(i-j+1));
        end
    end
end
