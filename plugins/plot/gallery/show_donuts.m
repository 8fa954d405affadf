subplot(1, 2, 1), piechart([4 3 2 1], ["a" "b" "c" "d"])
subplot(1, 2, 2), donutchart([5 3 2], ["x" "y" "z"])
