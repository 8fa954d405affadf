bubblechart3(1:5, [3 1 4 1 5], [2 4 3 5 1], 1:5), grid on, bubblesize([4 30]), xlabel('x'), zlabel('z')
