% Count the words of a text: regular expressions, maps and sorting.

text = ['It was the best of times, it was the worst of times, it was the age of wisdom, ' ...
        'it was the age of foolishness, it was the epoch of belief, it was the epoch of ' ...
        'incredulity, it was the season of Light, it was the season of Darkness.'];

words = regexp(lower(text), '[a-z]+', 'match');
counts = containers.Map();
for k = 1:numel(words)
    w = words{k};
    if isKey(counts, w)
        counts(w) = counts(w) + 1;
    else
        counts(w) = 1;
    end
end

names = keys(counts);
n = cell2mat(values(counts));
[n, order] = sort(n, 'descend');
names = names(order);

fprintf('%d words, %d different\n', numel(words), counts.Count);
for k = 1:5
    fprintf('%-8s %2d %s\n', names{k}, n(k), repmat('#', 1, n(k)));
end

once = names(n == 1);
fprintf('once: %s\n', strjoin(once, ', '));

longest = names{find(cellfun(@numel, names) == max(cellfun(@numel, names)), 1)};
fprintf('longest: %s (%d letters)\n', longest, length(longest));

marked = regexprep('the season of light', '(?<first>[a-z])(\w*)', '<$1>$2')
initials = cellfun(@(w) w(1), names(1:4))
shout = strrep(upper('it was the best'), ' ', '_')
