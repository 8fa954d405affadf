[x, y] = meshgrid(-2:0.2:2); subplot(1, 2, 1), streamslice(x, y, -y, x), axis tight
subplot(1, 2, 2), quiver(x(1:3:end, 1:3:end), y(1:3:end, 1:3:end), 0*x(1:3:end, 1:3:end) + 1, y(1:3:end, 1:3:end)), hold on
streamline(x, y, 0*x + 1, y, -2 * ones(1, 5), -0.4:0.2:0.4)
