function r = network(n, steps, type)
% Training of a network with one hidden layer by gradient descent with momentum.
d = 64; h = 128; rate = 0.1;
X = cast(sin((1:n)'.*(1:d)*0.01), type);
Y = cast(cos((1:n)'*0.05), type);
W1 = cast(sin((1:d)'.*(1:h))/sqrt(d), type);
W2 = cast(cos((1:h)')/sqrt(h), type);
b1 = zeros(1, h, type); b2 = cast(0, type);
M1 = zeros(d, h, type); M2 = zeros(h, 1, type);
for t = 1:steps
    H = tanh(X*W1 + b1);
    e = H*W2 + b2 - Y;
    dH = (e*W2') .* (1 - H.^2);
    M1 = 0.9*M1 - rate*(X'*dH)/n;
    M2 = 0.9*M2 - rate*(H'*e)/n;
    b1 = b1 - rate*mean(dH, 1);
    b2 = b2 - rate*mean(e);
    W1 = W1 + M1;
    W2 = W2 + M2;
end
r = [mean(e.^2), sum(W1(:).^2)/h, W2(1)];
end
