t = linspace(0, 2*pi, 24); polarscatter(t, 1 + cos(t), 40, t, 'filled'), rticks([1 2]), thetaticks(0:45:315)
