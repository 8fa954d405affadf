t = 1:150; scatterhistogram(sin(t.^2), cos(t) + sin(t.^2)), title('both')
