% First-order recursive filter over M channels of an input that stays. Parameters: M, T, cls, source.
if ~exist('M', 'var'), M = given('HELD_M', 20000); end
if ~exist('T', 'var'), T = given('HELD_T', 200); end
if ~exist('cls', 'var'), cls = given('HELD_CLASS', 'single'); end
if ~exist('source', 'var'), source = given('HELD_SOURCE', 'rng'); end
alpha = 0.98; beta = 0.02;
x = uniform(M, 1, 0, cls, source);
Y = zeros(M, 1, cls);
for t = 1:T
    Y = alpha * Y + beta * x;
end
fprintf('RESULT %.9g\n', mean(Y));
