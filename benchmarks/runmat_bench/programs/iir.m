% First-order recursive filter over M channels. Parameters: M, T, cls, source.
alpha = 0.98; beta = 0.02;
Y = zeros(M, 1, cls);
for t = 1:T
    x = uniform(M, 1, (t - 1) * M, cls, source);
    Y = alpha * Y + beta * x;
end
fprintf('RESULT %.9g\n', mean(Y));
