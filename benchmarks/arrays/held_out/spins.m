function r = spins(n, steps, type)
% The Ising model by Metropolis' rule on the two colours of a checkerboard.
[X, Y] = meshgrid(1:n);
S = ones(n, n, type);
beta = 0.6;
for t = 1:steps
    for colour = 0:1
        field = circshift(S, [1 0]) + circshift(S, [-1 0]) ...
            + circshift(S, [0 1]) + circshift(S, [0 -1]);
        flip = mod(X + Y, 2) == colour & rand(n, n, type) < exp(-2*beta*S.*field);
        S(flip) = -S(flip);
    end
end
r = [abs(mean(S(:))), mean(S(:).*field(:))/4];
end
