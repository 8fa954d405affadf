t = linspace(0, 40, 4000); binscatter(cos(t) .* t, sin(2*t) .* t, 30), colorbar, title('binscatter')
