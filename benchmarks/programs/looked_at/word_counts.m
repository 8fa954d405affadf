n = 150;
% Counts of words and letters, the longest sentence, lines wrapped to a width, a concordance.
% At n = 150: 5100 13 300 55 401 of Worst 2550 900 23299
% At n = 2: 68 13 4 55 6 of Worst 34 12 310

base = ['It was the best of times, it was the worst of times. It was the age of wisdom; ' ...
    'it was the age of foolishness! Was it? The epoch of belief, the epoch of incredulity.'];
text = strtrim(repmat([base ' '], 1, n));
words = regexp(lower(text), '[a-z]+', 'match');
[unique_words, ~, index] = unique(words);
counts = accumarray(index(:), 1);
[sorted, order] = sort(counts, 'descend');
table = containers.Map();
for k = 1:numel(words)
    w = words{k};
    if isKey(table, w)
        table(w) = table(w) + 1;
    else
        table(w) = 1;
    end
end
sentences = strtrim(regexp(text, '[.!?]', 'split'));
lengths = cellfun(@length, sentences);
lines = {};
line = '';
for k = 1:numel(words)
    if length(line) + length(words{k}) + 1 > 60
        lines{end+1} = line;
        line = words{k};
    elseif isempty(line)
        line = words{k};
    else
        line = [line ' ' words{k}];
    end
end
lines{end+1} = line;
letters = zeros(1, 26);
for c = 'a':'z'
    letters(c - 'a' + 1) = sum(lower(text) == c);
end
titles = cellfun(@(w) [upper(w(1)) w(2:end)], unique_words, 'UniformOutput', false);
fprintf('%d %d %d %d %d %s %s %d\n', numel(words), numel(unique_words), table('epoch'), ...
    max(lengths), numel(lines), unique_words{order(1)}, titles{end}, letters(5));
fprintf('%d %d\n', sorted(1), sum(cellfun(@length, lines)));
