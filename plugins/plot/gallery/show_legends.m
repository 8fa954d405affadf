h = plot(1:4, [1 4 2 3], 's-', 1:4, [2 1 3 4], '^:', 1:4, [4 3 1 2], 'x--');
l = legend(h, {'squares', 'triangles', 'crosses'}, 'Location', 'southoutside', 'Orientation', 'horizontal'); title(l, 'Lines')
