for k = 1:6, plot([0 1], [k k], 'LineWidth', k), hold on, end, ylim([0 7]), title('LineWidth')
