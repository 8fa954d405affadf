n = 8000;
% The wave equation on a string, a row of slices a step, and its energy; advection upwind.
% At n = 8000: 2.964585 0.495913 1.000000 0.399367
% At n = 50: 2.874280 0.500463 1.000000 1.000000

points = 200;
c = 0.9;
x = linspace(0, 1, points);
u = exp(-200*(x - 0.3).^2);
before = u;
energy = zeros(1, n);
for k = 1:n
    after = zeros(1, points);
    after(2:end-1) = 2*u(2:end-1) - before(2:end-1) + c^2*(u(3:end) - 2*u(2:end-1) + u(1:end-2));
    energy(k) = sum((after - u).^2) + c^2*sum(diff(after).*diff(u));
    before = u;
    u = after;
end
q = double(x > 0.2 & x < 0.5);
for k = 1:n
    q = q - 0.4*(q - q([end, 1:end-1]));
end
fprintf('%.6f %.6f %.6f %.6f\n', norm(u), max(abs(u)), energy(end)/energy(1), max(q) - min(q));
