plot(0:4, (0:4).^2, '-s', 'MarkerFaceColor', 'g')
title({'\bfTwo lines', 'x^2 + \alpha_i \leq \infty'}), xlabel('\theta (rad)'), ylabel('E = mc^2')
text(1, 12, '\leftarrow here', 'FontSize', 14, 'Color', 'r'), text(2.5, 2, 'plain_text^2', 'Interpreter', 'none')
text(0.5, 8, '$\frac{a}{b} + \sqrt{x}$', 'Interpreter', 'latex', 'FontSize', 14), yline(4, '--', 'limit'), xline(3, 'r')
