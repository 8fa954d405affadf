p = polyshape([0 3 3 0], [0 0 3 3]); q = polyshape([1 2 2 1], [1 1 2 2]); plot(subtract(p, q)), hold on, plot(polyshape([4 6 5], [0 0 3])), axis equal
