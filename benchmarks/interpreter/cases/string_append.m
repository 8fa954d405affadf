function n = string_append()
% Ten thousand appends to a char array.
    s = '';
    for i = 1:10000
        s = [s 'ab'];
    end
    n = numel(s);
end
