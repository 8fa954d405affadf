function total = array_growth()
% A hundred thousand element writes into an array that grows.
    a = [];
    for i = 1:100000
        a(i) = i;
    end
    total = sum(a);
end
