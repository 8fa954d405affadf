[x, y, z] = meshgrid(-2:0.2:2); v = x .* exp(-x.^2 - y.^2 - z.^2);
isosurface(x, y, z, v, 0.1), isosurface(x, y, z, v, -0.1), grid on, axis([-2 2 -2 2 -2 2])
