n = 200;
% Eigenvalues: power iteration, inverse iteration, deflation, unshifted QR; page ranks.
% At n = 200: 2.394968 1 1 0.098141 1
% At n = 10: 2.048953 1 1 0.122078 1

[I, J] = meshgrid(1:n);
A = 1./(I + J - 1) + diag(1:n)/n;
v = ones(n, 1);
lambda = 0;
steps = 0;
while true
    w = A*v;
    fresh = norm(w);
    v = w/fresh;
    steps = steps + 1;
    if abs(fresh - lambda) < 1e-12
        break
    end
    lambda = fresh;
end
shift = 0.5;
u = ones(n, 1);
M = A - shift*eye(n);
for k = 1:60
    u = M\u;
    u = u/norm(u);
end
near = u'*A*u;
B = A(1:8, 1:8);
for k = 1:600
    [Q, R] = qr(B);
    B = R*Q;
end
links = zeros(n);
for k = 1:n
    links(mod(k^2*[3 7 11] + 1, n) + 1, k) = 1;
end
links = links./sum(links);
rank = ones(n, 1)/n;
change = 1;
rounds = 0;
while change > 1e-12
    next = 0.15/n + 0.85*links*rank;
    change = sum(abs(next - rank));
    rank = next;
    rounds = rounds + 1;
end
fprintf('%.6f %d %d %.6f %d\n', lambda, abs(near - 0.5) < 0.1, norm(sort(diag(B)) - sort(eig(A(1:8, 1:8)))) < 1e-6, max(rank), rounds > 5);
