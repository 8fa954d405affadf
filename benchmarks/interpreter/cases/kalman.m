function result = kalman()
% A Kalman filter: products and quotients of small matrices, pages, fields of a structure.
model = struct('A', [1 0 1 0; 0 1 0 1; 0 0 1 0; 0 0 0 1], 'Q', 1e-3*eye(4), ...
    'C', [1 0 0 0; 0 1 0 0], 'R', 0.1*eye(2));
steps = 1000;
at = (1:steps)/50;
X = [cumsum(sin(at)); cumsum(cos(at))];
mu = zeros(4, steps);
V = zeros(4, 4, steps);
V(:, :, 1) = eye(4);
loglik = zeros(1, steps);
for t = 2:steps
    [mu(:, t), V(:, :, t), loglik(t)] = update(model, X(:, t), mu(:, t - 1), V(:, :, t - 1));
end
result = round(1e6*(sum(loglik)/steps + trace(V(:, :, steps)) + mu(1, steps)));
end

function [mu, V, loglik] = update(model, x, mu, V)
P = model.A*V*model.A' + model.Q;
S = model.C*P*model.C' + model.R;
K = P*model.C'/S;
mu = model.A*mu;
e = x - model.C*mu;
mu = mu + K*e;
V = (eye(4) - K*model.C)*P;
U = chol(S);
z = U'\e;
loglik = -(2*log(2*pi) + z'*z)/2 - sum(log(diag(U)));
end
