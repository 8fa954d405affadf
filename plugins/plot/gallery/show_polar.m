t = linspace(0, 2*pi, 200); subplot(1, 2, 1), polarplot(t, abs(sin(2*t)), 'r'), title('polarplot')
subplot(1, 2, 2), rose([0.1 0.2 0.3 1 2 2.1 4], 12)
