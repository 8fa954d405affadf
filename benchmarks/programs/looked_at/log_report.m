n = 5;
% A pipeline of cellfun over log lines.
% At n = 5: 44390 mod0=85;mod1=86;mod2=86;mod3=86;mod4=86;mod5=86;mod6=85; ERROR:2.40599e+07 INFO:2.41803e+07 WARN:2.39399e+07
% At n = 1: 8878 mod0=85;mod1=86;mod2=86;mod3=86;mod4=86;mod5=86;mod6=85; ERROR:2.40599e+07 INFO:2.41803e+07 WARN:2.39399e+07

levels = {'INFO', 'WARN', 'ERROR'};
lines = cell(1, 600);
for k = 1:600
  lines{k} = sprintf('2024-%02d-%02d %s [mod%d] user=%s value=%d', mod(k, 12) + 1, mod(k, 28) + 1, levels{mod(k, 3) + 1}, mod(k, 7), char('a' + mod(k, 26)), k*k);
end
found = 0;
for rep = 1:n
  recs = cellfun(@parse_line, lines, 'UniformOutput', false);
  lv = cellfun(@(r) r.level, recs, 'UniformOutput', false);
  vals = cellfun(@(r) r.value, recs);
  u = unique(lv);
  tot = cellfun(@(l) sum(vals(strcmp(lv, l))), u);
  names = cellfun(@(r) [upper(r.user(1)) lower(r.user(2:end))], recs, 'UniformOutput', false);
  lens = cellfun('length', names) + cellfun(@numel, lv) + cellfun(@isempty, lv);
  counts = struct();
  for k = 1:numel(recs)
    counts = tally(counts, recs{k}.module);
  end
  report = summarize(counts, u, tot);
  found = found + numel(report) + sum(lens);
  slug = cellfun(@slugify, lines, 'UniformOutput', false);
  found = found + sum(cellfun(@(s) numel(strfind(s, '-')), slug));
  flags = arrayfun(@(k) is_weekend(k), 1:600);
  found = found + sum(flags) + sum(structfun(@(v) v, counts));
end
fprintf('%d\n%s\n', found, report);

function r = parse_line(line)
  parts = strsplit(line, ' ');
  r.date = parts{1};
  r.level = parts{2};
  r.module = strrep(strrep(parts{3}, '[', ''), ']', '');
  kv = strsplit(parts{4}, '=');
  r.user = kv{2};
  r.value = str2double(regexprep(parts{5}, '^value=', ''));
end

function counts = tally(counts, name)
  if isfield(counts, name)
    counts.(name) = counts.(name) + 1;
  else
    counts.(name) = 1;
  end
end

function s = summarize(counts, u, tot)
  names = sort(fieldnames(counts));
  s = '';
  for k = 1:numel(names)
    s = [s, names{k}, '=', num2str(counts.(names{k})), ';'];
  end
  for k = 1:numel(u)
    s = [s, sprintf(' %s:%g', u{k}, tot(k))];
  end
end

function s = slugify(s)
  s = lower(strtrim(s));
  s = regexprep(s, '[^a-z0-9]+', '-');
  if ~isempty(s) && s(end) == '-'
    s = s(1:end-1);
  end
end

function t = is_weekend(k)
  d = mod(k, 7);
  t = any(d == [0 6]);
end
