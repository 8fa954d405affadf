n = 60000;
% A long signal, element by element: exponential smoothing, running maximum, crossings, peaks.
% At n = 60000: 39 1.314958 59 30517 33030.775963
% At n = 800: 6 0.950235 0 412 327.971495

t = (1:n)/n;
x = sin(40*t) + 0.3*cos(901*t) + 0.05*sin((1:n).^2);
s = zeros(1, n);
s(1) = x(1);
for k = 2:n
    s(k) = 0.9*s(k-1) + 0.1*x(k);
end
crossings = 0;
highest = -inf;
records = 0;
for k = 2:n
    if s(k-1) < 0 && s(k) >= 0
        crossings = crossings + 1;
    end
    if s(k) > highest
        highest = s(k);
        records = records + 1;
    end
end
window = 50;
moving = filter(ones(1, window)/window, 1, x);
peaks = 0;
k = 2;
while k < n
    if moving(k) > moving(k-1) && moving(k) > moving(k+1) && moving(k) > 0.8
        peaks = peaks + 1;
        k = k + window;
    else
        k = k + 1;
    end
end
energy = cumsum(s.^2);
half = find(energy > energy(end)/2, 1);
fprintf('%d %.6f %d %d %.6f\n', crossings, highest, peaks, half, energy(end));
