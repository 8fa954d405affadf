[x, y] = meshgrid(0:4); t = delaunay(x(:), y(:));
subplot(1, 2, 1), triplot(t, x(:), y(:)), axis equal, subplot(1, 2, 2), trisurf(t, x(:), y(:), sin(x(:)) + y(:))
