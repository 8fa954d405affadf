n = 120;
% Integers of any length as arrays of digits: factorials, Fibonacci numbers, powers.
% At n = 120: 199 783 126 1104330705 48 181
% At n = 20: 19 54 21 3542248481 8 46

f = 1;
for k = 2:n
    f = times_small(f, k);
end
a = 0;
b = 1;
for k = 2:5*n
    c = add(a, b);
    a = b;
    b = c;
end
p = 1;
base = [7 3];
for k = 1:floor(n/4)
    p = times(p, base);
end
fprintf('%d %d %d %s %d %d\n', numel(f), sum(f), numel(b), text_of(b(end-9:end)), numel(p), sum(p));

function c = times_small(a, k)
    c = zeros(1, numel(a) + 4);
    carry = 0;
    for i = 1:numel(c)
        if i <= numel(a)
            carry = carry + a(i)*k;
        end
        c(i) = mod(carry, 10);
        carry = floor(carry/10);
    end
    c = trim(c);
end

function c = add(a, b)
    n = max(numel(a), numel(b));
    a(end+1:n) = 0;
    b(end+1:n) = 0;
    c = zeros(1, n + 1);
    carry = 0;
    for i = 1:n
        s = a(i) + b(i) + carry;
        c(i) = rem(s, 10);
        carry = fix(s/10);
    end
    c(n+1) = carry;
    c = trim(c);
end

function c = times(a, b)
    c = conv(a, b);
    c(end+1:end+6) = 0;
    for i = 1:numel(c)-1
        c(i+1) = c(i+1) + floor(c(i)/10);
        c(i) = mod(c(i), 10);
    end
    c = trim(c);
end

function a = trim(a)
    last = find(a, 1, 'last');
    if isempty(last)
        last = 1;
    end
    a = a(1:last);
end

function s = text_of(a)
    s = char(fliplr(a) + '0');
end
