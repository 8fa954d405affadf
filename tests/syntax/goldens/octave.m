1; # a script
function r = f (x)
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
end_unwind_protect
