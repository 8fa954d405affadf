subplot(2, 2, 1), fplot(@(x) sin(x) ./ x, [-10 10]), subplot(2, 2, 2), ezplot('x^2 - 1')
subplot(2, 2, 3), fplot(@tan, [-5 5]), subplot(2, 2, 4), fsurf(@(x, y) sin(x) .* cos(y))
