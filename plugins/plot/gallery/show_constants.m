plot(0:10, (0:10).^2), xline(4, '--r', 'four'), yline([20 60], ':', {'low', 'high'}), xregion(6, 8), yregion(70, 90)
