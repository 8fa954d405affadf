function r = american(n, steps, type)
% An American put by regression along simulated paths (Longstaff and Schwartz).
K = 100; rate = 0.05; sigma = 0.3; dt = 1/steps;
S = zeros(n, steps, type);
s = 100*ones(n, 1, type);
for t = 1:steps
    s = s .* exp((rate - sigma^2/2)*dt + sigma*sqrt(dt)*randn(n, 1, type));
    S(:, t) = s;
end
cash = max(K - S(:, steps), 0);
for t = steps-1:-1:1
    cash = cash*exp(-rate*dt);
    in = S(:, t) < K;
    x = S(in, t)/K;
    A = [ones(size(x)), x, x.^2];
    stay = A*((A'*A) \ (A'*cash(in)));
    now = K - S(in, t);
    kept = cash(in);
    kept(now > stay) = now(now > stay);
    cash(in) = kept;
end
r = [mean(cash)*exp(-rate*dt)/10, mean(cash > 0)];
end
