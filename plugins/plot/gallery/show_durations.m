plot(minutes(0:10:60), [0 3 1 4 1 5 9], 'o-'), title('Durations'), ylabel('count')
