n = 8;
% All placements of n queens, by recursion over columns.
% At n = 8: 92 1 5 8 6 3 7 2 4
% At n = 5: 10 1 3 5 2 4

[count, first] = place(zeros(1, n), 1, n);
fprintf('%d', count);
fprintf(' %d', first);
fprintf('\n');

function [count, first] = place(rows, column, n)
    count = 0;
    first = [];
    if column > n
        count = 1;
        first = rows;
        return
    end
    for r = 1:n
        if is_safe(rows, column, r)
            rows(column) = r;
            [c, f] = place(rows, column + 1, n);
            count = count + c;
            if isempty(first)
                first = f;
            end
        end
    end
end

function ok = is_safe(rows, column, r)
    ok = true;
    for c = 1:column-1
        if rows(c) == r || abs(rows(c) - r) == column - c
            ok = false;
            return
        end
    end
end
