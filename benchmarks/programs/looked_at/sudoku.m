n = 2;
% Sudoku by backtracking over the cell with the fewest candidates.
% At n = 2: 466 268
% At n = 1: 220 51

puzzles = {'53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79', ...
    '1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..'};
total = 0;
guesses = 0;
for k = 1:n
    grid = reshape(puzzles{k} - '0', 9, 9)';
    grid(grid < 0) = 0;
    [solved, grid, tries] = solve(grid);
    guesses = guesses + tries;
    total = total + solved*sum(grid(1, :).*(1:9)) + all(sum(grid) == 45);
end
fprintf('%d %d\n', total, guesses);

function [solved, grid, tries] = solve(grid)
    tries = 0;
    fewest = 10;
    best = [];
    for r = 1:9
        for c = 1:9
            if grid(r, c) == 0
                options = candidates(grid, r, c);
                if numel(options) < fewest
                    fewest = numel(options);
                    best = options;
                    row = r;
                    column = c;
                end
            end
        end
    end
    solved = fewest == 10;
    for value = best
        tries = tries + 1;
        next = grid;
        next(row, column) = value;
        [solved, next, more] = solve(next);
        tries = tries + more;
        if solved
            grid = next;
            return
        end
    end
end

function options = candidates(grid, r, c)
    block_r = 3*floor((r - 1)/3) + (1:3);
    block_c = 3*floor((c - 1)/3) + (1:3);
    block = grid(block_r, block_c);
    used = [grid(r, :), grid(:, c)', block(:)'];
    options = setdiff(1:9, used);
end
