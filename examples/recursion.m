% Recursion: towers of Hanoi, eight queens, quicksort, permutations and Ackermann's function.

moves = hanoi(6, 'A', 'C', 'B');
fprintf('hanoi(6): %d moves, the first three %s\n', size(moves, 1), ...
        strjoin(cellstr(moves(1:3, :))', ' '));

boards = queens(6, []);
fprintf('queens(6): %d solutions\n', size(boards, 1));
disp(boards)
fprintf('queens(8): %d solutions\n', size(queens(8, []), 1));

data = [31 4 15 92 65 35 89 79 32 38];
sorted = quicksort(data)

p = permutations('abc')

fprintf('ackermann(2, 3) = %d\n', ackermann(2, 3));
fprintf('collatz(27) takes %d steps\n', collatz(27, 0));

function m = hanoi(n, from, to, via)
    if n == 0
        m = char(zeros(0, 2));
        return
    end
    m = [hanoi(n - 1, from, via, to); [from to]; hanoi(n - 1, via, to, from)];
end

function all = queens(n, placed)
    row = numel(placed) + 1;
    if row > n
        all = placed;
        return
    end
    all = zeros(0, n);
    for col = 1:n
        distance = row - (1:row-1);
        if ~any(placed == col) && ~any(abs(placed - col) == distance)
            all = [all; queens(n, [placed col])]; %#ok<AGROW>
        end
    end
end

function x = quicksort(x)
    if numel(x) <= 1, return, end
    pivot = x(1);
    rest = x(2:end);
    x = [quicksort(rest(rest < pivot)) pivot quicksort(rest(rest >= pivot))];
end

function p = permutations(s)
    if numel(s) <= 1
        p = s;
        return
    end
    p = '';
    for k = 1:numel(s)
        rest = permutations(s([1:k-1 k+1:end]));
        p = [p; repmat(s(k), size(rest, 1), 1) rest]; %#ok<AGROW>
    end
end

function a = ackermann(m, n)
    if m == 0
        a = n + 1;
    elseif n == 0
        a = ackermann(m - 1, 1);
    else
        a = ackermann(m - 1, ackermann(m, n - 1));
    end
end

function steps = collatz(n, steps)
    if n == 1, return, end
    if mod(n, 2) == 0
        steps = collatz(n / 2, steps + 1);
    else
        steps = collatz(3*n + 1, steps + 1);
    end
end
