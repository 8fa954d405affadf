[x, y, z] = meshgrid(-2:2); coneplot(x, y, z, -y, x, z/2, x(1:3:end), y(1:3:end), z(1:3:end)), view(3), grid on, axis equal
