function r = wave(n, steps, type)
% A drum: the wave equation in two dimensions with a clamped edge.
[X, Y] = ndgrid(linspace(0, 1, n));
now = cast(exp(-200*((X - 0.3).^2 + (Y - 0.6).^2)), type);
old = now;
kernel = cast([0 1 0; 1 -4 1; 0 1 0], type);
for t = 1:steps
    new = 2*now - old + 0.25*conv2(now, kernel, 'same');
    new([1 end], :) = 0;
    new(:, [1 end]) = 0;
    old = now;
    now = new;
end
r = [mean(abs(now(:))), max(now(:)), mean(now(:).^2)*100];
end
