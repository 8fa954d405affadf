surf(peaks), xlabel('x'), ylabel('y'), zlabel('z'), title('Peaks'), colorbar
