function z = gaussian(count, t, cls, source)
% GAUSSIAN  A column of standard normal numbers; with 'lcg' by Box-Muller of step t's uniforms.
if strcmp(source, 'rng')
    z = randn(count, 1, cls);
else
    u = uniform(count, 1, (2*t - 2) * count, cls, source);
    v = uniform(count, 1, (2*t - 1) * count, cls, source);
    z = sqrt(-2 * log(max(u, 1e-7))) .* cos(2*pi * v);
end
end
