function r = equalization(n, steps, type)
% Histogram equalisation of several images by cumulative counts.
[X, Y] = meshgrid(1:n);
r = zeros(1, 3);
for s = 1:steps
    I = floor(127*(1 + sin(X/50 + s).*cos(Y/70)));
    counts = accumarray(I(:) + 1, 1, [256, 1]);
    cdf = cumsum(counts)/numel(I);
    J = cast(cdf(I + 1), type);
    r = r + [mean(J(:)), max(J(:)), mean(abs(J(:) - 0.5))];
end
r = r/steps;
end
