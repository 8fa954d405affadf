n = 1500;
% A shop: an array of structures, a map by name, sorting by fields, totals, a printed report.
% At n = 1500: 116 1425.50 nail 333 5 bolt=1483,bracket=1551,hinge=778,screw=1526,
% At n = 30: 0 2908.00 bracket 6 5 bolt=29,bracket=33,hinge=18,screw=40,

names = {'bolt', 'nut', 'screw', 'washer', 'nail', 'hinge', 'bracket'};
items = struct('name', {}, 'price', {}, 'stock', {}, 'tags', {});
for k = 1:numel(names)
    items(k).name = names{k};
    items(k).price = 0.25*k + 1;
    items(k).stock = 50*k;
    items(k).tags = names(1:mod(k, 3) + 1);
end
index = containers.Map(names, 1:numel(names));
sold = containers.Map('KeyType', 'char', 'ValueType', 'double');
refused = 0;
orders = struct('name', {}, 'amount', {});
for k = 1:n
    orders(end+1) = struct('name', names{mod(k*k + k, 7) + 1}, 'amount', mod(k*11, 9));
end
for k = 1:numel(orders)
    order = orders(k);
    i = index(order.name);
    if items(i).stock < order.amount
        refused = refused + 1;
        items(i).stock = items(i).stock + 40;
        continue
    end
    items(i).stock = items(i).stock - order.amount;
    if isKey(sold, order.name)
        sold(order.name) = sold(order.name) + order.amount;
    else
        sold(order.name) = order.amount;
    end
end
[~, by_stock] = sort([items.stock], 'descend');
sorted = items(by_stock);
value = sum([items.price].*[items.stock]);
large = orders([orders.amount] > 6);
report = '';
for k = keys(sold)
    report = [report sprintf('%s=%d,', k{1}, sold(k{1}))];
end
tagged = items(cellfun(@(t) any(strcmp(t, 'nut')), {items.tags}));
fprintf('%d %.2f %s %d %d %s\n', refused, value, sorted(1).name, numel(large), numel(tagged), report);
