subplot(2, 2, 1), ezplot('x^2 + y^2 = 9')
subplot(2, 2, 2), ezpolar('1 + cos(t)')
subplot(2, 2, 3), ezsurf('sin(x)*cos(y)')
subplot(2, 2, 4), ezcontourf('sin(x)*cos(y)')
