subplot(2, 2, 1), mesh(peaks(15)), subplot(2, 2, 2), meshc(peaks(15)), subplot(2, 2, 3), meshz(peaks(15))
subplot(2, 2, 4), fmesh(@(x, y) sin(x) + cos(y))
