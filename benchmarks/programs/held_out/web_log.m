n = 5000;
% Regular expressions over the lines of a server's log: named tokens, counts, replacements.
% At n = 5000: 22494236 555 209 40 bcdefghijk 3603 10.0.*.*
% At n = 30: 126912 3 2 30 bcdefghijk 3603 10.0.*.*

verbs = {'GET', 'POST', 'PUT'};
lines = cell(n, 1);
for k = 1:n
    lines{k} = sprintf('10.0.%d.%d - - [%02d/Mar/2021:%02d:%02d:00] "%s /p/%d?q=%s HTTP/1.1" %d %d', ...
        mod(k, 7), mod(k*k, 251), mod(k, 28) + 1, mod(k, 24), mod(k, 60), verbs{mod(k, 3) + 1}, ...
        mod(k, 40), char('a' + mod(k, 26)), 200 + 204*(mod(k, 9) == 0), mod(k*331, 9001));
end
pattern = ['^(?<host>[\d.]+) .*\[(?<day>\d+)/(?<month>\w+)/\d+:(?<hour>\d+).*"(?<verb>\w+) ' ...
    '(?<path>[^ ?]+)\S* [^"]+" (?<status>\d+) (?<bytes>\d+)$'];
bytes = 0;
bad = 0;
hours = zeros(1, 24);
verb_counts = struct();
for k = 1:n
    m = regexp(lines{k}, pattern, 'names');
    bytes = bytes + str2double(m.bytes);
    if ~strcmp(m.status, '200')
        bad = bad + 1;
    end
    h = str2double(m.hour) + 1;
    hours(h) = hours(h) + 1;
    if ~isfield(verb_counts, m.verb)
        verb_counts.(m.verb) = 0;
    end
    verb_counts.(m.verb) = verb_counts.(m.verb) + 1;
end
hidden = regexprep(lines, '(\d+)\.(\d+)\.\d+\.\d+', '$1.$2.*.*');
[starts, tokens] = regexp(strjoin(lines(1:10)', ' '), 'q=(\w)', 'start', 'tokens');
letters = cellfun(@(t) t{1}, tokens);
paths = regexp(lines, '/p/\d+', 'match', 'once');
fprintf('%d %d %d %d %s %d %s\n', bytes, bad, max(hours), numel(unique(paths)), letters, sum(starts), hidden{2}(1:9));
