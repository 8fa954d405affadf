% Normalise images, then gain, offset and gamma. Parameters: B, height, width, cls, source.
imgs = reshape(uniform(B, height * width, 0, cls, source), B, height, width);
mu = mean(imgs, [2 3]);
sigma = sqrt(mean((imgs - mu) .^ 2, [2 3]) + 1e-6);
y = max(((imgs - mu) ./ sigma) * 1.0123 - 0.02, 0) .^ 1.8;
fprintf('RESULT %.9g\n', mean((y - imgs) .^ 2, 'all'));
