n = 2000;
% Closures, folds and filters of handles, recursion.
% At n = 2000: 2128 2117
% At n = 20: 157 2117

adders = cell(1, 10);
for k = 1:10
  adders{k} = compose(@(x) x + k, @(x) mod(x, 97));
end
s = 0;
for rep = 1:n
  for k = 1:10
    s = adders{k}(s + rep);
  end
  s = s + fold(@(a, b) a + b, 0, [1 2 3 4 5]) + fold(@max, -Inf, [3 1 2]);
  v = map(@(x) x^2, 1:6);
  s = s + sum(filterv(@(x) mod(x, 2) == 0, v));
  s = s + pipeline(rep, @(x) x + 1, @(x) x*2, @half);
end
fprintf('%g %d\n', s, fib(17) + ack(2, 3) + hanoi(9));

function h = compose(f, g)
  h = @(x) g(f(x));
end

function a = fold(f, a, v)
  for k = 1:numel(v)
    a = f(a, v(k));
  end
end

function out = map(f, v)
  out = zeros(size(v));
  for k = 1:numel(v)
    out(k) = f(v(k));
  end
end

function out = filterv(f, v)
  out = v(arrayfun(f, v));
end

function x = pipeline(x, varargin)
  for k = 1:numel(varargin)
    f = varargin{k};
    x = f(x);
  end
end

function y = half(x)
  y = x/2;
end

function n = fib(n)
  if n < 2, return; end
  n = fib(n-1) + fib(n-2);
end

function r = ack(m, n)
  if m == 0, r = n + 1;
  elseif n == 0, r = ack(m-1, 1);
  else, r = ack(m-1, ack(m, n-1)); end
end

function c = hanoi(n)
  if n == 0, c = 0; else, c = 2*hanoi(n-1) + 1; end
end
