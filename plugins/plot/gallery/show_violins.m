y = [sin((1:60)'.^2), cos((1:60)') + 1, mod((1:60)' * 3, 7) / 3]; violinplot(y)
hold on, boxchart(y, 'BoxWidth', 0.1)
