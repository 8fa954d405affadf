subplot(2, 2, 1), surf(peaks(12)), view(0, 90), subplot(2, 2, 2), surf(peaks(12)), view(0, 0)
subplot(2, 2, 3), surf(peaks(12)), view(60, 20), subplot(2, 2, 4), surf(peaks(12)), view([1 1 1]), axis tight
