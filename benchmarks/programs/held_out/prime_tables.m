n = 200000;
% Sieve of Eratosthenes, twin primes, gaps, factors by trial division.
% At n = 200000: 17984 2160 86 155921 17515006 1941
% At n = 400: 78 21 14 113 226 10

is_prime = true(1, n);
is_prime(1) = false;
for k = 2:floor(sqrt(n))
    if is_prime(k)
        is_prime(k*k:k:n) = false;
    end
end
p = find(is_prime);
gaps = diff(p);
twins = sum(gaps == 2);
[widest, at] = max(gaps);
total = 0;
for k = 1:floor(n/40)
    m = 7*k + 1;
    d = 2;
    while d*d <= m
        while mod(m, d) == 0
            m = m/d;
            total = total + d;
        end
        d = d + 1;
    end
    if m > 1
        total = total + m;
    end
end
counts = histc(p, 0:n/10:n);
fprintf('%d %d %d %d %d %d\n', numel(p), twins, widest, p(at), total, counts(2));
