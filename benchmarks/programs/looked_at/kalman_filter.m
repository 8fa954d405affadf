n = 4000;
% A Kalman filter and smoother of a moving point; a hidden Markov model by Viterbi's algorithm.
% At n = 4000: 0.502706 0.192849 0.508531 -5420.164160 6982
% At n = 20: 0.469882 0.234321 0.607187 -27.861602 52

dt = 0.1;
A = [1 0 dt 0; 0 1 0 dt; 0 0 1 0; 0 0 0 1];
H = [1 0 0 0; 0 1 0 0];
Q = 0.01*eye(4);
R = 0.5*eye(2);
t = (1:n)*dt;
truth = [3*cos(t/5); 2*sin(t/5)];
z = truth + [0.5*sin(37*t.^2); 0.5*cos(53*t.^2)];
x = [z(:, 1); 0; 0];
P = eye(4);
xs = zeros(4, n);
for k = 1:n
    x = A*x;
    P = A*P*A' + Q;
    S = H*P*H' + R;
    K = P*H'/S;
    x = x + K*(z(:, k) - H*x);
    P = (eye(4) - K*H)*P;
    xs(:, k) = x;
end
raw = sqrt(mean(sum((z - truth).^2)));
filtered = sqrt(mean(sum((xs(1:2, :) - truth).^2)));
move = log([0.8 0.15 0.05; 0.1 0.8 0.1; 0.05 0.15 0.8]);
emit = log([0.6 0.3 0.1; 0.2 0.6 0.2; 0.1 0.3 0.6]);
seen = floor(mod((1:n).^2/17, 3)) + 1;
score = emit(:, seen(1));
from = zeros(3, n);
for k = 2:n
    next = zeros(3, 1);
    for s = 1:3
        [best, from(s, k)] = max(score + move(:, s));
        next(s) = best + emit(s, seen(k));
    end
    score = next;
end
path = zeros(1, n);
[~, path(n)] = max(score);
for k = n-1:-1:1
    path(k) = from(path(k+1), k+1);
end
fprintf('%.6f %.6f %.6f %.6f %d\n', raw, filtered, trace(P), max(score), sum(path));
