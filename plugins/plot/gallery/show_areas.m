subplot(2, 1, 1), area([1 3 2 4; 2 2 3 1]'), legend('one', 'two')
subplot(2, 1, 2), x = 0:0.1:2*pi; fill([x fliplr(x)], [sin(x) fliplr(cos(x))], [0.3 0.7 0.9], 'FaceAlpha', 0.5), axis tight
