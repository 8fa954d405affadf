%{
 A script with local functions.
%}
clear all, close all
x = [ 1, 2 ... one row
      3
      4 -5 +6 ];   % next rows
A = {@(t) t.^2 +1, ...
     [], ''
     magic(4) };
y = x.'; z = x'; w = 5.'; v = 2^-x'; u = (2^(-x))'; t = -(-x); s = a++b; r = 1./x + 3.^2;
q = x{:, end}(1);
if ~x == y | z & w, p = (1:3) + 4; end
o = ((a || b) && c) || (d && e);
n = a - (b - c) - d / (e * f) \ g;
import matlab.unittest.*
s.if.end = 1; s.('a b')(3) = [];
function r = twice(x)
% TWICE  x
    r = 2 * x;
end
if x == 2  ~isempty(x), elseif x ~y, end, while x ~z; end, switch x, case 3 ~z, end
