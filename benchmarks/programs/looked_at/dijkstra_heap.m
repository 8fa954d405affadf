n = 10;
% Priority queue of structures, shortest paths on a grid.
% At n = 10: 302940
% At n = 1: 30294

side = 18;
total = 0;
for rep = 1:n
  dist = dijkstra(side, @(a, b) 1 + mod(a*7 + b*13 + rep, 10));
  total = total + sum(dist(:));
end
fprintf('%g\n', total);

function dist = dijkstra(n, weight)
  dist = Inf(n, n);
  dist(1, 1) = 0;
  q = queue_new();
  q = push(q, struct('key', 0, 'r', 1, 'c', 1));
  steps = [0 1; 1 0; 0 -1; -1 0];
  while ~queue_empty(q)
    [q, item] = pop(q);
    if item.key > dist(item.r, item.c)
      continue
    end
    for k = 1:4
      r = item.r + steps(k, 1);
      c = item.c + steps(k, 2);
      if inside(r, c, n)
        d = item.key + weight(sub(item.r, item.c, n), sub(r, c, n));
        if d < dist(r, c)
          dist(r, c) = d;
          q = push(q, struct('key', d, 'r', r, 'c', c));
        end
      end
    end
  end
end

function s = sub(r, c, n)
  s = (c - 1)*n + r;
end

function t = inside(r, c, n)
  t = r >= 1 && c >= 1 && r <= n && c <= n;
end

function q = queue_new()
  q.items = {};
  q.count = 0;
end

function e = queue_empty(q)
  e = q.count == 0;
end

function q = push(q, item)
  q.count = q.count + 1;
  q.items{q.count} = item;
  i = q.count;
  while i > 1
    p = floor(i/2);
    if less(q.items{i}, q.items{p})
      q = swap(q, i, p);
      i = p;
    else
      break
    end
  end
end

function [q, item] = pop(q)
  item = q.items{1};
  q.items{1} = q.items{q.count};
  q.items(q.count) = [];
  q.count = q.count - 1;
  i = 1;
  while true
    best = i;
    for child = [2*i, 2*i+1]
      if child <= q.count && less(q.items{child}, q.items{best})
        best = child;
      end
    end
    if best == i
      break
    end
    q = swap(q, i, best);
    i = best;
  end
end

function t = less(a, b)
  t = a.key < b.key;
end

function q = swap(q, i, j)
  tmp = q.items{i};
  q.items{i} = q.items{j};
  q.items{j} = tmp;
end
