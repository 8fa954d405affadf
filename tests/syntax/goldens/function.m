function [total, varargout] = tour(A, opts, varargin)
%TOUR  Everything at once.
%   { is a brace
    arguments
        A (:,:) double {mustBeFinite}
        opts.Name (1,1) string = "x"
        opts.Depth {mustBeMember(opts.Depth, [1 2 3])} = 1
    end
    arguments (Repeating)
        varargin
    end
    global G H
    persistent calls
    total = 0;
    for k = [1:3; 4:6]
        if k(1) > 2 && ~isempty(A), total = total + A(k(end), :)'; elseif any(k == [1 -2])
            continue
        else, break, end
    end
    while true, total = -total ^ 2; if total, return, end, end
    switch opts.Name
        case {"a", 'b'}
            hold on; grid('on')
        otherwise
            disp -5
            warning off MATLAB:singularMatrix
    end
    try
        [u, ~, s.(opts.Name){2}] = deal(A{:}, 1e3i, 0x1Fu16);
    catch err
        rethrow(err);
    end
    try, risky, end
    f = @(x, ~) cellfun(@(y) [x, y'; -y .' 1], {1, 'it''s', "q""q"; @sin ?double 2:3:10});
    parfor (i = 1:10, 4)
        A(:, i) = [];
    end
    spmd (2)
        labindex
    end
    !echo done
    varargout{1} = f(total, Tol=1e-6, Mode="fast");
    function inner(z)
        calls = z(end, end + 1).a.b(:);
    end
end

function r = helper, r = 1; end

function ignoring(~, b)
    arguments
        ~
        b (1,1) double
    end
end
