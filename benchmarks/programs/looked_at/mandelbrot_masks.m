n = 500;
% The Mandelbrot and a Julia set: iterate all points, stop those that escape by a mask.
% At n = 500: 3296140 43586 2210257 1
% At n = 20: 4750 62 3380 1

[x, y] = meshgrid(linspace(-2, 1, n), linspace(-1.5, 1.5, n));
c = x + 1i*y;
z = zeros(n);
count = zeros(n);
alive = true(n);
for k = 1:60
    z(alive) = z(alive).^2 + c(alive);
    alive(abs(z) > 2) = false;
    count(alive) = count(alive) + 1;
end
w = x + 1i*y;
steps = zeros(n);
inside = abs(w) < 2;
while any(inside(:)) && max(steps(:)) < 40
    w(inside) = w(inside).^2 - 0.75 + 0.1i;
    inside = inside & abs(w) < 2;
    steps = steps + inside;
end
fprintf('%d %d %d %d\n', sum(count(:)), sum(alive(:)), sum(steps(:)), max(max(abs(z(alive)))) <= 2);
