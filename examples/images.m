% Normalise a stack of images, correct their gamma and sharpen them.
%
% The images are made of waves and noise, each with a brightness and a contrast of its own. After
% normalisation all are alike, whatever they began with.

count = 6;  height = 120;  width = 160;

rng(5);
[x, y] = meshgrid(linspace(0, 1, width), linspace(0, 1, height));
images = zeros(height, width, count);
for k = 1:count
    scene = sin(6*pi*x + k) .* cos(4*pi*y) + 0.05 * randn(height, width);
    images(:, :, k) = 20*k + (5 + k) * scene;
end

mu = mean(images, [1 2]);
sigma = std(images, 0, [1 2]);
flat = (images - mu) ./ sigma;
bright = max(0.5 + flat / 6, 0) .^ 1.8;

blur = ones(3) / 9;
sharp = zeros(size(bright));
for k = 1:count
    smooth = conv2(bright(:, :, k), blur, 'same');
    sharp(:, :, k) = min(max(2 * bright(:, :, k) - smooth, 0), 1);
end

fprintf('%d images of %d x %d\n', count, height, width);
fprintf('  brightness before: %s\n', sprintf('%6.1f', round(mu(:), 0)));
fprintf('  brightness after:  %s\n', sprintf('%6.1f', abs(round(mean(flat, [1 2]), 6))));
fprintf('  contrast after:    %s\n', sprintf('%6.1f', std(flat, 0, [1 2])));
fprintf('  values stay between 0 and 1: %s\n', yesno(min(sharp, [], 'all') >= 0 && max(sharp, [], 'all') <= 1));
inner = @(a) a(2:end-1, 2:end-1, :);
steps = @(a) mean(abs(diff(inner(a), 1, 2)), 'all');
fprintf('  edges are steeper:           %s\n', yesno(steps(sharp) > 1.2 * steps(bright)));

function s = yesno(tf)
    if tf, s = 'yes'; else, s = 'no'; end
end
