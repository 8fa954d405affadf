% Structs, struct arrays and cells: a small stock list.

stock = struct('name', {'bolt', 'nut', 'washer', 'gear'}, ...
               'count', {120, 80, 0, 7}, ...
               'price', {0.25, 0.10, 0.02, 14.5});

item = stock(1)
size(stock)

% comma lists gather a field of every element
counts = [stock.count]
value = sum([stock.count] .* [stock.price]);
fprintf('stock is worth %.2f\n', value);

% growing, changing, deleting
stock(end+1).name = 'spring';
stock(end).count = 33;
stock(end).price = 1.2;
missing = stock([stock.count] == 0);
fprintf('out of stock: %s\n', missing.name);
stock([stock.count] == 0) = [];
fprintf('%d kinds left: %s\n', numel(stock), strjoin({stock.name}, ', '));

% dynamic fields and nested data
order.id = 17;
order.lines{1} = struct('item', 'gear', 'quantity', 2);
order.lines{2} = struct('item', 'nut', 'quantity', 40);
total = 0;
for k = 1:numel(order.lines)
    line = order.lines{k};
    match = strcmp({stock.name}, line.item);
    total = total + line.quantity * stock(match).price;
    stock(match).count = stock(match).count - line.quantity;
end
field = 'total';
order.(field) = total;
order

% values are copied, never shared
backup = stock;
backup(1).name = 'changed';
fprintf('%s %s\n', stock(1).name, backup(1).name);

summary = {'kind', 'count'; stock(1).name, stock(1).count; stock(2).name, stock(2).count}
heavy = arrayfun(@(s) s.price > 1, stock)
