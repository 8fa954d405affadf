subplot(1, 2, 1), [x, y, z] = cylinder(2 + cos(0:0.3:2*pi)); surf(x, y, z)
subplot(1, 2, 2), [x, y, z] = sphere(16); surf(x, y, z), axis equal, hold on, surf(x + 1, y, z)
