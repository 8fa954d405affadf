plot(0:5, [1 4 2 5 3 6]), grid on, grid minor, ax = gca; ax.GridColor = 'b'; ax.GridLineStyle = '--'; ax.GridAlpha = 0.5;
