% Functions that the statements of operations.txt call.
function y = f1(x)
y = x+1;
end

function [a,b] = f2(x,y)
a = x+y; b = x-y;
end

function f0()
end

function y = fadd(x,z)
y = x+z;
end

function y = fva(varargin)
y = varargin{1}+numel(varargin);
end

function varargout = fvo(x)
for k=1:nargout, varargout{k}=x*k; end
end

function y = fvp(varargin)
y = fva(varargin{:});
end

function y = fna(a,b)
if nargin<2, b=5; end
y = a+b;
end

function y = fdef(a,b)
if ~exist('b','var') || isempty(b), b=5; end
y = a+b;
end

function s = fst(s)
s.a = s.a+s.b;
end

function s = fsr(x)
s = struct(); s.x = x; s.y = 2*x;
end

function v = farr(v)
v(3) = v(3)+1;
end

function y = fibr(n)
if n<2, y=n; else y=fibr(n-1)+fibr(n-2); end
end

function y = finp(a,varargin)
p = inputParser;
p.addRequired('a');
p.addParameter('tol',1);
p.parse(a,varargin{:});
y = p.Results.tol;
end

function fglob()
global GG
if isempty(GG), GG=0; end
GG = GG+1;
end

function y = fpers()
persistent n
if isempty(n), n=0; end
n = n+1; y = n;
end

function p = stepp(p,dt)
p.x = p.x + dt*p.v;
p.v = p.v - dt*p.x;
end

function fclean()
c = onCleanup(@() f0());
end
