function r = neighbours(n, steps, type)
% Classification of points by the labels of their nearest neighbours.
d = 3; classes = 4;
X = cast(sin((1:n)'.*(1:d)*1.7) + mod((1:n)', classes)/3, type);
label = mod((1:n)', classes) + 1;
right = 0;
far = 0;
for s = 1:steps
    Q = X + 0.05*s;
    D = sum(Q.^2, 2) + sum(X.^2, 2)' - 2*Q*X';
    [near, order] = sort(D, 2);
    votes = label(order(:, 1:9));
    guess = mode(votes, 2);
    right = right + mean(guess == label);
    far = far + mean(near(:, 9));
end
r = [right/steps, far/steps];
end
