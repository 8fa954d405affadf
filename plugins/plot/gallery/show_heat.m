heatmap({'a', 'b', 'c'}, {'x', 'y'}, [1 2 3; 4 NaN 6.5], 'Title', 'Heat')
