% Principal components of measurements that three causes explain, by subspace iteration.
%
% Twelve quantities are measured five thousand times. Three causes of different strength drive them,
% and noise is added; the components of largest variance find the space of the causes again.

n = 5000;  d = 12;  k = 3;

rng(3);
causes = randn(n, k) .* [4 2 1];
[mixing, ~] = qr(randn(d, k), 0);
A = causes * mixing' + 0.1 * randn(n, d);

A = A - mean(A);
G = (A' * A) / (n - 1);
Q = mixing + 0.5 * randn(d, k);
[Q, ~] = qr(Q, 0);
for iteration = 1:50
    [Q, ~] = qr(G * Q, 0);
end
variances = sort(diag(Q' * G * Q), 'descend');

angle = subspace(Q, mixing);
fprintf('%d measurements of %d quantities\n', n, d);
fprintf('  standard deviations near 4, 2 and 1: %s\n', yesno(all(abs(sqrt(variances)' - [4 2 1]) < 0.1)));
fprintf('  share of the variance above 99 %%:    %s\n', yesno(sum(variances) / trace(G) > 0.99));
fprintf('  the space of the causes is found:    %s\n', yesno(angle < 0.01));
fprintf('  components are orthogonal:           %s\n', yesno(norm(Q' * Q - eye(k)) < 1e-12));

% the same from the eigenvalues of the covariance
exact = sort(eig(cov(A)), 'descend');
fprintf('  variances are the eigenvalues:       %s\n', yesno(norm(variances - exact(1:k)) < 1e-8));

function s = yesno(tf)
    if tf, s = 'yes'; else, s = 'no'; end
end
