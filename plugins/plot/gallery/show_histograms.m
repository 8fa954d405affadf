x = sin(1:500) .* (1:500) / 100;
subplot(2, 2, 1), histogram(x), title('histogram')
subplot(2, 2, 2), hist(x), title('hist')
subplot(2, 2, 3), histogram(x, 20, 'Normalization', 'pdf', 'DisplayStyle', 'stairs')
subplot(2, 2, 4), histogram2(x, cos(1:500), [8 8])
