rectangle('Position', [0 0 4 2], 'FaceColor', [0.9 0.9 0.6]), rectangle('Position', [1 0.5 2 1], 'Curvature', [1 1], 'EdgeColor', 'r', 'LineWidth', 2)
patch([5 7 6], [0 0 2], [0 0.5 1]), line([0 7], [2.5 2.5], 'LineStyle', '--'), axis equal, axis([-1 8 -1 4])
annotation('textbox', [0.6 0.75 0.2 0.1], 'String', 'A note', 'FitBoxToText', 'on'), annotation('arrow', [0.6 0.45], [0.75 0.55])
