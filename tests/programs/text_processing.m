% Text: regular expressions, splitting, joining, converting, formatting.
log = sprintf('%s\n', '2024-03-01 12:00:01 INFO  start  id=17', ...
    '2024-03-01 12:00:09 ERROR disk full; id=18 code=0x1F', ...
    'garbage', '2024-03-02 00:10:00 WARN  slow  id=19 code=0x02');
lines = regexp(strtrim(log), '\n', 'split');
pattern = ['^(?<date>\d+-\d+-\d+)\s+(?<time>[\d:]+)\s+(?<level>[A-Z]+)\s+' ...
           '(?<text>.*?)\s*id=(?<id>\d+)'];
entries = struct([]);
for line = lines
    found = regexp(line{1}, pattern, 'names', 'once');
    if isempty(found)
        fprintf('skipped "%s"\n', line{1});
        continue
    end
    entries = [entries, found]; %#ok<AGROW>
end
levels = [{entries.level}; {entries.id}];
fprintf('%s=%s;', levels{:});
fprintf('\n');
ids = str2double({entries.id});
disp(ids);

% tokens, replacing with groups, codes
codes = regexp(log, 'code=0x(\w+)', 'tokens');
codes = hex2dec(cellfun(@(t) t{1}, codes, 'UniformOutput', false))';
disp(codes);
disp(regexprep('2024-03-01', '(\d+)-(\d+)-(\d+)', '$3.$2.$1'));
disp(regexprep('hello wide world', '\<(\w)', '${upper($1)}'));
[first, last, words] = regexp('one two', '\w+', 'start', 'end', 'match')
[~, rest] = regexp('a1b22c', '\d+', 'match', 'split')
disp(isempty(regexp('abc', 'x(y)', 'tokens')));
disp(regexpi('ABC', 'b'));

% counting words
text = lower('The cat and the dog and THE bird.');
text = regexprep(text, '[^a-z ]', '');
[words, ~, which] = unique(strsplit(text));
counts = accumarray(which, 1);
[counts, order] = sort(counts, 'descend');
words = words(order);
top = [words(1:3); num2cell(counts(1:3))'];
fprintf('%-4s|%3d\n', top{:});

% a cipher, and a palindrome
shift = @(s, k) char(mod(s - 'a' + k, 26) + 'a');
secret = shift('attack', 3);
fprintf('%s %s\n', secret, shift(secret, -3));
phrase = 'A man, a plan, a canal: Panama';
letters = lower(phrase(isletter(phrase)));
disp(isequal(letters, fliplr(letters)));

% numbers and text
disp(['[' num2str(pi, 8) '] [' num2str([1 2 3]) '] [' mat2str([1.5 2; 3 4]) ']']);
disp(num2str([1 22; 333 4]));
disp(sscanf('3 4 5', '%d')');
fprintf('%5.2f|%-8s|%+d|%e|%g\n', 3.14159, 'ab', 7, 12345.678, 1e-5);
fprintf('%d %s\n', 1, 'a', 2, 'b');
fprintf('%d, ', [1 2; 3 4]);
fprintf('\n');
fprintf('%d %i\n', 1.5, int8(3));
fprintf('[%s] [%s] [%c%c]\n', 'abc', 65, 'hi');

% strings are not char
s = ["alpha", "beta"; "gamma", missing];
s
disp(strlength(s(:, 1))');
disp(join(s(:, 1), "+"));
disp(s(1) + 1 + "x");
disp(contains(s(1, :), "et"));
disp(class([s(1) 'c']));
disp(strjoin(cellstr(s(:, 1)), '/'));
t = "a,b;c";
parts = split(t, [",", ";"])'
disp(strcmp(parts, 'b'));
disp(isspace(sprintf('a\tb c')));
disp(strtrim({' x ', 'y '}));
disp(upper({'ab'; 'c'}));
