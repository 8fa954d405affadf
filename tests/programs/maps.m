% containers.Map: keys of both kinds, order, updates, errors, use as a set and as a graph.
stock = containers.Map({'pear', 'apple', 'fig'}, [3 12 0]);
disp(stock.keys());
disp(cell2mat(values(stock)));
stock('kiwi') = 7;
stock('apple') = stock('apple') - 2;
fprintf('%d kinds, %d apples\n', stock.Count, stock('apple'));
for name = keys(stock)
    if stock(name{1}) == 0
        remove(stock, name{1});
    end
end
disp(strjoin(keys(stock), ' '));
disp(isKey(stock, {'fig', 'kiwi'}));
picked = values(stock, {'kiwi', 'pear'});
disp([picked{:}]);
try
    stock('fig')
catch problem
    fprintf('%s | %s\n', problem.identifier, problem.message);
end
try
    stock(1) = 2;
catch problem
    disp(problem.identifier);
end

% numeric keys are sorted by number
names = containers.Map('KeyType', 'double', 'ValueType', 'any');
names(10) = 'ten';
names(9) = {'nine'};
names(-1.5) = struct('n', 1);
disp(cell2mat(keys(names)));
disp(cellfun(@class, values(names), 'UniformOutput', false));
fprintf('%s %s %d\n', names.KeyType, names.ValueType, length(names));

% a map is a handle: functions change the caller's
tally = containers.Map;
for word = strsplit('to be or not to be that is')
    count(tally, word{1});
end
ks = tally.keys;
for k = 1:tally.Count
    fprintf('%s=%d ', ks{k}, tally(ks{k}));
end
fprintf('\n');

% two maps joined, the later one wins
joined = [containers.Map({'a', 'b'}, [1 2]); containers.Map({'b', 'c'}, [20 30])];
both = [joined.keys; joined.values];
fprintf('%s:%d ', both{:});
fprintf('\n');

% breadth first over a graph kept in a map, a map of maps
graph = containers.Map();
graph('a') = {'b', 'c'};
graph('b') = {'d'};
graph('c') = {'d', 'e'};
graph('d') = {'f'};
graph('e') = {'f'};
graph('f') = {};
disp(strjoin(shortest(graph, 'a', 'f'), ' -> '));
nested = containers.Map('x', containers.Map('y', 42));
inner = nested('x');
disp(inner('y'));
disp(class(nested));
disp(isobject(nested));

% dictionaries are values
d = dictionary(["one" "two"], [1 2]);
e = d;
e("three") = 3;
fprintf('%d %d %d\n', numEntries(d), numEntries(e), e("three"));
disp(isKey(d, ["one" "three"]));
disp(sum(values(e)));

function count(map, key)
    if isKey(map, key)
        map(key) = map(key) + 1;
    else
        map(key) = 1;
    end
end

function route = shortest(graph, from, to)
    queue = {{from}};
    seen = containers.Map(from, true);
    while ~isempty(queue)
        route = queue{1};
        queue(1) = [];
        if strcmp(route{end}, to)
            return
        end
        for next = graph(route{end})
            if ~isKey(seen, next{1})
                seen(next{1}) = true;
                queue{end + 1} = [route next]; %#ok<AGROW>
            end
        end
    end
    route = {};
end
