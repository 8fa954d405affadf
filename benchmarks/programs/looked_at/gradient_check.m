n = 25;
% Gradient of a small neural network against differences.
% At n = 25: 1 0.888367
% At n = 1: 1 1.191197

sizes = [4 6 5 3];
net = make_net(sizes, @tanh_act, @tanh_grad);
X = reshape(sin(1:4*8), 4, 8);
Y = reshape(cos(1:3*8), 3, 8);
worst = 0;
for rep = 1:n
  [c, g] = cost(net, X, Y);
  theta = pack(net);
  num = zeros(size(theta));
  h = 1e-5;
  for i = 1:numel(theta)
    t = theta;
    t(i) = t(i) + h;
    cp = cost(unpack(net, t), X, Y);
    t(i) = t(i) - 2*h;
    cm = cost(unpack(net, t), X, Y);
    num(i) = (cp - cm) / (2*h);
  end
  d = norm(num - g) / norm(num + g);
  worst = max(worst, d);
  net = unpack(net, theta - 0.05*g);
end
fprintf('%d %.6f\n', worst < 1e-6, c);

function net = make_net(sizes, f, df)
  net.layers = {};
  for k = 1:numel(sizes)-1
    W = reshape(sin((1:sizes(k+1)*sizes(k))*k), sizes(k+1), sizes(k));
    layer = struct('W', W, 'b', zeros(sizes(k+1), 1), 'f', f, 'df', df);
    net.layers{end+1} = layer;
  end
  net.lambda = 0.01;
end

function y = tanh_act(x)
  y = tanh(x);
end

function y = tanh_grad(a)
  y = 1 - a.^2;
end

function [c, g] = cost(net, X, Y)
  m = size(X, 2);
  acts = forward(net, X);
  E = acts{end} - Y;
  c = sum(E(:).^2) / (2*m) + regularise(net);
  if nargout > 1
    g = backward(net, acts, E, m);
  end
end

function r = regularise(net)
  r = 0;
  for k = 1:numel(net.layers)
    r = r + net.lambda/2 * sum(net.layers{k}.W(:).^2);
  end
end

function acts = forward(net, X)
  acts = {X};
  for k = 1:numel(net.layers)
    L = net.layers{k};
    acts{k+1} = L.f(bsxfun(@plus, L.W * acts{k}, L.b));
  end
end

function g = backward(net, acts, E, m)
  n = numel(net.layers);
  parts = cell(1, n);
  for k = n:-1:1
    L = net.layers{k};
    D = E .* L.df(acts{k+1});
    gW = D * acts{k}' / m + net.lambda * L.W;
    gb = sum(D, 2) / m;
    parts{k} = [gW(:); gb];
    E = L.W' * D;
  end
  g = vertcat(parts{:});
end

function theta = pack(net)
  parts = cellfun(@(L) [L.W(:); L.b], net.layers, 'UniformOutput', false);
  theta = vertcat(parts{:});
end

function net = unpack(net, theta)
  at = 0;
  for k = 1:numel(net.layers)
    n = numel(net.layers{k}.W);
    net.layers{k}.W = reshape(theta(at+1:at+n), size(net.layers{k}.W));
    at = at + n;
    n = numel(net.layers{k}.b);
    net.layers{k}.b = theta(at+1:at+n);
    at = at + n;
  end
end
