plotmatrix([sin(1:60)' cos(1:60)' (1:60)'])
