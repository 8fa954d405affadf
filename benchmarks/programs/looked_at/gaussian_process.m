n = 150;
% Training of a Gaussian process by coordinate search.
% At n = 150: -2.2123 2.0303 0.0217
% At n = 8: -2.2085 2.0297 0.0224

points = 12;
x = linspace(0, 4, points)';
y = sin(x) + 0.1*cos(7*x);
model = struct('kernel', {{@se_kernel, @lin_kernel}}, 'hyp', [0.1; 0.2; -1; -2], 'x', x, 'y', y);
for it = 1:n
  for j = 1:numel(model.hyp)
    model.hyp(j) = line_search(@(v) nlml(set_hyp(model, j, v)), model.hyp(j), 0.3/it);
  end
end
[m, s] = predict(model, linspace(0, 4, 7)');
fprintf('%.4f ', nlml(model), sum(m), sum(s)); fprintf('\n');

function model = set_hyp(model, j, v)
  model.hyp(j) = v;
end

function best = line_search(f, start, h)
  best = start; fbest = f(start);
  for k = -4:4
    v = start + k*h;
    fv = f(v);
    if fv < fbest
      best = v; fbest = fv;
    end
  end
end

function K = covariance(model, a, b)
  K = 0;
  for i = 1:numel(model.kernel)
    K = K + feval(model.kernel{i}, model.hyp, a, b);
  end
end

function K = se_kernel(hyp, a, b)
  ell = exp(hyp(1)); sf2 = exp(2*hyp(2));
  K = sf2 * exp(-sq_dist(a/ell, b/ell)/2);
end

function K = lin_kernel(hyp, a, b)
  K = exp(2*hyp(4)) * (a*b');
end

function D = sq_dist(a, b)
  if nargin < 2 || isempty(b)
    b = a;
  end
  [n, d] = size(a); m = size(b, 1);
  D = zeros(n, m);
  for i = 1:d
    D = D + bsxfun(@minus, a(:, i), b(:, i)').^2;
  end
end

function v = nlml(model)
  n = numel(model.y);
  K = covariance(model, model.x, model.x) + (exp(2*model.hyp(3)) + 1e-6)*eye(n);
  [L, p] = chol(K, 'lower');
  if p > 0
    v = Inf; return
  end
  alpha = solve_chol(L, model.y);
  v = model.y'*alpha/2 + sum(log(diag(L))) + n*log(2*pi)/2;
end

function x = solve_chol(L, b)
  x = L' \ (L \ b);
end

function [m, s2] = predict(model, xs)
  n = numel(model.y);
  K = covariance(model, model.x, model.x) + (exp(2*model.hyp(3)) + 1e-6)*eye(n);
  L = chol(K, 'lower');
  Ks = covariance(model, model.x, xs);
  m = Ks' * solve_chol(L, model.y);
  V = L \ Ks;
  s2 = diag(covariance(model, xs, xs)) - sum(V.^2, 1)';
end
