% Files: write a table as text, read it back, summarise it, and tidy up.

folder = tempname;
mkdir(folder);
tidy = onCleanup(@() rmdir(folder, 's'));
file = fullfile(folder, 'temperatures.csv');

cities = {'Oslo', 'Rome', 'Lima', 'Pune'};
readings = [-4.5 2.0 17.25; 8.5 16.0 29.5; 22.0 19.5 16.5; 20.5 31.0 27.0];

fid = fopen(file, 'w');
fprintf(fid, 'city,winter,spring,summer\n');
for k = 1:numel(cities)
    fprintf(fid, '%s,%.2f,%.2f,%.2f\n', cities{k}, readings(k, :));
end
fclose(fid);

% line by line
fid = fopen(file, 'r');
header = strsplit(fgetl(fid), ',');
rows = {};
line = fgetl(fid);
while ischar(line)
    rows{end+1} = strsplit(line, ','); %#ok<SAGROW>
    line = fgetl(fid);
end
fclose(fid);
fprintf('%d columns, %d rows\n', numel(header), numel(rows));

table = zeros(numel(rows), numel(header) - 1);
for k = 1:numel(rows)
    table(k, :) = str2double(rows{k}(2:end));
end
isequal(table, readings)

[~, warmest] = max(mean(table, 2));
fprintf('warmest on average: %s\n', rows{warmest}{1});

% whole file at once, and formatted reading
whole = fileread(file);
fprintf('%d bytes, %d lines\n', numel(whole), sum(whole == newline));
numbers = sscanf('3 4 5.5', '%f')'

% binary
bin = fullfile(folder, 'data.bin');
fid = fopen(bin, 'w');
fwrite(fid, [1 2 3 500], 'uint16');
fclose(fid);
fid = fopen(bin);
back = fread(fid, Inf, 'uint16=>double')';
fclose(fid);
disp(back)

% variables to a MAT file and back
x = magic(3); label = 'a square'; s = struct('a', 1, 'b', {{'c', 2}});
mat = fullfile(folder, 'vars.mat');
save(mat, 'x', 'label', 's');
loaded = load(mat);
fprintf('%s %d %d\n', loaded.label, isequal(loaded.x, x), isequal(loaded.s, s));

[~, name, ext] = fileparts(file);
fprintf('%s%s exists: %d\n', name, ext, exist(file, 'file') == 2);
delete(file);
fprintf('after delete: %d\n', exist(file, 'file'));
fprintf('unknown file: %d\n', fopen(fullfile(folder, 'nothing.txt')));
