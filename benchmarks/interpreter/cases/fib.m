function n = fib(k)
% Doubly recursive Fibonacci numbers: function calls.
    if nargin == 0, k = 20; end
    if k < 2
        n = k;
    else
        n = fib(k - 1) + fib(k - 2);
    end
end
