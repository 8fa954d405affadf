% Run a recursive filter over many channels at once, and check it in frequency.
%
% Each channel gets a sine of its own frequency. After the filter has settled, the amplitude that is
% left is the magnitude of the frequency response, which a formula gives.

channels = 200;  steps = 3000;  alpha = 0.9;

frequency = linspace(0.001, 0.5, channels);
Y = zeros(1, channels);
largest = zeros(1, channels);
for t = 1:steps
    Y = alpha * Y + (1 - alpha) * sin(2*pi * frequency * t);
    if t > steps - 1000
        largest = max(largest, abs(Y));
    end
end

response = abs((1 - alpha) ./ (1 - alpha * exp(-2i*pi * frequency)));
tail = 1:channels-20;          % near half the sampling rate sines are seen at few phases
off = abs(largest(tail) ./ response(tail) - 1);
cutoff = frequency(find(response < 1/sqrt(2), 1));

fprintf('%d channels, %d steps\n', channels, steps);
fprintf('  gain of the slowest sine:  %.3f\n', largest(1));
fprintf('  half power at about:       %.3f of the sampling rate\n', cutoff);
fprintf('  gain as the formula says:  %s\n', yesno(median(off) < 0.01));

% filter does the same to one signal
x = sin(2*pi * frequency(7) * (1:steps));
z = filter(1 - alpha, [1, -alpha], x);
fprintf('  filter agrees:             %s\n', yesno(abs(z(end) - Y(7)) < 1e-12));

function s = yesno(tf)
    if tf, s = 'yes'; else, s = 'no'; end
end
