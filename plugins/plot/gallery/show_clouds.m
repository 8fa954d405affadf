t = linspace(0, 6*pi, 200); scatter3(cos(t) .* t, sin(t) .* t, t, 30, t, 'filled'), colormap(jet), colorbar, xlabel('x')
