% Identify unknown echo paths with the normalised least mean squares filter.
%
% Every channel has a path of its own that the filter knows nothing of. It sees what is played and
% what comes back, and adapts its taps until the echo is gone.

taps = 16;  channels = 64;  steps = 2000;
mu = 0.5;  small = 1e-3;

rng(11);
path = randn(taps, channels) .* exp(-(0:taps-1)' / 4);
W = zeros(taps, channels);
x = zeros(taps, channels);
power = zeros(steps, 1);
for t = 1:steps
    x = [randn(1, channels); x(1:end-1, :)];
    echo = sum(x .* path, 1) + 1e-3 * randn(1, channels);
    e = echo - sum(x .* W, 1);
    W = W + mu * x .* (e ./ (sum(x.^2, 1) + small));
    power(t) = mean(e.^2);
end

first = mean(power(1:20));
last = mean(power(end-99:end));
fprintf('%d channels of %d taps, %d steps\n', channels, taps, steps);
fprintf('  error falls by more than 50 dB: %s\n', yesno(10*log10(first / last) > 50));
fprintf('  every tap within 0.01:          %s\n', yesno(max(abs(W - path), [], 'all') < 0.01));
blocks = mean(reshape(power(1:200), 20, []));
fprintf('  it falls block after block:     %s\n', yesno(all(diff(blocks) < 0)));

function s = yesno(tf)
    if tf, s = 'yes'; else, s = 'no'; end
end
