function r = transport(n, steps, type)
% Optimal transport between two distributions by Sinkhorn's scaling.
x = linspace(0, 1, n)';
a = cast(exp(-50*(x - 0.3).^2), type);
b = cast(exp(-20*(x - 0.6).^2), type);
a = a/sum(a);
b = b/sum(b);
C = cast((x - x').^2, type);
K = exp(-C/0.02);
u = ones(n, 1, type);
for t = 1:steps
    v = b ./ (K'*u);
    u = a ./ (K*v);
end
P = u .* K .* v';
r = [sum(sum(P .* C))*10, max(P(:))*n, sum(P(:))];
end
