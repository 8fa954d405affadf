n = 150;
% An interpreter of a small stack language: primes by trial division, compiled from words.
% At n = 150: 35 151 8663
% At n = 10: 4 11 265

source = ['0 store count 2 store k label next k dup 2 store d label try ' ...
    'd d mul k gt jumpif prime k d mod 0 eq jumpif composite d 1 add store d jump try ' ...
    'label prime count 1 add store count label composite k 1 add store k ' ...
    'k limit le jumpif next drop halt'];
[code, labels] = compile(source);
memory = struct('limit', n);
stack = [];
pc = 1;
steps = 0;
running = true;
while running
    op = code{pc};
    pc = pc + 1;
    steps = steps + 1;
    switch op{1}
        case 'push'
            stack(end+1) = op{2};
        case 'load'
            stack(end+1) = memory.(op{2});
        case 'store'
            memory.(op{2}) = stack(end);
            stack(end) = [];
        case 'dup'
            stack(end+1) = stack(end);
        case 'drop'
            stack(end) = [];
        case 'jump'
            pc = labels(op{2});
        case 'jumpif'
            if stack(end)
                pc = labels(op{2});
            end
            stack(end) = [];
        case {'add', 'mul', 'mod', 'eq', 'gt', 'le'}
            a = stack(end-1);
            b = stack(end);
            stack(end) = [];
            stack(end) = apply(op{1}, a, b);
        case 'halt'
            running = false;
    end
end
fprintf('%d %d %d\n', memory.count, memory.k, steps);

function r = apply(name, a, b)
    switch name
        case 'add', r = a + b;
        case 'mul', r = a*b;
        case 'mod', r = mod(a, b);
        case 'eq', r = a == b;
        case 'gt', r = a > b;
        case 'le', r = a <= b;
    end
end

function [code, labels] = compile(source)
    words = strsplit(source, ' ');
    code = {};
    labels = containers.Map();
    plain = {'dup', 'drop', 'add', 'mul', 'mod', 'eq', 'gt', 'le', 'halt'};
    k = 1;
    while k <= numel(words)
        w = words{k};
        if any(strcmp(w, {'store', 'jump', 'jumpif'}))
            code{end+1} = {w, words{k+1}};
            k = k + 1;
        elseif strcmp(w, 'label')
            labels(words{k+1}) = numel(code) + 1;
            k = k + 1;
        elseif any(strcmp(w, plain))
            code{end+1} = {w};
        elseif ~isempty(regexp(w, '^\d+$', 'once'))
            code{end+1} = {'push', str2double(w)};
        else
            code{end+1} = {'load', w};
        end
        k = k + 1;
    end
end
