bubblechart([1 2 3 4 5], [2 4 3 6 1], [1 2 3 4 8], [1 2 3 4 5])
hold on, bubblechart(2.5, 6, 5, 'r'), hold off
xlim([0 6]), ylim([0 8]), title('Bubbles'), colorbar
