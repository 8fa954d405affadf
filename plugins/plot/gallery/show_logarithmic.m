x = logspace(-1, 2);
subplot(2, 2, 1), semilogx(x, x), title('semilogx'), grid on
subplot(2, 2, 2), semilogy(x, exp(x / 10)), title('semilogy'), grid on
subplot(2, 2, 3:4), loglog(x, x.^2, 'o-'), title('loglog'), grid on, xlabel('x')
