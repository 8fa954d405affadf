subplot(2, 1, 1), imagesc(magic(6)), colormap(gca, gray), c = colorbar; c.Label.String = 'grey';
subplot(2, 1, 2), surf(peaks(20)), view(2), shading flat, colormap(gca, jet), colorbar('southoutside'), caxis([-5 5])
