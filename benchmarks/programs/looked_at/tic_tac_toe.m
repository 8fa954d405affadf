n = 2;
% Noughts and crosses: the whole game tree by minimax, then games against a simple player.
% At n = 2: 0 0 2 30248
% At n = 1: 0 0 1 13924

wins = [1 2 3; 4 5 6; 7 8 9; 1 4 7; 2 5 8; 3 6 9; 1 5 9; 3 5 7];
results = zeros(1, 3);
visited = 0;
for game = 1:n
    board = zeros(1, 9);
    board(mod(game*4, 9) + 1) = 1;
    board(find(board == 0, 1)) = -1;
    player = 1;
    while winner(board, wins) == 0 && any(board == 0)
        if player == 1
            [~, move, seen] = minimax(board, player, wins);
            visited = visited + seen;
        else
            move = find(board == 0, 1, 'last');
        end
        board(move) = player;
        player = -player;
    end
    results(winner(board, wins) + 2) = results(winner(board, wins) + 2) + 1;
end
fprintf('%d %d %d %d\n', results, visited);

function [value, move, seen] = minimax(board, player, wins)
    move = 0;
    seen = 2;
    value = winner(board, wins);
    open = find(board == 0);
    if value ~= 0 || isempty(open)
        value = value*(1 + numel(open));
        return
    end
    value = -inf*player;
    for k = open
        board(k) = player;
        [v, ~, s] = minimax(board, -player, wins);
        seen = seen + s;
        board(k) = 0;
        if v*player > value*player
            value = v;
            move = k;
        end
    end
end

function w = winner(board, wins)
    w = 0;
    for k = 1:8
        s = board(wins(k, 1)) + board(wins(k, 2)) + board(wins(k, 3));
        if abs(s) == 3
            w = sign(s);
            return
        end
    end
end
