function r = filtering(n, steps, type)
% An image split into bands of frequencies, and the energy of each.
[X, Y] = meshgrid(1:n);
A = cast(sin(X/3) + cos(Y/7).*sin(X.*Y/n) + mod(X + Y, 2)/4, type);
k = [0:ceil(n/2)-1, -floor(n/2):-1];
radius = cast(sqrt(k.^2 + k'.^2), type);
S = fft2(A);
energy = zeros(steps, 1);
smooth = zeros(n, type);
for b = 1:steps
    low = (b - 1)*n/(2*steps);
    band = exp(-((radius - low)/(n/20)).^2);
    part = real(ifft2(S .* band));
    energy(b) = mean(part(:).^2);
    smooth = smooth + part/b;
end
r = [mean(energy), max(energy), mean(abs(smooth(:)))];
end
