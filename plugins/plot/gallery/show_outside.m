plot(magic(4)), legend({'a', 'b', 'c', 'd'}, 'Location', 'eastoutside'), title('Legend outside'), ylabel('magic')
