colororder([0 0 0; 1 0 0; 0 0.6 0]), plot([1 2 3; 3 1 2; 2 3 1], 'LineWidth', 2), legend('Location', 'best')
