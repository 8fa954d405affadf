"""Programs with one loop drawn from all that a loop may hold, what is not captured included."""

from __future__ import annotations

import random

from tests.fuzz.test_fuzz_loops_repeated import Several

#: Functions of their own files that bodies call.
FUNCTIONS = {
    "damped": "function y = damped(x, g)\nif nargin < 2, g = 0.5; end\ny = g*x + 0.1;\nend\n",
    "split": "function [a, b] = split(x)\nm = mean(x);\na = x - m;\nif nargout > 1, b = m; end\n"
    "end\n",
    "inner": "function y = inner(x, n)\ny = x;\nfor j = 1:n\n  y = 0.9*y + j;\nend\nend\n",
    "noisy": "function y = noisy(x)\ny = 0.5*x + rand(size(x), class(x));\nend\n",
    "early": "function y = early(x, k)\ny = x;\nif numel(x) > 100\n  return\nend\ny = x*k;\nend\n",
}
SETUP = """
rng({seed}); addpath('{folder}');
A = rand(60,50); B = randn(60,50); C = rand(60,50,'single'); x = rand(60,30); r = rand(1,30);
G = rand(60,60)/30; H = rand(50,50)/25; u = x(:,1); k = 2; n = 0; s = 0; flag = true; q = 0.3;
Z = zeros(60,30); W = A; V = B; m = zeros(1,30); K = A > 0.5; c = B + 1i*A; D = zeros(60,30)+1i;
I = int32(100*B); U = uint8(200*A); F = C; P = rand(20,10,30); Q = rand(20,10); word = 'b';
R = zeros(30,60); i8 = int8(3); cells = {{0.5, A}}; p = struct('a', 0.7, 'b', B);
h = @(y) 0.3*y + 1; g = @(y, z) y .* z; steps = 2:9; e = zeros(0,3); X = gpuArray(x); t = -1; d = 1;
o = 0;
"""
#: What functions get and give back.
NAMES = "A B C x r G H u k n s flag q Z W V m K c D I U F P Q word R i8 cells p h g steps e X t d o"
HEADERS = [
    *["for t = 2:9"] * 12,
    *["for t = 9:-1:2"] * 3,
    *["for t = 3:2:27"] * 3,
    *["for t = 2:29"] * 6,
    "for t = 29:-1:2",
    "for t = 9:-1:2",
    "for t = 1:3:25",
    "for t = steps",
    "for t = [3 1 2 7 5 4 9 8]",
    "for t = 2:n",
    "for t = 1:0",
    "for t = 3:NaN",
    "for t = 0.5:1:9.5",
    "for t = int32(2):int32(9)",
    "for t = single(2):single(9)",
    "for t = true",
    "for t = e",
    "for t = 29:-3:1",
    "for t = -3:6",
    *["for w = x"] * 4,
    "for w = X",
    "for w = r",
    "for w = I",
    "for w = P(:,:,3)",
    *["while t < 12"] * 4,
    "while t <= 9",
    "while 9 >= t",
    "while t ~= 12",
    "while t < 2*k + 7",
    "for t = 2:0.5:7",
    "while d > -9",
]
#: What may be captured, in some loops at least.
STATEMENTS = """
I = I + int32(3);
U = U + 7;
F = F .* 0.5 + t;
F = F + rand(60,50,'single');
F = sin(F) .* single(k);
F = F - mean(F);
F = noisy(F);
W = noisy(W);
W = damped(W);
V = damped(V, 0.25);
W = damped(W, k);
[V, w1] = split(V);
[W, ~] = split(W);
W = inner(W, 3);
V = early(V, t);
W = h(W);
V = g(V, A);
u = h(u);
V = V + randn(size(V));
u = u + randn(60, 1);
K = W > V;
K = xor(K, V > 0.1);
W(V > 0.2) = 0;
W(~K) = t;
W = W .* (V > s) - V .* (V <= s);
V = max(min(V, 2), -2);
Z(:,t) = 0;
Z(:,t) = u; u = u + Z(:,t);
Z(:,t) = x(:,t) + Z(:,t-1);
Z(:,end-t) = u;
Z(3:7,t) = 0.5;
Z(2,t) = s; m(t) = Z(2,t);
R(t,:) = u';
R(t,:) = R(t,:) + x(:,t)';
m(t) = m(t-1) + 1;
m(t) = sum(u);
m(t+1) = t;
P(:,:,t) = Q; Q = 0.5*Q + P(:,:,t+1);
Q = Q + P(:,:,t);
W(:,2) = V(:,1); V(:,1) = W(:,3);
W(2,:) = 0.5;
V(:,:) = W;
W = W(:,end:-1:1);
W = W' ; W = W';
W = circshift(W, 1);
W = reshape(W, 50, 60); W = reshape(W, 60, 50);
W = [W(:,2:end), W(:,1)];
W = repmat(u, 1, 50);
W = cumsum(V, 2) / 50;
W = cumprod(abs(V) .* 0.1 + 0.9);
[y1, y2] = max(V); W = W - y1;
[V, y3] = sort(V);
s = s + 1;
s = s + sum(W(:) > 0);
s = mean(abs(V), 'all');
k = min(k, 5);
k = k * 0.5;
n = n + t;
d = d - 1;
d = 3;
q = -q;
i8 = i8 + 1;
flag = ~flag;
word = 'a';
W = W * cells{1};
V = V + cells{2};
W = p.a * W + p.b;
if word == 'a', W = W * 0.5; else, V = V * 0.5; end
switch word, case 'b', W = W + 1; otherwise, W = W - 1; end
if size(W, 1) == 60, W = W + 0.5; end
if isempty(e), u = u * 0.5; end
if numel(r) > 3 && flag, u = u + r(4); end
for j = 1:3, u = u * 0.9 + x(:,j); end
for j = 1:2, for l = 1:2, W = W * 0.9 + j*l; end, end
for j = 1:6, V = V * 0.9 + j; end
for w = x(:,1:2), u = u + w; end
j = 0; while j < 2, W = W * 0.5 + j; j = j + 1; end
W = W + F;
c = c .* (0.3 + 0.1i) + W;
c = conj(c) * 0.5; c(K) = 1i;
c(:,2) = u;
D(:,t) = u + 0.5i; u = u + real(D(:,t));
V = abs(c) + angle(c) * 0.1;
c = c ./ (1 + abs(c));
W = sqrt(W); W = real(W);
V = log(abs(V) + 1e-3) * 0.1;
V = mod(V, 0.7) + rem(W, 0.3);
V = floor(V * 8) / 8;
W = W .^ 2 / (1 + max(abs(W(:)))^2);
W = hypot(V, W) / 2; V = atan2(V, W);
u = x(:, t) .* r(t);
u = X(:, t) + u;
a1 = numel(W) + t; u = u + a1 * 1e-3;
a2 = linspace(0, 1, 60)'; u = u + a2;
a5 = ones(60, 50) * t; W = 0.5 * W + a5;
a6 = isnan(W) | K; V(a6) = 0;
a7 = (1:60)' * 0.01; u = u .* a7;
u = x(:, steps(3));
L = tril(G); u = L \\ (u + 1);
u = (G + 5 * eye(60)) \\ u;
[W, ~] = qr(W, 0);
u = conv(u, [0.25 0.5 0.25], 'same');
W = conv2(W, ones(3) / 9, 'same');
u = filter(0.1, [1 -0.9], u);
u(5) = k;
u = u - u(1);
u = u .* (1:60)';
if t > 5, W = W * 0.9; end
if t == 2, V = A; else, V = 0.5 * V + A; end
if mod(t, 2) == 0, V = V + 1; else, V = V - 1; end
if mod(t, 5) == 0, m(t / 5) = s; end
if mod(t, 5) == 0, u = u * 0.5; end
if ~mod(t, 4), n = n + 1; m(n + 1) = k; end
if rem(t, 4) && t > 3, u = u + rand(60, 1); end
if t > 3 && t <= 12, W = 0.5 * W + A; elseif t > 20, V = V * 0.5; end
if t == 9 || t == 10, Z(:, t) = u; end
if t < 4 | t > 27, W = W + rand(60, 50); end
switch mod(t, 3), case 0, W = W * 0.9; case 1, u = u + t; otherwise, V = V - 0.1; end
if t == 7, c = c * 1i; end
if t == 15, W = A; s = s + 1; end
if t == 20, F = double(F); F = single(F); end
o = o + 1; u = u + x(:, o);
o = o + 1; Z(:, o) = u;
o = o + 2; if o > 9, W = W * 0.7; end
V(K) = V(K) * 0.5;
W(~K) = W(~K) - t;
W(W > 0.5) = W(W > 0.5) - 0.5;
K = V > 0.3; V(K) = V(K) .* A(K) + k;
V(K) = log(abs(V(K)) + 0.5);
W(K) = sqrt(W(K)) - 0.1;
W(K) = damped(W(K), 0.9);
F(F > 1) = F(F > 1) / 2;
I(K) = I(K) - 3;
K = K & W < 1; W(K) = W(K) + s;
u(u > 1) = u(u > 1) .* x(u > 1, 3);
""".strip().splitlines()
#: What ends a trace, or the program.
ODD = """
I = I .* 2 - idivide(I, int32(3));
U = bitxor(U, uint8(15));
W = W + randi(5, 60, 50);
W = W * rand;
if t == 11, F = double(F); end
if t == 8, W = W(:, 1:10); end
if isprime(t), W = W * 0.9; end
if t > 4, fresh = t; end
if x(1, t) > 0.5, W = W * 0.9; end
o = 2 * o + 1; u = u + x(:, o);
V(K) = V(K) / numel(V(K));
z1 = V(K); V(K) = z1 * 0.5;
V(K) = V(~K);
s = sum(V(K));
W(:,t) = u;
p.a = 0.5;
cells{1} = t;
if any(W(:) > 1e3), W = A; end
for j = 1:t, u = u * 0.9; end
W = single(W); W = double(W);
W = W / 0; V = V - Inf * 0;
W(1) = NaN;
u = gather(gpuArray(u) * 0.5);
a3 = eye(60) * u; u = a3;
a4 = zeros(60, 1); a4(t) = 1; u = u + a4;
u = A * V(t, :)'; u = u / norm(u);
u = x(:, min(t, 20));
u = x(:, n);
u = x(:, t + 25);
W = W + ones(60, t);
W = V(:, 1:t) * H(1:t, :);
Z = [Z, u];
m(end + 1) = t;
Z(:, 3) = [];
W = 1;
t = t + 1;
x(:, t) = u;
x = x + 1;
error('fuzz:stop', 'at %d', n);
if t == 6, error('fuzz:stop', 'at six'); end
if t == 7, break; end
if t == 4, continue; end
if t > 7, return; end
try, W = W * 0.5; catch, W = A; end
warning('off', 'all'); W = W * 0.9;
y = arrayfun(@(v) v * 0.5 + 1, W); W = y;
b = @(v) v * t; u = b(u);
V = bsxfun(@plus, V, u);
W = cellfun(@(v) v * 0.5, {W}); W = A;
global gg; gg = t;
eval('W = W * 0.5;');
lastwarn('seen'); W = W * 0.5;
W = real(ifft(fft(W))); V = cov(V) * H; V = [V; V(1:10, :)];
W = interp1(1:60, W, 1:60);
u(t) = 3;
u(t) = u(t) + 1;
W(3, t) = t;
W(t, t) = 1;
r(t) = sum(u) * 1e-3;
W = diff([W; u'  * 0 + W(1, 1:0), V(1, :)]);
""".strip().splitlines()


