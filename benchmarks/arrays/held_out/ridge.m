function r = ridge(n, steps, type)
% Ridge regression for a row of penalties by Cholesky factors.
d = 200;
X = cast(sin((1:n)'.*(1:d)*0.013) + cos((1:n)'*0.7)/3, type);
y = sum(X(:, 1:5), 2) + cast(sin((1:n)'), type);
G = X'*X/n;
c = X'*y/n;
errors = zeros(steps, 1);
for s = 1:steps
    lambda = 10^(-3 + 3*s/steps);
    R = chol(G + lambda*eye(d, type));
    b = R \ (R' \ c);
    errors(s) = mean((y - X*b).^2);
end
r = [mean(errors), min(errors), sum(abs(b))];
end
