subplot(2, 1, 1), plot(1:10, (1:10) * 1e5), title('large'), subplot(2, 1, 2), plot((1:10) * 1e-6, (1:10) * 1e-4), xlabel('small')
