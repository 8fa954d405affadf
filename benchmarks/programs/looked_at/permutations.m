n = 7;
% Recursion: permutations, subsets with a sum, towers of Hanoi, Gray codes, partitions.
% At n = 7: 5040 26 71 1023 CB 1000000 3718
% At n = 3: 6 8 1 63 CB 100 77

rows = permute_all(1:n);
distances = mod((1:n)'*(1:n)*7, 19) + 1;
shortest = inf;
for k = 1:size(rows, 1)
    tour = rows(k, :);
    total = 0;
    for j = 1:n-1
        total = total + distances(tour(j), tour(j+1));
    end
    shortest = min(shortest, total);
end
subsets = count_subsets(mod((1:2*n)*5, 13) + 1, 20);
moves = hanoi(n + 3, 'A', 'B', 'C', {});
codes = gray(n);
fprintf('%d %d %d %d %s %s %d\n', size(rows, 1), shortest, subsets, numel(moves), moves{end}, ...
    codes{end}, partitions(4*n, 4*n));

function rows = permute_all(items)
    if numel(items) <= 1
        rows = items;
        return
    end
    rows = [];
    for k = 1:numel(items)
        rest = items([1:k-1, k+1:end]);
        part = permute_all(rest);
        rows = [rows; repmat(items(k), size(part, 1), 1), part];
    end
end

function count = count_subsets(items, target)
    if target == 0
        count = 1;
    elseif target < 0 || isempty(items)
        count = 0;
    else
        count = count_subsets(items(2:end), target) + count_subsets(items(2:end), target - items(1));
    end
end

function moves = hanoi(n, from, to, other, moves)
    if n > 0
        moves = hanoi(n - 1, from, other, to, moves);
        moves{end+1} = [from to];
        moves = hanoi(n - 1, other, to, from, moves);
    end
end

function codes = gray(n)
    if n == 0
        codes = {''};
        return
    end
    part = gray(n - 1);
    codes = [strcat('0', part), strcat('1', part(end:-1:1))];
end

function p = partitions(n, largest)
    if n == 0
        p = 1;
    elseif n < 0 || largest == 0
        p = 0;
    else
        p = partitions(n - largest, largest) + partitions(n, largest - 1);
    end
end
