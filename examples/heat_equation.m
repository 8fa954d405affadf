% Solve the heat equation u_t = u_xx by Crank-Nicolson on finer and finer grids, and measure the
% order of convergence against the exact solution sin(pi x) exp(-pi^2 t).

grids = [10 20 40 80 160];
T = 0.1;
err = zeros(size(grids));

for k = 1:numel(grids)
    n = grids(k);
    u = crank_nicolson(n, T);
    x = (0:n)' / n;
    err(k) = max(abs(u - sin(pi*x)*exp(-pi^2*T)));
end

order = log2(err(1:end-1) ./ err(2:end));
fprintf('%6s %12s %7s\n', 'cells', 'max error', 'order');
for k = 1:numel(grids)
    if k == 1
        fprintf('%6d %12.3e\n', grids(k), err(k));
    else
        fprintf('%6d %12.3e %7.3f\n', grids(k), err(k), order(k-1));
    end
end

if all(abs(order - 2) < 0.05)
    disp('second order, as it should be')
end

% the discrete operator of the coarsest grid, and its smallest eigenvalue
A = laplacian(5)
lambda = min(eig(-A));
fprintf('smallest eigenvalue %.4f (continuous: %.4f)\n', lambda, pi^2);

function u = crank_nicolson(n, T)
    A = laplacian(n);
    steps = n;
    dt = T / steps;
    I = eye(n - 1);
    x = (1:n-1)' / n;
    v = sin(pi*x);
    for s = 1:steps
        v = (I - dt/2*A) \ ((I + dt/2*A)*v);
    end
    u = [0; v; 0];
end

function A = laplacian(n)
    e = ones(n - 2, 1);
    A = n^2 * (diag(e, 1) - 2*eye(n - 1) + diag(e, -1));
end
