n = 2500;
% A table written as CSV to a temporary file, read line by line, grouped by a column.
% At n = 2500: Bergen 131769.00 Oslo 131380.00 2500 n2500
% At n = 30: Bergen 1474.50 Oslo 1615.00 30 n30

path = tempname();
cities = {'Oslo', 'Bergen', 'Tromso', 'Bodo'};
f = fopen(path, 'w');
fprintf(f, 'id,city,amount,note\n');
for k = 1:n
    fprintf(f, '%d,%s,%.2f,"n%d"\n', k, cities{mod(k*k, 4) + 1}, mod(k*37.5, 211), k);
end
fclose(f);

f = fopen(path, 'r');
header = strsplit(fgetl(f), ',');
rows = {};
line = fgetl(f);
while ischar(line)
    rows{end+1} = strsplit(line, ',');
    line = fgetl(f);
end
fclose(f);
delete(path);

column = find(strcmp(header, 'amount'));
names = cellfun(@(row) row{2}, rows, 'UniformOutput', false);
amounts = cellfun(@(row) str2double(row{column}), rows);
[groups, ~, index] = unique(names);
totals = accumarray(index(:), amounts(:));
notes = cellfun(@(row) strrep(row{4}, '"', ''), rows, 'UniformOutput', false);
for k = 1:numel(groups)
    fprintf('%s %.2f ', groups{k}, totals(k));
end
fprintf('%d %s\n', numel(rows), notes{end});
