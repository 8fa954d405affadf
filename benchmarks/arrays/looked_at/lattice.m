function r = lattice(n, steps, type)
% Flow past a cylinder by the lattice Boltzmann method in nine directions.
w = [4/9, 1/9, 1/9, 1/9, 1/9, 1/36, 1/36, 1/36, 1/36];
cx = [0, 1, 0, -1, 0, 1, -1, -1, 1];
cy = [0, 0, 1, 0, -1, 1, 1, -1, -1];
[X, Y] = ndgrid(1:n);
solid = (X - n/4).^2 + (Y - n/2).^2 < (n/9)^2;
F = zeros(n, n, 9, type);
for i = 1:9
    F(:,:,i) = w(i)*(1 + 0.3*cx(i) + 0.01*cy(i)*sin(2*pi*X/n));
end
for t = 1:steps
    for i = 1:9
        F(:,:,i) = circshift(F(:,:,i), [cx(i), cy(i)]);
    end
    rho = sum(F, 3);
    ux = (F(:,:,2) + F(:,:,6) + F(:,:,9) - F(:,:,4) - F(:,:,7) - F(:,:,8)) ./ rho;
    uy = (F(:,:,3) + F(:,:,6) + F(:,:,7) - F(:,:,5) - F(:,:,8) - F(:,:,9)) ./ rho;
    ux(solid) = 0;
    uy(solid) = 0;
    speed = 1.5*(ux.^2 + uy.^2);
    for i = 1:9
        cu = 3*(cx(i)*ux + cy(i)*uy);
        F(:,:,i) = F(:,:,i) - 1.2*(F(:,:,i) - w(i)*rho.*(1 + cu + cu.^2/2 - speed));
    end
end
r = [mean(rho(:)), mean(ux(:)), max(abs(uy(:)))];
end
