n = 12;
% Edit distances of words, the nearest in a list, an alignment of two sequences.
% At n = 12: 430 -60 30 21432587
% At n = 1: 430 -6 2 21432587

words = {'kitten', 'sitting', 'saturday', 'sunday', 'rosettacode', 'raisethysword', 'gumbo', 'gambol'};
D = zeros(numel(words));
for rep = 1:ceil(n/4)
    for i = 1:numel(words)
        for j = 1:numel(words)
            D(i, j) = distance(words{i}, words{j});
        end
    end
end
a = char('a' + mod((1:10*n).^2, 4));
b = char('a' + mod((1:10*n).*(2:10*n+1), 4));
[score, one, two] = align(a, b);
near = D + diag(inf(1, numel(words)));
[~, closest] = min(near, [], 2);
fprintf('%d %d %d %s\n', sum(D(:)), score, sum(one == two), sprintf('%d', closest));

function d = distance(s, t)
    m = length(s);
    n = length(t);
    D = zeros(m + 1, n + 1);
    D(:, 1) = 0:m;
    D(1, :) = 0:n;
    for i = 1:m
        for j = 1:n
            cost = s(i) ~= t(j);
            D(i+1, j+1) = min([D(i, j+1) + 1, D(i+1, j) + 1, D(i, j) + cost]);
        end
    end
    d = D(end, end);
end

function [score, one, two] = align(a, b)
    m = length(a);
    n = length(b);
    S = zeros(m + 1, n + 1);
    S(:, 1) = -2*(0:m);
    S(1, :) = -2*(0:n);
    for i = 1:m
        for j = 1:n
            if a(i) == b(j)
                match = 1;
            else
                match = -1;
            end
            S(i+1, j+1) = max(max(S(i, j) + match, S(i, j+1) - 2), S(i+1, j) - 2);
        end
    end
    score = S(end, end);
    one = '';
    two = '';
    i = m;
    j = n;
    while i > 0 || j > 0
        if i > 0 && j > 0 && S(i+1, j+1) == S(i, j) + 2*(a(i) == b(j)) - 1
            one = [a(i) one];
            two = [b(j) two];
            i = i - 1;
            j = j - 1;
        elseif i > 0 && S(i+1, j+1) == S(i, j+1) - 2
            one = [a(i) one];
            two = ['-' two];
            i = i - 1;
        else
            one = ['-' one];
            two = [b(j) two];
            j = j - 1;
        end
    end
end
