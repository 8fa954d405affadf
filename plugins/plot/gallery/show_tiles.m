t = tiledlayout(2, 2); title(t, 'Tiles'), nexttile, plot(1:3), nexttile, bar(1:3), nexttile([1 2]), plot(rand_(30)), ylabel('wide')

function x = rand_(n), x = mod((1:n) * 0.618, 1); end
