function r = clusters(n, steps, type)
% Lloyd's algorithm for k-means with 16 centres in 8 dimensions.
k = 16; d = 8;
X = cast(sin((1:n)'.*(1:d)*0.37) + mod((1:n)', k)/4, type);
C = X(1:k, :);
for t = 1:steps
    D = sum(C.^2, 2)' - 2*X*C';
    [~, label] = min(D, [], 2);
    for j = 1:k
        members = label == j;
        C(j, :) = sum(X(members, :), 1)/max(nnz(members), 1);
    end
end
r = [mean(C(:)), max(C(:)), mean(min(D, [], 2))];
end
