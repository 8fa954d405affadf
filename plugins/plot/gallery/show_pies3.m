subplot(1, 2, 1), pie3([1 2 3 4])
subplot(1, 2, 2), pie3([3 1 2], [0 1 0], {'a', 'b', 'c'})
