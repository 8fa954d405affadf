n = 160;
% Poisson's equation on a grid with a sparse matrix: conjugate gradients and a direct solution.
% At n = 160: 127360 1 0.0927909 1
% At n = 8: 288 1 0.0914798 1

e = ones(n, 1);
T = spdiags([-e 2*e -e], -1:1, n, n);
A = kron(speye(n), T) + kron(T, speye(n));
[X, Y] = meshgrid((1:n)/(n + 1));
b = reshape(exp(X).*(1 - Y.^2), [], 1)/(n + 1)^2;
x = zeros(n^2, 1);
r = b - A*x;
p = r;
rho = r'*r;
steps = 0;
while sqrt(rho) > 1e-9*norm(b) && steps < 2000
    q = A*p;
    alpha = rho/(p'*q);
    x = x + alpha*p;
    r = r - alpha*q;
    fresh = r'*r;
    p = r + (fresh/rho)*p;
    rho = fresh;
    steps = steps + 1;
end
direct = A\b;
fprintf('%d %d %.7f %d\n', nnz(A), steps > 10, max(x), norm(x - direct)/norm(direct) < 1e-6);
