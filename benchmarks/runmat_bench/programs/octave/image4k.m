% image4k for Octave before version 9, whose mean takes one dimension: an image is a row here.
imgs = uniform(B, height * width, 0, cls, source);
mu = mean(imgs, 2);
sigma = sqrt(mean((imgs - mu) .^ 2, 2) + 1e-6);
y = max(((imgs - mu) ./ sigma) * 1.0123 - 0.02, 0) .^ 1.8;
fprintf('RESULT %.9g\n', mean((y - imgs)(:) .^ 2));
