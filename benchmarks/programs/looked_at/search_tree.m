n = 4;
% Binary search tree of structures, recursion.
% At n = 4: 30560674 1081 3,20,23,26,35
% At n = 1: 12220012 1081 3,20,23,26,35

t = [];
x = 17;
for k = 1:1200
  x = mod(x*137 + 11, 10007);
  t = insert(t, x, sprintf('v%d', x));
end
s = 0;
for rep = 1:n
  s = s + walk(t, @(k, v) k + numel(v));
  s = s + height(t) + count(t);
end
c = tocell(t);
s = s + sumcell(c);
found = 0;
for k = 1:9000
  if ~isempty(find_key(t, k)), found = found + 1; end
end
fprintf('%d %d %s\n', s, found, strjoin(cellfun(@num2str, num2cell(first(t, 5)), 'UniformOutput', false), ','));

function t = insert(t, k, v)
  if isempty(t)
    t = struct('key', k, 'value', v, 'left', [], 'right', []);
  elseif k < t.key
    t.left = insert(t.left, k, v);
  elseif k > t.key
    t.right = insert(t.right, k, v);
  else
    t.value = v;
  end
end

function v = find_key(t, k)
  if isempty(t)
    v = '';
  elseif k == t.key
    v = t.value;
  elseif k < t.key
    v = find_key(t.left, k);
  else
    v = find_key(t.right, k);
  end
end

function s = walk(t, f)
  if isempty(t)
    s = 0;
  else
    s = walk(t.left, f) + f(t.key, t.value) + walk(t.right, f);
  end
end

function h = height(t)
  if isempty(t), h = 0; else, h = 1 + max(height(t.left), height(t.right)); end
end

function n = count(t)
  n = 0;
  if isstruct(t)
    n = 1 + count(t.left) + count(t.right);
  end
end

function c = tocell(t)
  if isempty(t)
    c = {};
  else
    c = {tocell(t.left), t.key, tocell(t.right)};
  end
end

function s = sumcell(c)
  if iscell(c)
    s = sum(cellfun(@sumcell, c));
  else
    s = c;
  end
end

function ks = first(t, n)
  if isempty(t)
    ks = [];
  else
    ks = first(t.left, n);
    if numel(ks) < n
      ks = [ks, t.key, first(t.right, n - numel(ks) - 1)];
    end
    ks = ks(1:min(n, numel(ks)));
  end
end
