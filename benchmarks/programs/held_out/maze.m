n = 40;
% A maze dug by depth-first search, solved by breadth-first search; topological order; union-find.
% At n = 40: 724 1520 3199 1558
% At n = 4: 20 26 31 15

side = 2*n + 1;
wall = true(side);
state = 7;
stack = [2 2];
wall(2, 2) = false;
while ~isempty(stack)
    here = stack(end, :);
    ways = [];
    for step = [0 0 2 -2; 2 -2 0 0]
        there = here + step';
        if all(there >= 2) && all(there <= side - 1) && wall(there(1), there(2))
            ways = [ways; there];
        end
    end
    if isempty(ways)
        stack(end, :) = [];
    else
        state = mod(16807*state, 2147483647);
        next = ways(mod(state, size(ways, 1)) + 1, :);
        between = (here + next)/2;
        wall(between(1), between(2)) = false;
        wall(next(1), next(2)) = false;
        stack(end+1, :) = next;
    end
end
distance = -ones(side);
distance(2, 2) = 0;
queue = {[2 2]};
while ~isempty(queue)
    p = queue{1};
    queue(1) = [];
    for step = [0 0 1 -1; 1 -1 0 0]
        q = p + step';
        if ~wall(q(1), q(2)) && distance(q(1), q(2)) < 0
            distance(q(1), q(2)) = distance(p(1), p(2)) + 1;
            queue{end+1} = q;
        end
    end
end
parent = 1:n^2;
joined = 0;
for k = 1:2*n^2
    state = mod(16807*state, 2147483647);
    [a, parent] = root(parent, mod(state, n^2) + 1);
    state = mod(16807*state, 2147483647);
    [b, parent] = root(parent, mod(state, n^2) + 1);
    if a ~= b
        parent(a) = b;
        joined = joined + 1;
    end
end
fprintf('%d %d %d %d\n', distance(side - 1, side - 1), max(distance(:)), sum(~wall(:)), joined);

function [r, parent] = root(parent, k)
    r = k;
    while parent(r) ~= r
        parent(r) = parent(parent(r));
        r = parent(r);
    end
end
