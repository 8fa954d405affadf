subplot(1, 2, 1), pie([1 2 3 4])
subplot(1, 2, 2), pie([2 3 5], [0 1 0], {'two', 'three', 'five'}), title('exploded')
