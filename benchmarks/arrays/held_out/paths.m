function r = paths(n, ~, type)
% Shortest paths between all pairs by the algorithm of Floyd and Warshall.
k = 1:n;
D = cast(1 + mod(k'.*37 + k.*61, 101), type);
D(mod(k' + k, 3) == 0) = inf;
D(1:n+1:end) = 0;
for k = 1:n
    D = min(D, D(:, k) + D(k, :));
end
r = [mean(D(:)), max(D(:)), D(2, n)];
end
