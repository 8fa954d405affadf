x = sin((1:200).^2) + cos(1:200); subplot(2, 2, 1), histfit(x, 12), title('histfit')
subplot(2, 2, 2), normplot(x(1:40)), title('normplot')
subplot(2, 2, 3), qqplot(x(1:40)), title('qqplot')
subplot(2, 2, 4), plot(1:9, [1 3 2 5 4 7 6 9 8], 'o'), lsline, title('lsline')
