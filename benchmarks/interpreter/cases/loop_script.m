% A million scalar multiply-adds in a script.
s = 0;
for i = 1:1000000
    s = s + i*2;
end
result = s;
