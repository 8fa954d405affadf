[x, y, z] = peaks(40);
subplot(2, 2, 1), contour(x, y, z), title('contour')
subplot(2, 2, 2), contourf(x, y, z), colorbar, title('contourf')
subplot(2, 2, 3), [c, h] = contour(x, y, z, [-4 -2 0 2 4], 'k'); clabel(c, h)
subplot(2, 2, 4), contour3(x, y, z, 20)
