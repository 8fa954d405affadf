1; # a script
function r = f (x, y = [1, 2])
  ## doubles
  r = x;
  r *= 2;
endfunction
x = 3; x += 4; x++; --x;
do
  x--;
until (x < 0)
unwind_protect
  printf ("%d\n", f (x)(1));
  y = {1, 2}{1} ** 2;
unwind_protect_cleanup
  if (! x != 3) disp ("it's \"x\""), endif
  while (_l = next (x++)) != -1, a = b(2) = c{--k}; endwhile
  for [v, key] = s, persistent n = 0; endfor
end_unwind_protect
