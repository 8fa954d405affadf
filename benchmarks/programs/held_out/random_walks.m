n = 400;
% Random walks on a plane with an own generator: distances, returns, a gambler's ruin.
% At n = 400: 8.6214 4.5966 525 54
% At n = 8: 7.4896 2.5425 12 2

state = 1;
steps = 100;
final = zeros(1, n);
returns = 0;
for walk = 1:n
    x = 0;
    y = 0;
    for k = 1:steps
        state = mod(1664525*state + 1013904223, 4294967296);
        switch floor(state/1073741824)
            case 0
                x = x + 1;
            case 1
                x = x - 1;
            case 2
                y = y + 1;
            otherwise
                y = y - 1;
        end
        if x == 0 && y == 0
            returns = returns + 1;
        end
    end
    final(walk) = hypot(x, y);
end
ruined = 0;
for game = 1:floor(n/4)
    money = 10;
    while money > 0 && money < 20
        state = mod(1664525*state + 1013904223, 4294967296);
        if state < 0.49*4294967296
            money = money + 1;
        else
            money = money - 1;
        end
    end
    ruined = ruined + (money == 0);
end
fprintf('%.4f %.4f %d %d\n', mean(final), std(final), returns, ruined);
