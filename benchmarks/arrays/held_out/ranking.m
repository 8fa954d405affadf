function r = ranking(n, most, type)
% The ranks of pages by power iteration on a dense matrix of links.
k = 1:n;
A = cast(mod(k'.*k + floor(k'/3), 11) == 0, type);
A = A ./ max(sum(A, 1), 1);
x = ones(n, 1, type)/n;
change = 1;
count = 0;
while change > 1e-5 && count < most
    y = 0.85*(A*x) + 0.15/n;
    y = y/sum(y);
    change = sum(abs(y - x));
    x = y;
    count = count + 1;
end
r = [max(x)*n, sum(x.^2)*n, x(1)*n];
end
