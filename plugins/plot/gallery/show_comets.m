t = 0:0.05:12; subplot(1, 2, 1), comet(cos(t), sin(2*t)), title('comet')
subplot(1, 2, 2), comet3(cos(t), sin(t), t), grid on
