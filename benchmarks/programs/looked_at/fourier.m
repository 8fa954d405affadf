n = 4096;
% The fast Fourier transform by recursion and in place, a product of polynomials, a spectrum.
% At n = 4096: 1 50 1 1
% At n = 64: 1 14 1 1

x = sin(2*pi*50*(0:n-1)/n) + 0.5*cos(2*pi*120*(0:n-1)/n);
X = recursive(x);
Y = in_place(x);
agrees = norm(X - fft(x)) < 1e-8 && norm(Y - X) < 1e-8;
[~, peak] = max(abs(X(1:n/2)));
p = mod(1:n/8, 7);
padded = [p zeros(1, n/8)];
square = real(conj(recursive(conj(recursive(padded).^2))))/(n/4);
exact = conv(p, p);
slow = zeros(1, 64);
for k = 0:63
    for t = 0:63
        slow(k+1) = slow(k+1) + x(t+1)*exp(-2i*pi*k*t/64);
    end
end
fprintf('%d %d %d %d\n', agrees, peak - 1, norm(square(1:end-1) - exact) < 1e-6, norm(slow - fft(x(1:64))) < 1e-9);

function X = recursive(x)
    n = numel(x);
    if n == 1
        X = x;
        return
    end
    even = recursive(x(1:2:end));
    odd = recursive(x(2:2:end));
    w = exp(-2i*pi*(0:n/2-1)/n).*odd;
    X = [even + w, even - w];
end

function x = in_place(x)
    n = numel(x);
    j = 1;
    for i = 1:n-1
        if i < j
            t = x(i);
            x(i) = x(j);
            x(j) = t;
        end
        m = n/2;
        while m >= 1 && j > m
            j = j - m;
            m = m/2;
        end
        j = j + m;
    end
    len = 2;
    while len <= n
        w = exp(-2i*pi*(0:len/2-1)/len);
        for start = 1:len:n
            a = x(start:start+len/2-1);
            b = w.*x(start+len/2:start+len-1);
            x(start:start+len-1) = [a + b, a - b];
        end
        len = 2*len;
    end
end
