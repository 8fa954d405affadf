% Exponential moving averages of M channels. Parameters: M, T, cls.
if ~exist('M', 'var'), M = given('EMA_M', 20000); end
if ~exist('T', 'var'), T = given('EMA_T', 200); end
if ~exist('cls', 'var'), cls = given('EMA_CLASS', 'single'); end
alpha = 0.1;
k = linspace(zeros(1, cls), ones(1, cls), M)';
y = zeros(M, 1, cls);
for t = 1:T
    y = (1 - alpha) * y + alpha * sin(t * k);
end
fprintf('RESULT %.9g\n', mean(y));
