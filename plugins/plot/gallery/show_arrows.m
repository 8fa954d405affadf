[x, y] = meshgrid(-2:0.5:2); subplot(1, 2, 1), quiver(x, y, -y, x), axis equal
subplot(1, 2, 2), quiver3(0, 0, 0, 1, 2, 3), hold on, plot3([0 1], [0 2], [0 3], 'r.'), grid on, view(3)
