for k = 0:5, t = hgtransform; patch([1 2 2 1], [0 0 0.4 0.4], k, 'Parent', t); t.Matrix = makehgtform('zrotate', k * pi / 3); end, axis equal
