function r = reaction(n, steps, type)
% The reaction and diffusion of Gray and Scott on a torus.
[X, Y] = meshgrid(linspace(-1, 1, n));
seed = cast(exp(-40*(X.^2 + Y.^2)), type);
U = 1 - seed/2;
V = seed/4;
around = @(A) circshift(A, 1, 1) + circshift(A, -1, 1) ...
    + circshift(A, 1, 2) + circshift(A, -1, 2) - 4*A;
for t = 1:steps
    made = U.*V.^2;
    U = U + 0.16*around(U) - made + 0.035*(1 - U);
    V = V + 0.08*around(V) + made - 0.095*V;
end
r = [mean(U(:)), mean(V(:)), max(V(:))];
end
