subplot(1, 2, 1), compass([1 2 -1 0], [0 2 1 -3])
subplot(1, 2, 2), t = (-90:10:90) * pi / 180; feather(2 * cos(t), 2 * sin(t)), axis equal
