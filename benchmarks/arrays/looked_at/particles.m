function r = particles(n, steps, type)
% A particle filter of the usual growth model, resampled systematically in each step.
x = randn(n, 1, type);
found = zeros(steps, 1);
for t = 1:steps
    y = 10 + 8*sin(t/3);
    x = 0.5*x + 25*x./(1 + x.^2) + 8*cos(1.2*t) + sqrt(10)*randn(n, 1, type);
    w = exp(-(y - x.^2/20).^2/2) + 1e-30;
    w = w/sum(w);
    found(t) = sum(w .* abs(x));
    edges = min([0; cumsum(w)], 1);
    edges(end) = 1;
    u = ((0:n-1)' + rand)/n;
    x = x(discretize(cast(u, type), edges));
end
r = [mean(found), mean(abs(x))];
end
