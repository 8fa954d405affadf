n = 1000000;
% Quasi-Monte Carlo with Weyl sequences: pi, a call, an Asian option beside the formula.
% At n = 1000000: 1 1 1 7.128065
% At n = 4000: 1 1 1 7.128065

u = weyl(n, 2);
v = weyl(n, 3);
inside = mean(u.^2 + v.^2 < 1)*4;
z = sqrt(-2*log(u)).*cos(2*pi*v);
S0 = 100;
K = 105;
r = 0.03;
sigma = 0.2;
T = 1;
ST = S0*exp((r - sigma^2/2)*T + sigma*sqrt(T)*z);
payoff = max(ST - K, 0);
price = exp(-r*T)*mean(payoff);
half_width = 1.96*std(payoff)/sqrt(n);
d1 = (log(S0/K) + (r + sigma^2/2)*T)/(sigma*sqrt(T));
d2 = d1 - sigma*sqrt(T);
formula = S0*normal(d1) - K*exp(-r*T)*normal(d2);
paths = S0*ones(floor(n/10), 1);
total = zeros(size(paths));
p = primes(100);
for k = 1:12
    w = sqrt(-2*log(weyl(numel(paths), p(2*k - 1)))).*cos(2*pi*weyl(numel(paths), p(2*k)));
    paths = paths.*exp((r - sigma^2/2)/12 + sigma*sqrt(1/12)*w);
    total = total + paths;
end
asian = exp(-r)*mean(max(total/12 - K, 0));
ok = abs(price - formula) < 3*half_width + 0.05;
fprintf('%d %d %d %.6f\n', abs(inside - pi) < 0.1, ok, asian > 1 && asian < formula, formula);

function u = weyl(n, prime)
    u = mod((1:n)'*sqrt(prime), 1);
end

function p = normal(x)
    p = erfc(-x/sqrt(2))/2;
end
