subplot(1, 2, 1), surf(peaks(25)), shading interp, camlight, lighting gouraud
subplot(1, 2, 2), surfl(peaks(25)), shading interp, colormap(gca, gray)
