t = linspace(0, 4*pi, 120);
subplot(1, 2, 1), scatter(t, sin(t), 20 + 4*t, t, 'filled'), colorbar
subplot(1, 2, 2), scatter(cos(t), sin(t) .* t, 'rx'), hold on, scatter(0, 0, 100, 'b', 'd')
