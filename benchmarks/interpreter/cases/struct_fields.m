function total = struct_fields()
% A hundred thousand updates of struct fields.
    s.count = 0;
    s.sum = 0;
    for i = 1:100000
        s.count = s.count + 1;
        s.sum = s.sum + i;
    end
    total = s.count + s.sum;
end
