x = 0:0.1:10; plot(x, exp(-x/3) .* cos(3*x), 'Color', [0.2 0.6 0.3], 'LineWidth', 1.5)
ax = gca; ax.XAxisLocation = 'origin'; ax.Box = 'off'; ax.TickDir = 'out'; ax.FontSize = 12; ax.XColor = 'r';
xticks(0:2.5:10), xticklabels({'0', 'a', 'b', 'c', 'end'}), ytickformat('%.2f'), title('Decorated', 'subtitle below')
