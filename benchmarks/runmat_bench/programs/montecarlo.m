% Price of a European call by geometric Brownian motion. Parameters: M, T, cls, source.
if ~exist('M', 'var'), M = given('MONTECARLO_M', 40000); end
if ~exist('T', 'var'), T = given('MONTECARLO_T', 16); end
if ~exist('cls', 'var'), cls = given('MONTECARLO_CLASS', 'single'); end
if ~exist('source', 'var'), source = given('MONTECARLO_SOURCE', 'rng'); end
S0 = 100; mu = 0.05; sigma = 0.2; dt = 1/252; K = 100;
drift = (mu - sigma^2/2) * dt;
scale = sigma * sqrt(dt);
S = S0 * ones(M, 1, cls);
for t = 1:T
    S = S .* exp(drift + scale .* gaussian(M, t, cls, source));
end
price = mean(max(S - K, 0)) * exp(-mu * T * dt);
fprintf('RESULT %.9g\n', price);
