function r = escape(n, steps, type)
% Escape times of z^2 + c: only points that are still inside go on.
[X, Y] = meshgrid(linspace(-2, 0.6, n), linspace(-1.3, 1.3, n));
C = cast(complex(X, Y), type);
Z = zeros(n, n, type);
count = zeros(n, n, type);
for k = 1:steps
    inside = abs(Z) <= 2;
    Z(inside) = Z(inside).^2 + C(inside);
    count(inside) = count(inside) + 1;
end
r = [mean(count(:)), max(count(:)), nnz(count == steps)/n^2];
end
