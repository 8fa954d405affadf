subplot(2, 2, 1), bar([3 5 2 6]), title('bar')
subplot(2, 2, 2), bar([1 2 3; 4 5 6; 3 2 4]), legend('a', 'b', 'c', 'Location', 'northwest')
subplot(2, 2, 3), bar([1 2 3; 4 5 6; 3 2 -1], 'stacked')
subplot(2, 2, 4), barh([3 5 2 6], 'FaceColor', [0.8 0.3 0.1]), set(gca, 'YTickLabel', {'w', 'x', 'y', 'z'})
