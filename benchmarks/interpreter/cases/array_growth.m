function total = array_growth(n)
% Element writes into an array that grows, a hundred thousand unless told.
    if nargin == 0, n = 100000; end
    a = [];
    for i = 1:n
        a(i) = i;
    end
    total = sum(a);
end
