n = 1500;
% Handle objects of a class, values of a class with operators.
% At n = 1500: 13500 3000 0 3030.645054
% At n = 20: 14980 40 0 52.891505

accounts = cell(1, 5);
for k = 1:5
  accounts{k} = Account(sprintf('owner%d', k), 1000*k);
end
failed = 0;
for k = 1:n
  a = accounts{mod(k, 5) + 1};
  b = accounts{mod(k*3, 5) + 1};
  try
    a.transfer(b, mod(k*37, 200) + 1);
  catch err
    failed = failed + 1;
  end
end
total = 0; moves = 0;
for k = 1:5
  total = total + accounts{k}.balance;
  moves = moves + numel(accounts{k}.history);
end
v = Vec(1, 0); s = 0;
for k = 1:n
  v = v.rotate(0.01*k);
  w = v + Vec.unit(k).scale(0.5);
  s = s + w.len() + len(v) + w.x;
end
fprintf('%g %d %d %.6f\n', total, moves, failed, s);
