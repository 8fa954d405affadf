subplot(1, 2, 1), fimplicit(@(x, y) x.^2 .* y - y.^3 + 1, 'r'), hold on, fimplicit(@(x, y) x.^2 + y.^2 - 4), axis equal
subplot(1, 2, 2), fimplicit3(@(x, y, z) x.^2 + y.^2 - z.^2 - 1)
