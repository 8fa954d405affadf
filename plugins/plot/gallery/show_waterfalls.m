subplot(1, 2, 1), waterfall(peaks(20)), subplot(1, 2, 2), meshz(peaks(20))
