n = 220;
% Jacobi and Gauss-Seidel iterations until they converge.
% At n = 220: 273 152 6.680271 1
% At n = 12: 50 30 1.205962 1

A = zeros(n);
for i = 1:n
    A(i, i) = 4;
    if i > 1, A(i, i-1) = -1; end
    if i < n, A(i, i+1) = -1; end
    if i > 7, A(i, i-7) = -0.9; end
    if i <= n - 7, A(i, i+7) = -0.9; end
end
b = sin((1:n)');
D = diag(A);
R = A - diag(D);
x = zeros(n, 1);
jacobi_steps = 0;
change = inf;
while change > 1e-10
    fresh = (b - R*x)./D;
    change = norm(fresh - x, inf);
    x = fresh;
    jacobi_steps = jacobi_steps + 1;
end
y = zeros(n, 1);
seidel_steps = 0;
change = inf;
while change > 1e-10
    change = 0;
    for i = 1:n
        old = y(i);
        y(i) = (b(i) - A(i, :)*y + A(i, i)*y(i))/A(i, i);
        change = max(change, abs(y(i) - old));
    end
    seidel_steps = seidel_steps + 1;
end
fprintf('%d %d %.6f %d\n', jacobi_steps, seidel_steps, norm(x), norm(x - y) < 1e-8);
