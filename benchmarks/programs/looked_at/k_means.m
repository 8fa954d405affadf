n = 1800;
% k-means by loops over clusters, nearest neighbours, principal components of the centres.
% At n = 1800: 1 4101.546087 1800 27.284146 40.998544
% At n = 40: 1 85.599153 40 27.878890 40.225829

k = 4;
t = (1:n)';
centres = [0 0; 8 1; 3 9; 10 10];
X = centres(mod(t, k) + 1, :) + [1.5*sin(t.^2), 1.5*cos(3*t.^2)];
C = X([1 4 7 10], :);
for iteration = 1:50
    D = zeros(n, k);
    for j = 1:k
        D(:, j) = sum((X - repmat(C(j, :), n, 1)).^2, 2);
    end
    [d, label] = min(D, [], 2);
    old = C;
    for j = 1:k
        if any(label == j)
            C(j, :) = mean(X(label == j, :), 1);
        end
    end
    if norm(old - C) < 1e-12
        break
    end
end
right = 0;
for i = 1:n
    distance = sum((X - X(i, :)).^2, 2);
    distance(i) = inf;
    [~, order] = sort(distance);
    votes = label(order(1:5));
    right = right + (mode(votes) == label(i));
end
Z = X - mean(X);
[V, L] = eig(Z'*Z/(n - 1));
fprintf('%d %.6f %d %.6f %.6f\n', iteration > 1, sum(d), right, max(diag(L)), sum(sort(C(:))));
