t = 0:0.05:10*pi; plot3(sin(t), cos(t), t, 'LineWidth', 1.5), grid on, box on, xlabel('sin t'), ylabel('cos t'), zlabel('t')
