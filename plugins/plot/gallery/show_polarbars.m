t = sin(1:200) * pi; subplot(1, 2, 1), rose(t), title('rose')
subplot(1, 2, 2), polarhistogram(t, 12, 'FaceColor', 'r'), title('polarhistogram')
