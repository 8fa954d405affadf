subplot(2, 2, 1), surf(peaks(25)), title('surf')
subplot(2, 2, 2), mesh(peaks(25)), title('mesh')
subplot(2, 2, 3), surf(peaks(40)), shading interp, view(-20, 50), camlight, title('interp')
subplot(2, 2, 4), surfc(peaks(25)), title('surfc')
