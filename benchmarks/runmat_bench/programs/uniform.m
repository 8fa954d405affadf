function x = uniform(rows, columns, first, cls, source)
% UNIFORM  Uniform numbers in (0,1): the session's own, or the same ones for every implementation.
%   x = uniform(rows, columns, first, cls, 'rng') draws them.
%   x = uniform(rows, columns, first, cls, 'lcg') gives element (r,c), counted from zero, the number
%   u(i) = mod(1664525*i + 1013904223, 2^32) / 2^32 with i = first + r*columns + c, as single.
if strcmp(source, 'rng')
    x = rand(rows, columns, cls);
else
    i = first + (0:rows-1)' * columns + (0:columns-1);
    x = cast(single(mod(1664525 * i + 1013904223, 4294967296) / 4294967296), cls);
end
end
