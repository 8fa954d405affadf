x = mod((1:60) * 7, 13); y = mod((1:60).^2, 17) + x; gscatter(x, y, mod(1:60, 3)), xlabel('x'), ylabel('y')
