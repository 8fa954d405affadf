% PCA by subspace iteration. Parameters: n, d, k, cls, source.
if ~exist('n', 'var'), n = given('PCA_N', 2000); end
if ~exist('d', 'var'), d = given('PCA_D', 64); end
if ~exist('k', 'var'), k = given('PCA_K', 8); end
if ~exist('cls', 'var'), cls = given('PCA_CLASS', 'single'); end
if ~exist('source', 'var'), source = given('PCA_SOURCE', 'rng'); end
A = uniform(n, d, 0, cls, source);
Q = uniform(d, k, 0, cls, source);
A = A - mean(A, 1);
G = (A' * A) / (n - 1);
[Q, ~] = qr(Q, 0);
for iteration = 1:15
    Q = G * Q;
    [Q, ~] = qr(Q, 0);
end
Lambda = diag(Q' * G * Q);
fprintf('RESULT %.9g %.9g\n', sum(Lambda), Lambda(1) / trace(G));
