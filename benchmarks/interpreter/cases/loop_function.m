function s = loop_function()
% A million scalar multiply-adds inside a function.
    s = 0;
    for i = 1:1000000
        s = s + i*2;
    end
end
