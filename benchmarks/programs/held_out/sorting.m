n = 500;
% Sorting by hand: bubble, insertion, quick, merge and heap sort.
% At n = 500: 5 0 4980 623655
% At n = 30: 5 7 294 2066

x = zeros(1, n);
state = 42;
for k = 1:n
    state = mod(16807*state, 2147483647);
    x(k) = mod(state, 10*n);
end
expected = sort(x);
sorters = {@bubble_sort, @insertion_sort, @quick_sort, @merge_sort, @heap_sort};
right = 0;
for k = 1:numel(sorters)
    right = right + isequal(sorters{k}(x), expected);
end
fprintf('%d %d %d %d\n', right, expected(1), expected(end), sum(expected(1:2:end)));

function x = bubble_sort(x)
    n = numel(x);
    swapped = true;
    while swapped
        swapped = false;
        for k = 1:n-1
            if x(k) > x(k+1)
                x([k k+1]) = x([k+1 k]);
                swapped = true;
            end
        end
        n = n - 1;
    end
end

function x = insertion_sort(x)
    for k = 2:numel(x)
        key = x(k);
        j = k - 1;
        while j >= 1 && x(j) > key
            x(j+1) = x(j);
            j = j - 1;
        end
        x(j+1) = key;
    end
end

function x = quick_sort(x)
    if numel(x) <= 1
        return
    end
    pivot = x(ceil(end/2));
    x = [quick_sort(x(x < pivot)), x(x == pivot), quick_sort(x(x > pivot))];
end

function x = merge_sort(x)
    n = numel(x);
    if n <= 1
        return
    end
    middle = floor(n/2);
    a = merge_sort(x(1:middle));
    b = merge_sort(x(middle+1:end));
    i = 1;
    j = 1;
    for k = 1:n
        if j > numel(b) || (i <= numel(a) && a(i) <= b(j))
            x(k) = a(i);
            i = i + 1;
        else
            x(k) = b(j);
            j = j + 1;
        end
    end
end

function x = heap_sort(x)
    n = numel(x);
    for k = floor(n/2):-1:1
        x = sift(x, k, n);
    end
    for last = n:-1:2
        t = x(1);
        x(1) = x(last);
        x(last) = t;
        x = sift(x, 1, last - 1);
    end
end

function x = sift(x, k, n)
    while 2*k <= n
        child = 2*k;
        if child < n && x(child+1) > x(child)
            child = child + 1;
        end
        if x(k) >= x(child)
            return
        end
        t = x(k);
        x(k) = x(child);
        x(child) = t;
        k = child;
    end
end
