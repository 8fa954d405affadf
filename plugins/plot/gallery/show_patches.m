patch('Faces', [1 2 3; 2 4 3], 'Vertices', [0 0; 1 0; 0 1; 1 1], 'FaceVertexCData', [1; 2; 3; 4], 'FaceColor', 'interp')
patch([2 3 3 2], [0 0 1 1], [1 2 3 4]), patch([4 5 4.5], [0 0 1], 'g', 'EdgeColor', 'r', 'LineWidth', 2), colorbar
