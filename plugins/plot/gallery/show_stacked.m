t = (0:0.1:10)'; stackedplot(t, [sin(t), cos(2*t), t.^2], 'DisplayLabels', {'sin', 'cos', 'square'}, 'Title', 'Stacked')
