n = 400;
% Conway's game of life on a torus, from a glider gun's worth of gliders and noise.
% At n = 400: 51 46 46.1825
% At n = 10: 51 48 53.3000

side = 96;
grid = zeros(side);
glider = [0 1 0; 0 0 1; 1 1 1];
for k = 1:6
    r = 10*k;
    grid(r:r+2, r:r+2) = glider;
end
state = 12345;
for k = 1:side
    state = mod(1103515245*state + 12345, 2^31);
    grid(k, mod(state, side) + 1) = 1;
end
alive = zeros(1, n);
for generation = 1:n
    neighbours = zeros(side);
    for dr = -1:1
        for dc = -1:1
            if dr ~= 0 || dc ~= 0
                neighbours = neighbours + circshift(grid, [dr dc]);
            end
        end
    end
    grid = (grid == 1 & neighbours == 2) | neighbours == 3;
    grid = double(grid);
    alive(generation) = sum(grid(:));
end
fprintf('%d %d %.4f\n', alive(1), alive(end), mean(alive));
