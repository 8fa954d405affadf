n = 700;
% Geometry: a convex hull by hand, area, points in a polygon, closest pair, segments that cross.
% At n = 700: 14 127.805758 0.004333 138 1208 1
% At n = 24: 7 80.395659 0.118257 6 0 1

t = (1:n)';
x = 10*mod(t*0.6180339887, 1) + sin(t);
y = 10*mod(t*0.7548776662, 1) + cos(2*t);
hull = convex_hull(x, y);
hx = x(hull);
hy = y(hull);
area = abs(sum(hx.*hy([2:end, 1]) - hx([2:end, 1]).*hy))/2;
closest = inf;
for i = 1:n
    for j = i+1:min(n, i + 60)
        d = (x(i) - x(j))^2 + (y(i) - y(j))^2;
        if d < closest
            closest = d;
        end
    end
end
star = [cos((0:4)*4*pi/5)', sin((0:4)*4*pi/5)']*5 + 5;
inside = 0;
for k = 1:n
    inside = inside + in_polygon(x(k), y(k), star);
end
crossings = 0;
for i = 1:floor(n/8)
    for j = i+1:floor(n/8)
        a = [x(i) y(i)];
        b = [x(i+1) y(i+1)];
        c = [x(j) y(j)];
        d = [x(j+1) y(j+1)];
        if turn(a, b, c)*turn(a, b, d) < 0 && turn(c, d, a)*turn(c, d, b) < 0
            crossings = crossings + 1;
        end
    end
end
fprintf('%d %.6f %.6f %d %d %d\n', numel(hull), area, closest, inside, crossings, sum(inpolygon(x, y, hx, hy)) == n);

function hull = convex_hull(x, y)
    [~, order] = sortrows([x y]);
    hull = [half(order, x, y), half(flipud(order), x, y)];
end

function chain = half(order, x, y)
    chain = [];
    for k = order'
        while numel(chain) >= 2 && turn([x(chain(end-1)) y(chain(end-1))], ...
                [x(chain(end)) y(chain(end))], [x(k) y(k)]) <= 0
            chain(end) = [];
        end
        chain(end+1) = k;
    end
    chain(end) = [];
end

function s = turn(a, b, c)
    s = (b(1) - a(1))*(c(2) - a(2)) - (b(2) - a(2))*(c(1) - a(1));
end

function yes = in_polygon(px, py, polygon)
    yes = false;
    n = size(polygon, 1);
    j = n;
    for i = 1:n
        if (polygon(i, 2) > py) ~= (polygon(j, 2) > py)
            cut = polygon(i, 1) + (py - polygon(i, 2))/(polygon(j, 2) - polygon(i, 2))*(polygon(j, 1) - polygon(i, 1));
            if px < cut
                yes = ~yes;
            end
        end
        j = i;
    end
end
