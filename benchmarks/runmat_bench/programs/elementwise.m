% A chain of elementwise functions and its sum. Parameters: n, cls.
if ~exist('n', 'var'), n = given('ELEMENTWISE_N', 1000000); end
if ~exist('cls', 'var'), cls = given('ELEMENTWISE_CLASS', 'single'); end
x = linspace(zeros(1, cls), cast(4*pi, cls), n);
y0 = sin(x) .* exp(-x / 10);
y1 = y0 .* cos(x / 4) + 0.25 * y0 .^ 2;
y2 = tanh(y1) + 0.1 * y1;
fprintf('RESULT %.9g\n', sum(y2));
