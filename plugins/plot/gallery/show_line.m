x = linspace(0, 2*pi);
plot(x, sin(x), x, cos(x), 'r--', x, sin(2*x)/2, 'k:', 'LineWidth', 1.5)
title('Sines'), xlabel('x'), ylabel('y'), legend('sin', 'cos', 'half', 'Location', 'southwest'), grid on
