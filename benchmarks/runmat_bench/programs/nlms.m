% Normalised least mean squares, C channels of p taps. Parameters: p, C, T, cls, source.
mu = 0.5; eps0 = 1e-3;
W = zeros(p, C, cls);
for t = 1:T
    x = uniform(p, C, (t - 1) * p * C, cls, source);
    d = sum(x .* x, 1);
    y = sum(x .* W, 1);
    e = d - y;
    nx = sum(x .^ 2, 1) + eps0;
    W = W + mu * x .* (e ./ nx);
end
fprintf('RESULT %.9g\n', mean((d - sum(x .* W, 1)) .^ 2));
