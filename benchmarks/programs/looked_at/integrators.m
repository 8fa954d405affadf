n = 1600;
% Runge-Kutta by hand, adaptive steps, Newton, bisection, Simpson through handles.
% At n = 1600: 2.1904 -0.6755 960 7897.48343
% At n = 10: 2.1904 -0.6755 960 49.35927

p = struct('sigma', 10, 'rho', 28, 'beta', 8/3);
f = @(t, y) lorenz(t, y, p);
[t, y] = rk4(f, [0 3], [1; 1; 1], 6000);
[t2, y2, stats] = adaptive(@(t, y) pendulum(t, y, 0.1), [0 12], [2; 0], 'tol', 1e-6, 'monitor', @(t, y) numel(y));
g = @(x) x^3 - 2*x - 5;
s = 0;
for k = 1:n
  s = s + newton(g, @(x) 3*x^2 - 2, 2 + k/1000) + bisect(g, 1, 4, 1e-8) + simpson(@(x) exp(-x^2), 0, 1, 20);
end
fprintf('%.4f %.4f %d %.5f\n', norm(y(1:3, 50)), y2(1, end), stats.calls, s);

function dy = lorenz(t, y, p)
  dy = [p.sigma*(y(2) - y(1)); y(1)*(p.rho - y(3)) - y(2); y(1)*y(2) - p.beta*y(3)];
end

function dy = pendulum(t, y, c)
  dy = [y(2); -sin(y(1)) - c*y(2)];
end

function [t, y] = rk4(f, span, y0, n)
  h = (span(2) - span(1))/n;
  t = linspace(span(1), span(2), n + 1);
  y = zeros(numel(y0), n + 1);
  y(:, 1) = y0;
  for k = 1:n
    yk = y(:, k);
    k1 = f(t(k), yk);
    k2 = f(t(k) + h/2, yk + h/2*k1);
    k3 = f(t(k) + h/2, yk + h/2*k2);
    k4 = f(t(k) + h, yk + h*k3);
    y(:, k+1) = yk + h/6*(k1 + 2*k2 + 2*k3 + k4);
  end
end

function [t, y, stats] = adaptive(f, span, y0, varargin)
  opt = struct('tol', 1e-4, 'monitor', [], 'h', 0.1);
  for k = 1:2:numel(varargin)
    name = varargin{k};
    if ~isfield(opt, name), error('odes:option', 'Unknown option %s', name); end
    opt.(name) = varargin{k+1};
  end
  stats.calls = 0; stats.rejected = 0;
  t = span(1); y = y0; h = opt.h;
  tn = t; yn = y0;
  while tn < span(2)
    h = min(h, span(2) - tn);
    [y1, stats] = step(f, tn, yn, h, stats);
    [ya, stats] = step(f, tn, yn, h/2, stats);
    [y2, stats] = step(f, tn + h/2, ya, h/2, stats);
    err = max(abs(y2 - y1));
    if err < opt.tol
      tn = tn + h; yn = y2;
      t(end+1) = tn; y(:, end+1) = yn;
      if ~isempty(opt.monitor), stats.m = opt.monitor(tn, yn); end
    else
      stats.rejected = stats.rejected + 1;
    end
    h = h * min(2, max(0.3, 0.9*(opt.tol/(err + eps))^0.2));
  end
end

function [y, stats] = step(f, t, y, h, stats)
  k1 = f(t, y);
  k2 = f(t + h/2, y + h/2*k1);
  k3 = f(t + h/2, y + h/2*k2);
  k4 = f(t + h, y + h*k3);
  y = y + h/6*(k1 + 2*k2 + 2*k3 + k4);
  stats.calls = stats.calls + 4;
end

function x = newton(f, df, x)
  for k = 1:50
    d = f(x)/df(x);
    x = x - d;
    if abs(d) < 1e-12, return; end
  end
end

function m = bisect(f, a, b, tol)
  while b - a > tol
    m = (a + b)/2;
    if sign(f(m)) == sign(f(a)), a = m; else, b = m; end
  end
end

function s = simpson(f, a, b, n)
  h = (b - a)/n;
  s = f(a) + f(b);
  for k = 1:n-1
    if mod(k, 2), w = 4; else, w = 2; end
    s = s + w*f(a + k*h);
  end
  s = s*h/3;
end
