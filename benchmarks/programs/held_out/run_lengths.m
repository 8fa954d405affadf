n = 1500;
% Run-length coding of a text and of a bitmap, and Lempel-Ziv-Welch with a map.
% At n = 1500: 1 2626 804 37 414 75483
% At n = 60: 1 14 3 37 25 246

text = repmat('a', 1, n);
for k = 1:n
    text(k) = char('a' + mod(floor(k*k/700), 5));
end
packed = encode(text);
same = strcmp(decode(packed), text);
bits = text > 'b';
edges = [0, find(diff(bits)), numel(bits)];
runs = diff(edges);
dictionary = containers.Map();
for k = 0:4
    dictionary(char('a' + k)) = k;
end
codes = [];
word = '';
for c = text
    if isKey(dictionary, [word c])
        word = [word c];
    else
        codes(end+1) = dictionary(word);
        dictionary([word c]) = dictionary.Count;
        word = c;
    end
end
codes(end+1) = dictionary(word);
fprintf('%d %d %d %d %d %d\n', same, length(packed), numel(runs), max(runs), numel(codes), sum(codes));

function out = encode(text)
    out = '';
    k = 1;
    while k <= length(text)
        j = k;
        while j < length(text) && text(j+1) == text(k)
            j = j + 1;
        end
        out = [out num2str(j - k + 1) text(k)];
        k = j + 1;
    end
end

function out = decode(packed)
    out = '';
    parts = regexp(packed, '(\d+)([a-z])', 'tokens');
    for k = 1:numel(parts)
        out = [out repmat(parts{k}{2}, 1, str2double(parts{k}{1}))];
    end
end
