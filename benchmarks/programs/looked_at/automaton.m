n = 400;
% Elementary cellular automata, cell by cell and by slices; a sandpile; a forest fire.
% At n = 400: 35303 8 11999 800
% At n = 10: 72 4 10 20

rule = bitget(30, 1:8);
width = 201;
cells = zeros(1, width);
cells(101) = 1;
black = 0;
for step = 1:n
    next = zeros(1, width);
    for k = 1:width
        left = cells(mod(k - 2, width) + 1);
        right = cells(mod(k, width) + 1);
        next(k) = rule(4*left + 2*cells(k) + right + 1);
    end
    cells = next;
    black = black + sum(cells);
end
row = zeros(1, width);
row(101) = 1;
for step = 1:n
    row = xor([row(2:end) row(1)], [row(end) row(1:end-1)]);
end
side = 31;
sand = zeros(side);
sand(16, 16) = 2*n;
topplings = 0;
while any(sand(:) > 3)
    over = sand > 3;
    topplings = topplings + sum(over(:));
    sand = sand - 4*over;
    sand(1:end-1, :) = sand(1:end-1, :) + over(2:end, :);
    sand(2:end, :) = sand(2:end, :) + over(1:end-1, :);
    sand(:, 1:end-1) = sand(:, 1:end-1) + over(:, 2:end);
    sand(:, 2:end) = sand(:, 2:end) + over(:, 1:end-1);
end
fprintf('%d %d %d %d\n', black, sum(row), topplings, sum(sand(:)));
