n = 40;
% Poisson's equation with linear triangles: element loop, sparse assembly, solution.
% At n = 40: 3200 7449 0.073635 0.035073
% At n = 4: 32 33 0.070312 0.028809

[X, Y] = meshgrid(linspace(0, 1, n + 1));
points = [X(:), Y(:)];
triangles = zeros(2*n^2, 3);
t = 0;
for i = 1:n
    for j = 1:n
        a = (j - 1)*(n + 1) + i;
        triangles(t+1, :) = [a, a + n + 1, a + 1];
        triangles(t+2, :) = [a + 1, a + n + 1, a + n + 2];
        t = t + 2;
    end
end
I = zeros(9*t, 1);
J = I;
V = I;
load_vector = zeros(size(points, 1), 1);
at = 0;
for k = 1:t
    nodes = triangles(k, :);
    [K, area] = stiffness(points(nodes, :));
    for r = 1:3
        for c = 1:3
            at = at + 1;
            I(at) = nodes(r);
            J(at) = nodes(c);
            V(at) = K(r, c);
        end
        load_vector(nodes(r)) = load_vector(nodes(r)) + area/3;
    end
end
A = sparse(I, J, V);
border = points(:, 1) == 0 | points(:, 1) == 1 | points(:, 2) == 0 | points(:, 2) == 1;
inner = find(~border);
u = zeros(size(points, 1), 1);
u(inner) = A(inner, inner)\load_vector(inner);
fprintf('%d %d %.6f %.6f\n', t, nnz(abs(A(inner, inner)) > 1e-10), max(u), sum(u)/n^2);

function [K, area] = stiffness(P)
    B = [P(2, :) - P(1, :); P(3, :) - P(1, :)];
    area = abs(det(B))/2;
    G = B\[-1 1 0; -1 0 1];
    K = area*(G'*G);
end
