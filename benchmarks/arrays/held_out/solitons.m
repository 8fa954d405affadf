function r = solitons(n, steps, type)
% The nonlinear Schroedinger equation by split steps in space and frequency.
L = 40;
x = cast((-n/2:n/2-1)'*L/n, type);
k = cast([0:n/2-1, -n/2:-1]'*2*pi/L, type);
dt = 0.005;
u = 1./cosh(x + 5).*exp(2i*x) + 1./cosh(x - 5).*exp(-2i*x);
half = exp(-0.25i*dt*k.^2);
for t = 1:steps
    u = ifft(half .* fft(u));
    u = u .* exp(1i*dt*abs(u).^2);
    u = ifft(half .* fft(u));
end
r = [sum(abs(u).^2)*L/n, max(abs(u)), abs(u(n/2 + 1))];
end
