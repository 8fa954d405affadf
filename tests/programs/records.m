% Struct arrays and cells: building, selecting, grouping, reshaping.
people = struct('name', {'Ada', 'Bo', 'Cy', 'Di'}, 'age', {36, 25, 41, 25}, 'tags', {{}});
people(2).tags = {'new', 'remote'};
people(end + 1) = struct('name', 'Ed', 'age', 19, 'tags', {{'new'}});
names = fieldnames(people);
fprintf('%d people, fields: %s\n', numel(people), strjoin(names', ', '));

% comma lists into arrays and back
ages = [people.age];
[~, order] = sort(ages);
people = people(order);
fprintf('%s ', people.name);
fprintf('\n');
older = num2cell([people.age] + 1);
[people.age] = older{:};
fprintf('%d ', people.age);
fprintf('\n');

% selection with logical indices and dynamic fields
young = people([people.age] < 30);
key = 'name';
names = arrayfun(@(p) p.(key), young, 'UniformOutput', false)

% grouping into a struct of cells
groups = struct();
for person = people
    decade = sprintf('d%d', 10 * floor(person.age / 10));
    if ~isfield(groups, decade)
        groups.(decade) = {};
    end
    groups.(decade){end + 1} = person.name;
end
groups = orderfields(groups)

% tags of all, counted
all_tags = [people.tags];
[unique_tags, ~, which] = unique(all_tags);
counts = accumarray(which(:), 1)';
for k = 1:numel(unique_tags)
    fprintf('%s: %d\n', unique_tags{k}, counts(k));
end

% cells of cells, deletion, conversion
people(strcmp({people.name}, 'Cy')) = [];
table = [{'name', 'age'}; {people.name; people.age}']
table(:, 2) = [];
disp(size(table));
pairs = cellfun(@(c) {c(1), numel(c)}, table(2:end), 'UniformOutput', false);
flat = vertcat(pairs{:});
disp(isequal(flat, {'E', 2; 'B', 2; 'D', 2; 'A', 3}));

% nested structures grow on assignment
tree.left.value = 1;
tree.right(3).value = [4 5 6];
tree.right(3).value(end + 1) = 7;
tree.('left').children{2}.name = 'deep';
disp(numel(tree.right(3).value));
disp(isempty(tree.right(2).value));
disp(class(tree.left.children{1}));
disp(tree.left.children{2}.name);
merged = cell2struct([struct2cell(tree); {true}], [fieldnames(tree); {'done'}], 1)
