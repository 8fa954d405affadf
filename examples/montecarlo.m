% Price a European call option by Monte Carlo and compare with the closed form.
%
% A quarter of a million geometric Brownian paths take 64 steps each. There are no device flags and
% no loops over paths: the arithmetic is written as a textbook would write it.

paths = 250000;
steps = 64;

S0 = 100;  K = 100;  mu = 0.05;  sigma = 0.2;  T = 1;
dt = T / steps;

rng(7);
tic
S = S0 * ones(paths, 1);
for t = 1:steps
    Z = randn(paths, 1);
    S = S .* exp((mu - sigma^2/2)*dt + sigma*sqrt(dt) .* Z);
end
payoff = exp(-mu*T) * max(S - K, 0);
price = mean(payoff);
stderror = std(payoff) / sqrt(paths);
elapsed = toc;

exact = black_scholes(S0, K, mu, sigma, T);

fprintf('European call, %d paths of %d steps\n', paths, steps);
fprintf('  closed form        %8.4f\n', exact);
fprintf('  within 4 standard errors of it: %s\n', yesno(abs(price - exact) < 4*stderror));
fprintf('  standard error below 0.05:      %s\n', yesno(stderror < 0.05));
if isempty(getenv('RUNMAT_QUIET'))
    fprintf('  estimate           %8.4f +- %.4f\n', price, stderror);
    fprintf('  %.1f million path steps in %.2f s\n', paths*steps/1e6, elapsed);
end

function c = black_scholes(S, K, r, sigma, T)
    d1 = (log(S/K) + (r + sigma^2/2)*T) / (sigma*sqrt(T));
    d2 = d1 - sigma*sqrt(T);
    N = @(x) erfc(-x/sqrt(2)) / 2;
    c = S*N(d1) - K*exp(-r*T)*N(d2);
end

function s = yesno(tf)
    if tf, s = 'yes'; else, s = 'no'; end
end
