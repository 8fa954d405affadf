x = 1:8; y = x.^1.5;
errorbar(x, y, 0.2 * y, 'o-', 'LineWidth', 1), hold on
errorbar(x, y / 2, ones(1, 8), 'horizontal', 's'), xlim([0 10]), legend('vertical', 'horizontal', 'Location', 'best')
