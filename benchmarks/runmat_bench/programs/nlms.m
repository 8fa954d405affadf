% Normalised least mean squares, C channels of p taps. Parameters: p, C, T, cls, source.
if ~exist('p', 'var'), p = given('NLMS_P', 64); end
if ~exist('C', 'var'), C = given('NLMS_C', 256); end
if ~exist('T', 'var'), T = given('NLMS_T', 50); end
if ~exist('cls', 'var'), cls = given('NLMS_CLASS', 'single'); end
if ~exist('source', 'var'), source = given('NLMS_SOURCE', 'rng'); end
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
