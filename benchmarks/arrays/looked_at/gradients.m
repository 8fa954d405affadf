function r = gradients(n, most, type)
% Conjugate gradients for Poisson's equation on a grid, without a matrix.
b = ones(n, type);
b(round(n/3), :) = -2;
x = zeros(n, type);
res = b;
p = res;
rr = sum(res(:).^2);
limit = 1e-4*sqrt(rr);
k = 0;
while sqrt(rr) > limit && k < most
    Ap = 4*p - [zeros(1, n); p(1:end-1, :)] - [p(2:end, :); zeros(1, n)] ...
        - [zeros(n, 1), p(:, 1:end-1)] - [p(:, 2:end), zeros(n, 1)];
    alpha = rr/sum(p(:).*Ap(:));
    x = x + alpha*p;
    res = res - alpha*Ap;
    before = rr;
    rr = sum(res(:).^2);
    p = res + (rr/before)*p;
    k = k + 1;
end
r = [mean(x(:)), max(x(:)), x(round(n/2), round(n/2))];
end
