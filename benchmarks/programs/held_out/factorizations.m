n = 120;
% LU with pivoting, Cholesky and Householder QR by hand, checked against the matrix.
% At n = 120: 1 1 1 27.830906 404.202149
% At n = 8: 1 1 1 39.958373 -1.830564

A = zeros(n);
for i = 1:n
    for j = 1:n
        A(i, j) = cos(i*j) + (i == j)*n/4;
    end
end
S = A'*A + eye(n);
[L, U, p] = lu_pivot(A);
e1 = norm(A(p, :) - L*U, 'fro') < 1e-10;
C = cholesky(S);
e2 = norm(C*C' - S, 'fro') < 1e-8;
[Q, R] = householder(A);
e3 = norm(Q*R - A, 'fro') < 1e-10 && norm(Q'*Q - eye(n), 'fro') < 1e-10;
b = (1:n)';
x = back(U, forward(L, b(p)));
fprintf('%d %d %d %.6f %.6f\n', e1, e2, e3, norm(x), sum(log(abs(diag(U)))));

function [L, U, p] = lu_pivot(A)
    n = size(A, 1);
    p = 1:n;
    for k = 1:n-1
        [~, i] = max(abs(A(k:n, k)));
        i = i + k - 1;
        if i ~= k
            A([k i], :) = A([i k], :);
            p([k i]) = p([i k]);
        end
        for i = k+1:n
            A(i, k) = A(i, k)/A(k, k);
            A(i, k+1:n) = A(i, k+1:n) - A(i, k)*A(k, k+1:n);
        end
    end
    L = tril(A, -1) + eye(n);
    U = triu(A);
end

function L = cholesky(A)
    n = size(A, 1);
    L = zeros(n);
    for j = 1:n
        L(j, j) = sqrt(A(j, j) - sum(L(j, 1:j-1).^2));
        for i = j+1:n
            L(i, j) = (A(i, j) - L(i, 1:j-1)*L(j, 1:j-1)')/L(j, j);
        end
    end
end

function [Q, R] = householder(A)
    [m, n] = size(A);
    Q = eye(m);
    R = A;
    for k = 1:min(m - 1, n)
        x = R(k:m, k);
        v = x;
        if x(1) >= 0
            v(1) = v(1) + norm(x);
        else
            v(1) = v(1) - norm(x);
        end
        v = v/norm(v);
        R(k:m, :) = R(k:m, :) - 2*v*(v'*R(k:m, :));
        Q(:, k:m) = Q(:, k:m) - 2*(Q(:, k:m)*v)*v';
    end
end

function x = forward(L, b)
    n = numel(b);
    x = zeros(n, 1);
    for i = 1:n
        x(i) = (b(i) - L(i, 1:i-1)*x(1:i-1))/L(i, i);
    end
end

function x = back(U, b)
    n = numel(b);
    x = zeros(n, 1);
    for i = n:-1:1
        x(i) = (b(i) - U(i, i+1:n)*x(i+1:n))/U(i, i);
    end
end
