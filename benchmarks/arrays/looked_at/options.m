function r = options(n, steps, type)
% Prices and volatilities of European options; the latter by Newton's method.
s = cast(linspace(80, 120, n)', type);
K = 100; rate = 0.03; T = 0.5 + cast(mod((1:n)', 7), type)/7;
N = @(x) 0.5*erfc(-x/sqrt(2));
sigma = 0.2 + 0.1*sin(s);
d1 = (log(s/K) + (rate + sigma.^2/2).*T) ./ (sigma.*sqrt(T));
price = s.*N(d1) - K*exp(-rate*T).*N(d1 - sigma.*sqrt(T));
guess = 0.25*ones(n, 1, type);
for k = 1:steps
    d1 = (log(s/K) + (rate + guess.^2/2).*T) ./ (guess.*sqrt(T));
    value = s.*N(d1) - K*exp(-rate*T).*N(d1 - guess.*sqrt(T));
    vega = s.*exp(-d1.^2/2)/sqrt(2*pi).*sqrt(T);
    guess = max(guess - (value - price)./max(vega, 1e-3), 0.01);
end
put = price - s + K*exp(-rate*T);
r = [mean(price), max(put), mean(guess)];
end