class Wide(Several):
    """A program whose loop may hold anything.

    Args:
        rng: draws; all depends on it.
    """

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.locals = []
        self.header = rng.choice(HEADERS)
        body = [self.statement() for _ in range(rng.randint(1, 5))]
        before: list[str] = []
        if self.header.startswith("for w"):
            before = ["t = 3;"]
            if rng.random() < 0.6:
                body.append(rng.choice(["u = u + w;", "W = 0.5*W + w;", "V = V .* w;"]))
        elif self.header.startswith("while"):
            before = ["t = 2;"]
            # what would go on for ever
            body = [line for line in body if "continue" not in line and "d = 3" not in line]
            steps = ["d = d - 1;"] if self.header[6] == "d" else ["t = t + 1;", "t = t + 2;"]
            body.append(rng.choice(steps))
        self.text = "\n".join([*before, self.header, *[f"  {line}" for line in body], "end"])

    def large(self, depth: int = 0) -> str:
        if self.rng.random() < 0.85:
            return super().large(depth)
        return self.rng.choice(
            ["double(F)", "double(I)", "K", "real(c)", "p.b", "W.*K", "V(:,[2:50 1])", "h(V)"]
        )

    def statement(self) -> str:
        way = self.rng.random()
        if way < 0.3:
            return super().statement()
        return self.rng.choice(STATEMENTS if way < 0.94 else ODD)

    def function(self, name: str) -> str:
        """The program as a function of all variables, which it gives back."""
        names = ", ".join(NAMES.split())
        return f"function [{names}] = {name}({names})\n{self.text}\nend\n"
