% First-order recursive filter over M channels. Parameters: M, T, cls, source.
if ~exist('M', 'var'), M = given('IIR_M', 20000); end
if ~exist('T', 'var'), T = given('IIR_T', 200); end
if ~exist('cls', 'var'), cls = given('IIR_CLASS', 'single'); end
if ~exist('source', 'var'), source = given('IIR_SOURCE', 'rng'); end
alpha = 0.98; beta = 0.02;
Y = zeros(M, 1, cls);
for t = 1:T
    x = uniform(M, 1, (t - 1) * M, cls, source);
    Y = alpha * Y + beta * x;
end
fprintf('RESULT %.9g\n', mean(Y));
