classdef Vec
  properties
    x = 0;
    y = 0;
  end
  methods
    function v = Vec(x, y)
      if nargin == 2
        v.x = x;
        v.y = y;
      end
    end
    function r = plus(a, b)
      r = Vec(a.x + b.x, a.y + b.y);
    end
    function r = scale(v, k)
      r = Vec(v.x*k, v.y*k);
    end
    function d = dot(a, b)
      d = a.x*b.x + a.y*b.y;
    end
    function n = len(v)
      n = sqrt(dot(v, v));
    end
    function v = rotate(v, t)
      x = v.x;
      v.x = x*cos(t) - v.y*sin(t);
      v.y = x*sin(t) + v.y*cos(t);
    end
  end
  methods (Static)
    function v = unit(t)
      v = Vec(cos(t), sin(t));
    end
  end
end
