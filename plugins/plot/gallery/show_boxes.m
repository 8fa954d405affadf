boxchart([1 2 3 4 5 6 7 20; 2 3 5 4 6 5 4 3]'), title('boxchart')
