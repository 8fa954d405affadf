subplot(2, 2, 1), stem(sin(0:0.5:6))
subplot(2, 2, 2), stem(sin(0:0.5:6), 'filled', 'r'), hold on, stairs(sin(0:0.5:6), 'k')
subplot(2, 2, 3), stairs([1 3 2 5], 'LineWidth', 2)
subplot(2, 2, 4), stem3(1:8, 1:8, (1:8).^2)
