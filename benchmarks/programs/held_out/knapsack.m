n = 60;
% The 0-1 knapsack by dynamic programming over a table, then the items chosen; coin change.
% At n = 60: 1186 34 300 373922325
% At n = 6: 105 3 29 471363

weights = mod((1:n)*37, 23) + 1;
values = mod((1:n)*53, 47) + 5;
capacity = 5*n;
best = zeros(n + 1, capacity + 1);
for i = 1:n
    for c = 0:capacity
        best(i+1, c+1) = best(i, c+1);
        if weights(i) <= c
            candidate = best(i, c - weights(i) + 1) + values(i);
            if candidate > best(i+1, c+1)
                best(i+1, c+1) = candidate;
            end
        end
    end
end
chosen = [];
c = capacity;
for i = n:-1:1
    if best(i+1, c+1) ~= best(i, c+1)
        chosen(end+1) = i;
        c = c - weights(i);
    end
end
coins = [1 2 5 10 20 50 100 200];
ways = zeros(1, 50*n + 1);
ways(1) = 1;
for coin = coins
    for amount = coin:50*n
        ways(amount+1) = mod(ways(amount+1) + ways(amount-coin+1), 1e9 + 7);
    end
end
fprintf('%d %d %d %d\n', best(end, end), numel(chosen), sum(weights(chosen)), ways(end));
