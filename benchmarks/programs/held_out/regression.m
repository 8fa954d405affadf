n = 400;
% Statistics: least squares, residuals, correlation, quantiles, a bootstrap with an own generator.
% At n = 400: 0.487852 0.503379 3.101916 0.480188 0.074901 0.114055 1.278343 0.022110
% At n = 12: -15.694104 0.704600 7.528316 -0.079987 -4.070255 3.375065 0.720774 0.697740

x = (1:n)'/10;
noise = 2*sin(7*x) + cos(23*x.^2);
y = 3 + 0.5*x - 0.01*x.^2 + noise;
A = [ones(n, 1), x, x.^2];
beta = A\y;
residuals = y - A*beta;
r2 = 1 - sum(residuals.^2)/sum((y - mean(y)).^2);
p = polyfit(x, y, 2);
C = corrcoef(x, y);
state = 99;
slopes = zeros(1, 500);
for b = 1:500
    pick = zeros(n, 1);
    for k = 1:n
        state = mod(16807*state, 2147483647);
        pick(k) = floor(n*state/2147483647) + 1;
    end
    xb = x(pick);
    yb = y(pick);
    slopes(b) = sum((xb - mean(xb)).*(yb - mean(yb)))/sum((xb - mean(xb)).^2);
end
slopes = sort(slopes);
groups = mod((1:n)', 4) + 1;
means = zeros(1, 4);
for g = 1:4
    means(g) = mean(y(groups == g));
end
between = sum((means - mean(y)).^2);
fprintf('%.6f %.6f %.6f %.6f ', beta(2), r2, p(3), C(1, 2));
fprintf('%.6f %.6f %.6f %.6f\n', slopes(13), slopes(488), median(abs(residuals)), between);
