% A small computer algebra system: parse, differentiate, simplify, print and evaluate expressions.
%
% Expressions are trees of structs. A node has a kind ('number', 'variable', 'call' or an operator)
% and, depending on it, a value, a name or arguments.

demos = {'3 + 4*2', 'x^2 + 3*x + 1', 'sin(x)*exp(-x)', '(x + 1)/(x - 1)', 'ln(x^2 + 1)', ...
         'x^x', '-x^2 + 2^-1', 'cos(2*x)^3'};

fprintf('%-18s %-34s %10s %10s\n', 'f(x)', 'f''(x)', 'f(2)', 'f''(2)');
for k = 1:numel(demos)
    tree = parse(demos{k});
    derivative = simplify(differentiate(tree, 'x'));
    env = containers.Map({'x'}, {2});
    fprintf('%-18s %-34s %10.4f %10.4f\n', print(simplify(tree)), print(derivative), ...
            evaluate(tree, env), evaluate(derivative, env));
end

% the derivative agrees with a difference quotient
worst = 0;
for k = 1:numel(demos)
    tree = parse(demos{k});
    derivative = simplify(differentiate(tree, 'x'));
    for x = [0.5 1.25 2 3]
        if abs(x - 1) < 0.1, continue, end
        h = 1e-6;
        slope = (at(tree, x + h) - at(tree, x - h)) / (2*h);
        worst = max(worst, abs(slope - at(derivative, x)) / max(1, abs(slope)));
    end
end
if worst < 1e-6
    disp('all derivatives agree with difference quotients');
end

% what cannot be parsed says where
broken = {'3 +', '(x', 'x $ 2', 'sin x', '2 x'};
for k = 1:numel(broken)
    try
        parse(broken{k});
    catch err
        fprintf('%-8s %-22s %s\n', broken{k}, err.identifier, err.message);
    end
end

% ---------------------------------------------------------------------------------------------
% text to tokens

function tokens = tokenize(text)
    pattern = '(?<number>\d+\.?\d*)|(?<name>[a-zA-Z]\w*)|(?<operator>[-+*/^()])|(?<other>\S)';
    found = regexp(text, pattern, 'match');
    tokens = struct('kind', {}, 'text', {});
    for k = 1:numel(found)
        t = found{k};
        if any(t(1) == '0123456789')
            kind = 'number';
        elseif isletter(t(1))
            kind = 'name';
        elseif any(t == '-+*/^()')
            kind = t;
        else
            error('algebra:badCharacter', 'Unexpected character ''%s''.', t);
        end
        tokens(end+1) = struct('kind', kind, 'text', t); %#ok<AGROW>
    end
    tokens(end+1) = struct('kind', 'end', 'text', 'end of text');
end

% tokens to a tree, by recursive descent; `position` travels with the result

function tree = parse(text)
    tokens = tokenize(text);
    [tree, position] = parse_sum(tokens, 1);
    if ~strcmp(tokens(position).kind, 'end')
        error('algebra:trailing', 'Expected an operator before ''%s''.', tokens(position).text);
    end
end

function [left, p] = parse_sum(tokens, p)
    [left, p] = parse_product(tokens, p);
    while any(strcmp(tokens(p).kind, {'+', '-'}))
        op = tokens(p).kind;
        [right, p] = parse_product(tokens, p + 1);
        left = node(op, left, right);
    end
end

function [left, p] = parse_product(tokens, p)
    [left, p] = parse_unary(tokens, p);
    while any(strcmp(tokens(p).kind, {'*', '/'}))
        op = tokens(p).kind;
        [right, p] = parse_unary(tokens, p + 1);
        left = node(op, left, right);
    end
end

function [tree, p] = parse_unary(tokens, p)
    if strcmp(tokens(p).kind, '-')
        [operand, p] = parse_unary(tokens, p + 1);
        tree = node('*', number(-1), operand);
    else
        [tree, p] = parse_power(tokens, p);
    end
end

function [tree, p] = parse_power(tokens, p)
    [tree, p] = parse_atom(tokens, p);
    if strcmp(tokens(p).kind, '^')
        [exponent, p] = parse_unary(tokens, p + 1);
        tree = node('^', tree, exponent);
    end
end

function [tree, p] = parse_atom(tokens, p)
    token = tokens(p);
    switch token.kind
        case 'number'
            tree = number(str2double(token.text));
            p = p + 1;
        case 'name'
            p = p + 1;
            if any(strcmp(token.text, {'sin', 'cos', 'exp', 'ln'}))
                if ~strcmp(tokens(p).kind, '(')
                    error('algebra:call', 'Expected ''('' after %s.', token.text);
                end
                [argument, p] = parse_group(tokens, p);
                tree = call(token.text, argument);
            else
                tree = struct('kind', 'variable', 'name', token.text);
            end
        case '('
            [tree, p] = parse_group(tokens, p);
        otherwise
            error('algebra:unexpected', 'Unexpected %s.', token.text);
    end
