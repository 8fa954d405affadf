[x, y, z] = meshgrid(-2:0.2:2, -2:0.25:2, -2:0.2:2); v = x .* exp(-x.^2 - y.^2 - z.^2);
subplot(1, 2, 1), slice(x, y, z, v, [-1.2 0.8], 2, -0.2), shading flat, colorbar
subplot(1, 2, 2), contourslice(x, y, z, v, [], [], -1:0.5:1), view(3)
