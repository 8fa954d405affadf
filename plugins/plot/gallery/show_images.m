subplot(2, 2, 1), imagesc(magic(8)), colorbar, title('imagesc')
subplot(2, 2, 2), imshow(uint8(255 * mat2gray_(peaks(50)))), title('imshow')
subplot(2, 2, 3), pcolor(peaks(12)), title('pcolor')
subplot(2, 2, 4), image(cat(3, repmat(linspace(0, 1, 20), 20, 1), zeros(20), repmat(linspace(1, 0, 20)', 1, 20))), axis image

function y = mat2gray_(x), y = (x - min(x(:))) / (max(x(:)) - min(x(:))); end
