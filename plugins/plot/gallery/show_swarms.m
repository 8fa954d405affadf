y = sin((1:240).^2) .* mod(1:240, 7); swarmchart(ceil((1:240) / 80), y, 12, y, 'filled'), xticks(1:3)
