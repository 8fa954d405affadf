function r = diffusion(n, steps, type)
% Heat in a square plate by explicit steps; the edges stay as they are.
[X, Y] = meshgrid(linspace(0, 1, n));
T = cast(exp(-80*((X - 0.5).^2 + (Y - 0.4).^2)), type);
k = cast(0.2, type);
for t = 1:steps
    T(2:end-1, 2:end-1) = T(2:end-1, 2:end-1) + k*(T(1:end-2, 2:end-1) + T(3:end, 2:end-1) ...
        + T(2:end-1, 1:end-2) + T(2:end-1, 3:end) - 4*T(2:end-1, 2:end-1));
end
r = [sum(T(:))/n^2, max(T(:)), T(round(n/2), round(n/3))];
end