end

function [tree, p] = parse_group(tokens, p)
    [tree, p] = parse_sum(tokens, p + 1);
    if ~strcmp(tokens(p).kind, ')')
        error('algebra:unbalanced', 'Missing '')''.');
    end
    p = p + 1;
end

% constructors

function n = number(value)
    n = struct('kind', 'number', 'value', value);
end

function n = node(op, left, right)
    n = struct('kind', op, 'args', {{left, right}});
end

function n = call(name, argument)
    n = struct('kind', 'call', 'name', name, 'args', {{argument}});
end

function tf = is_number(tree, value)
    tf = strcmp(tree.kind, 'number') && (nargin < 2 || tree.value == value);
end

% rules

function d = differentiate(f, x)
    switch f.kind
        case 'number'
            d = number(0);
        case 'variable'
            d = number(double(strcmp(f.name, x)));
        case {'+', '-'}
            d = node(f.kind, differentiate(f.args{1}, x), differentiate(f.args{2}, x));
        case '*'
            [u, v] = f.args{:};
            d = node('+', node('*', differentiate(u, x), v), node('*', u, differentiate(v, x)));
        case '/'
            [u, v] = f.args{:};
            top = node('-', node('*', differentiate(u, x), v), node('*', u, differentiate(v, x)));
            d = node('/', top, node('^', v, number(2)));
        case '^'
            [u, v] = f.args{:};
            if is_number(v)
                d = node('*', node('*', v, node('^', u, number(v.value - 1))), differentiate(u, x));
            else
                d = node('*', f, differentiate(node('*', v, call('ln', u)), x));
            end
        case 'call'
            u = f.args{1};
            switch f.name
                case 'sin', outer = call('cos', u);
                case 'cos', outer = node('*', number(-1), call('sin', u));
                case 'exp', outer = f;
                case 'ln',  outer = node('/', number(1), u);
            end
            d = node('*', outer, differentiate(u, x));
    end
end

function t = simplify(t)
    if ~isfield(t, 'args'), return, end
    t.args = cellfun(@simplify, t.args, 'UniformOutput', false);
    if strcmp(t.kind, 'call'), return, end
    [a, b] = t.args{:};
    if is_number(a) && is_number(b)
        t = number(evaluate(t, []));
        return
    end
    switch t.kind
        case '+'
            if is_number(a, 0), t = b; elseif is_number(b, 0), t = a; end
        case '-'
            if is_number(b, 0), t = a; end
        case '*'
            if is_number(a, 0) || is_number(b, 0), t = number(0);
            elseif is_number(a, 1), t = b;
            elseif is_number(b, 1), t = a;
            elseif is_number(b), t = node('*', b, a);
            end
        case '^'
            if is_number(b, 1), t = a; elseif is_number(b, 0), t = number(1); end
    end
end

% values and text

function v = at(tree, x)
    v = evaluate(tree, containers.Map('x', x));
end

function v = evaluate(t, env)
    switch t.kind
        case 'number',   v = t.value;
        case 'variable', v = env(t.name);
        case 'call'
            functions = struct('sin', @sin, 'cos', @cos, 'exp', @exp, 'ln', @log);
            f = functions.(t.name);
            v = f(evaluate(t.args{1}, env));
        otherwise
            a = evaluate(t.args{1}, env);
            b = evaluate(t.args{2}, env);
            switch t.kind
                case '+', v = a + b;
                case '-', v = a - b;
                case '*', v = a * b;
                case '/', v = a / b;
                case '^', v = a ^ b;
            end
    end
end

function [s, level] = print(t)
    levels = struct('plus', 1, 'minus', 1, 'times', 2, 'over', 2, 'power', 3);
    switch t.kind
        case 'number',   s = sprintf('%g', t.value); level = 4 - 3*(t.value < 0);
        case 'variable', s = t.name; level = 4;
        case 'call',     s = [t.name '(' print(t.args{1}) ')']; level = 4;
        otherwise
            words = {'plus', 'minus', 'times', 'over', 'power'};
            level = levels.(words{strfind('+-*/^', t.kind)});
            [a, la] = print(t.args{1});
            [b, lb] = print(t.args{2});
            if la < level && ~is_number(t.args{1}), a = ['(' a ')']; end
            if lb < level || (lb == level && any(t.kind == '-/^')), b = ['(' b ')']; end
            if any(t.kind == '+-'), s = [a ' ' t.kind ' ' b]; else, s = [a t.kind b]; end
    end
end
