% Normalise images, then gain, offset and gamma. Parameters: B, height, width, cls, source.
if ~exist('B', 'var'), B = given('IMAGE4K_B', 2); end
if ~exist('height', 'var'), height = given('IMAGE4K_HEIGHT', 180); end
if ~exist('width', 'var'), width = given('IMAGE4K_WIDTH', 320); end
if ~exist('cls', 'var'), cls = given('IMAGE4K_CLASS', 'single'); end
if ~exist('source', 'var'), source = given('IMAGE4K_SOURCE', 'rng'); end
imgs = reshape(uniform(B, height * width, 0, cls, source), B, height, width);
mu = mean(imgs, [2 3]);
sigma = sqrt(mean((imgs - mu) .^ 2, [2 3]) + 1e-6);
y = max(((imgs - mu) ./ sigma) * 1.0123 - 0.02, 0) .^ 1.8;
fprintf('RESULT %.9g\n', mean((y - imgs) .^ 2, 'all'));
