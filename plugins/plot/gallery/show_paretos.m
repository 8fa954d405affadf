pareto([50 20 15 10 5], {'a', 'b', 'c', 'd', 'e'}), title('pareto')
