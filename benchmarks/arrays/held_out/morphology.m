function r = morphology(n, steps, type)
% Opening of an image by erosion and dilation with a cross, edges repeated.
[X, Y] = meshgrid(1:n);
A = cast(sin(X/9).*cos(Y/5) + mod(X.*Y, 7)/7, type);
B = A;
for t = 1:steps
    P = B([1, 1:n, n], [1, 1:n, n]);
    B = min(min(min(P(1:n, 2:n+1), P(3:n+2, 2:n+1)), min(P(2:n+1, 1:n), P(2:n+1, 3:n+2))), B);
end
for t = 1:steps
    P = B([1, 1:n, n], [1, 1:n, n]);
    B = max(max(max(P(1:n, 2:n+1), P(3:n+2, 2:n+1)), max(P(2:n+1, 1:n), P(2:n+1, 3:n+2))), B);
end
r = [mean(B(:)), max(B(:)), mean(A(:) - B(:))];
end
