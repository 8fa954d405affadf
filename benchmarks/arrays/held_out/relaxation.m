function r = relaxation(n, most, type)
% Laplace's equation by Jacobi's method until nothing moves any more.
U = zeros(n, type);
U(1, :) = 1;
U(:, 1) = cast(linspace(1, 0, n)', type);
for k = 1:most
    V = U;
    V(2:n-1, 2:n-1) = (U(1:n-2, 2:n-1) + U(3:n, 2:n-1) + U(2:n-1, 1:n-2) + U(2:n-1, 3:n))/4;
    moved = max(max(abs(V - U)));
    U = V;
    if moved < 1e-4
        break
    end
end
r = [mean(U(:)), U(2, 2), U(3, round(n/2))];
end
