function r = forces(n, steps, type)
% Bodies that attract each other, all pairs at once, by leapfrog steps.
k = cast((1:n)', type);
x = [cos(k).*k/n, sin(k).*k/n, cos(3*k)/10];
v = [-x(:,2), x(:,1), zeros(n, 1)]/2;
m = ones(1, n, type)/n;
dt = 0.01;
for t = 1:steps
    dx = x(:,1)' - x(:,1);
    dy = x(:,2)' - x(:,2);
    dz = x(:,3)' - x(:,3);
    d2 = dx.^2 + dy.^2 + dz.^2 + 0.01;
    f = m ./ (d2 .* sqrt(d2));
    a = [sum(f.*dx, 2), sum(f.*dy, 2), sum(f.*dz, 2)];
    v = v + dt*a;
    x = x + dt*v;
end
r = [sum(v(:).^2)/n, max(x(:)), mean(abs(x(:,3)))];
end
