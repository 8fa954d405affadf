d = [1 5 2 8; 2 4 3 7; 3 3 1 6; 4 2 5 5; 5 1 4 4]; parallelplot(d, 'GroupData', [1 1 2 2 2]), title('parallel')
