x = linspace(0, 10, 50); y = sin(x); fill([x fliplr(x)], [y + 0.3, fliplr(y - 0.3)], 'b', 'FaceAlpha', 0.2, 'EdgeColor', 'none')
hold on, plot(x, y, 'b', 'LineWidth', 1.5), legend('band', 'mean')
