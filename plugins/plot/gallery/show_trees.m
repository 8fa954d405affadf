treeplot([0 1 1 2 2 3 3 4 4]), title('tree')
