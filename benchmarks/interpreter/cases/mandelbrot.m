function total = mandelbrot()
% A 200x200 Mandelbrot set with a while loop per pixel.
    n = 200;
    total = 0;
    for row = 1:n
        for col = 1:n
            cr = -2 + 3*(col - 1)/n;
            ci = -1.5 + 3*(row - 1)/n;
            zr = 0;
            zi = 0;
            k = 0;
            while k < 50 && zr*zr + zi*zi <= 4
                t = zr*zr - zi*zi + cr;
                zi = 2*zr*zi + ci;
                zr = t;
                k = k + 1;
            end
            total = total + k;
        end
    end
end
