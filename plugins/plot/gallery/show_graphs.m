subplot(1, 2, 1), plot(graph([1 1 2 3 4], [2 3 4 4 5])), title('graph')
subplot(1, 2, 2), plot(digraph([1 2 3], [2 3 1])), title('digraph')
