function count = sieve()
% Sieve of Eratosthenes to a million: element reads and writes.
    n = 1000000;
    prime = true(1, n);
    prime(1) = false;
    i = 2;
    while i*i <= n
        if prime(i)
            j = i*i;
            while j <= n
                prime(j) = false;
                j = j + i;
            end
        end
        i = i + 1;
    end
    count = sum(prime);
end
