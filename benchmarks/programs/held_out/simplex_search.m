n = 12;
% Minimizing without and with derivatives: Nelder-Mead by hand, BFGS, Newton for systems.
% At n = 12: 12 1 1 467.507761
% At n = 1: 1 1 1 38.668113

rosenbrock = @(x) sum(100*(x(2:end) - x(1:end-1).^2).^2 + (1 - x(1:end-1)).^2);
hits = 0;
for k = 1:n
    [x, f] = nelder_mead(rosenbrock, [-1.2 + k/20, 1 - k/30], 1e-10);
    hits = hits + (f < 1e-6 && norm(x - 1) < 1e-2);
end
[xb, steps] = bfgs(rosenbrock, zeros(4, 1));
residual = 0;
for k = 1:20*n
    r = newton(@(v) [v(1)^2 + v(2)^2 - 4; v(1)*v(2) - 1 + k/1000], [2; 0.5]);
    residual = residual + r(1);
end
fprintf('%d %d %d %.6f\n', hits, norm(xb - 1) < 1e-3, steps > 5, residual);

function [best, fbest] = nelder_mead(f, start, tolerance)
    d = numel(start);
    points = repmat(start, d + 1, 1);
    for i = 1:d
        points(i+1, i) = points(i+1, i) + 0.5;
    end
    values = zeros(d + 1, 1);
    for i = 1:d+1
        values(i) = f(points(i, :));
    end
    for step = 1:400
        [values, order] = sort(values);
        points = points(order, :);
        if values(end) - values(1) < tolerance
            break
        end
        centre = mean(points(1:d, :), 1);
        reflected = centre + (centre - points(end, :));
        fr = f(reflected);
        if fr < values(1)
            expanded = centre + 2*(centre - points(end, :));
            fe = f(expanded);
            if fe < fr
                points(end, :) = expanded;
                values(end) = fe;
            else
                points(end, :) = reflected;
                values(end) = fr;
            end
        elseif fr < values(d)
            points(end, :) = reflected;
            values(end) = fr;
        else
            inner = centre + 0.5*(points(end, :) - centre);
            fi = f(inner);
            if fi < values(end)
                points(end, :) = inner;
                values(end) = fi;
            else
                for i = 2:d+1
                    points(i, :) = points(1, :) + 0.5*(points(i, :) - points(1, :));
                    values(i) = f(points(i, :));
                end
            end
        end
    end
    best = points(1, :);
    fbest = values(1);
end

function [x, steps] = bfgs(f, x)
    n = numel(x);
    H = eye(n);
    g = gradient_of(f, x);
    for steps = 1:200
        p = -H*g;
        t = 1;
        while f(x + t*p) > f(x) + 1e-4*t*(g'*p) && t > 1e-10
            t = t/2;
        end
        s = t*p;
        x = x + s;
        fresh = gradient_of(f, x);
        y = fresh - g;
        g = fresh;
        if norm(g) < 1e-6
            return
        end
        if y'*s > 1e-12
            rho = 1/(y'*s);
            H = (eye(n) - rho*s*y')*H*(eye(n) - rho*y*s') + rho*(s*s');
        end
    end
end

function g = gradient_of(f, x)
    g = zeros(size(x));
    for i = 1:numel(x)
        e = zeros(size(x));
        e(i) = 1e-6;
        g(i) = (f(x + e) - f(x - e))/2e-6;
    end
end

function x = newton(F, x)
    for k = 1:30
        f = F(x);
        J = zeros(numel(x));
        for j = 1:numel(x)
            e = zeros(size(x));
            e(j) = 1e-7;
            J(:, j) = (F(x + e) - f)/1e-7;
        end
        step = J\f;
        x = x - step;
        if norm(step) < 1e-10
            break
        end
    end
end
