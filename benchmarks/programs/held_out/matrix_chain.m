n = 80;
% The cheapest order of a chain of products, its parentheses, longest common subsequence.
% At n = 80: 233180 389 ((A1(A2(A3(A 68
% At n = 8: 41568 30 ((A1(A2(A3(A 6

dims = mod((1:n+1)*29, 40) + 5;
cost = zeros(n);
split = zeros(n);
for len = 2:n
    for i = 1:n-len+1
        j = i + len - 1;
        cost(i, j) = Inf;
        for k = i:j-1
            q = cost(i, k) + cost(k+1, j) + dims(i)*dims(k+1)*dims(j+1);
            if q < cost(i, j)
                cost(i, j) = q;
                split(i, j) = k;
            end
        end
    end
end
text = order(split, 1, n);
a = char('a' + mod((1:2*n).^2, 7));
b = char('a' + mod((1:2*n)*3, 7));
L = zeros(2*n + 1);
for i = 1:2*n
    for j = 1:2*n
        if a(i) == b(j)
            L(i+1, j+1) = L(i, j) + 1;
        else
            L(i+1, j+1) = max(L(i, j+1), L(i+1, j));
        end
    end
end
fprintf('%d %d %s %d\n', cost(1, n), length(text), text(1:12), L(end, end));

function s = order(split, i, j)
    if i == j
        s = sprintf('A%d', i);
    else
        k = split(i, j);
        s = ['(' order(split, i, k) order(split, k + 1, j) ')'];
    end
end
