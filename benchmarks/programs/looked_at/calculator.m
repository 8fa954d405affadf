n = 80;
% Recursive-descent parser and evaluator of arithmetic expressions.
% At n = 80: 84500.377772
% At n = 2: 2112.509444

total = 0;
exprs = {'1 + 2*3 - (4 - 5)/2', '2^3^2 - 10*(3+4)', 'x*y + sin(x) - max(y, 3)', ...
         '-(1+2)*(3-x)/((y+1)*2)', '((((x))))+1*2*3*4*5', 'f(x+1) + f(y-2)*f(3)'};
env = struct('x', 2.5, 'y', 7, 'funcs', struct('sin', @sin, 'max', @max, 'f', @(t) t^2 + 1));
for rep = 1:n
  for k = 1:numel(exprs)
    tokens = tokenize(exprs{k});
    [tree, pos] = parse_expr(tokens, 1);
    if pos <= numel(tokens)
      error('calc:trailing', 'trailing input at token %d', pos);
    end
    total = total + evaluate(tree, env);
    total = total + numel(show(tree));
  end
end
fprintf('%.6f\n', total);

function tokens = tokenize(text)
  tokens = {};
  i = 1; n = length(text);
  while i <= n
    c = text(i);
    if isspace(c)
      i = i + 1;
    elseif any_digit(c) || c == '.'
      j = i;
      while j <= n && (any_digit(text(j)) || text(j) == '.')
        j = j + 1;
      end
      tokens{end+1} = struct('kind', 'num', 'text', text(i:j-1));
      i = j;
    elseif isletter(c)
      j = i;
      while j <= n && isletter(text(j))
        j = j + 1;
      end
      tokens{end+1} = struct('kind', 'id', 'text', text(i:j-1));
      i = j;
    else
      tokens{end+1} = struct('kind', 'op', 'text', c);
      i = i + 1;
    end
  end
end

function yes = at(tokens, pos, varargin)
  yes = pos <= numel(tokens) && any(strcmp(tokens{pos}.text, varargin));
end

function [node, pos] = parse_expr(tokens, pos)
  [node, pos] = parse_term(tokens, pos);
  while at(tokens, pos, '+', '-')
    op = tokens{pos}.text;
    [right, pos] = parse_term(tokens, pos + 1);
    node = make('binary', op, {node, right});
  end
end

function [node, pos] = parse_term(tokens, pos)
  [node, pos] = parse_unary(tokens, pos);
  while at(tokens, pos, '*', '/')
    op = tokens{pos}.text;
    [right, pos] = parse_unary(tokens, pos + 1);
    node = make('binary', op, {node, right});
  end
end

function [node, pos] = parse_unary(tokens, pos)
  if at(tokens, pos, '-')
    [arg, pos] = parse_unary(tokens, pos + 1);
    node = make('unary', '-', {arg});
  else
    [node, pos] = parse_power(tokens, pos);
  end
end

function [node, pos] = parse_power(tokens, pos)
  [node, pos] = parse_primary(tokens, pos);
  if at(tokens, pos, '^')
    [right, pos] = parse_unary(tokens, pos + 1);
    node = make('binary', '^', {node, right});
  end
end

function [node, pos] = parse_primary(tokens, pos)
  t = tokens{pos};
  switch t.kind
    case 'num'
      node = make('number', str2double(t.text), {});
      pos = pos + 1;
    case 'id'
      if at(tokens, pos + 1, '(')
        args = {};
        pos = pos + 2;
        while ~at(tokens, pos, ')')
          [args{end+1}, pos] = parse_expr(tokens, pos);
          if at(tokens, pos, ',')
            pos = pos + 1;
          end
        end
        pos = pos + 1;
        node = make('call', t.text, args);
      else
        node = make('name', t.text, {});
        pos = pos + 1;
      end
    otherwise
      [node, pos] = parse_expr(tokens, pos + 1);
      pos = pos + 1;
  end
end

function node = make(kind, value, kids)
  node = struct('kind', kind, 'value', value);
  node.kids = kids;
end

function v = evaluate(node, env)
  switch node.kind
    case 'number'
      v = node.value;
    case 'name'
      v = env.(node.value);
    case 'unary'
      v = -evaluate(node.kids{1}, env);
    case 'binary'
      a = evaluate(node.kids{1}, env);
      b = evaluate(node.kids{2}, env);
      switch node.value
        case '+', v = a + b;
        case '-', v = a - b;
        case '*', v = a * b;
        case '/', v = a / b;
        case '^', v = a ^ b;
      end
    case 'call'
      args = cellfun(@(k) evaluate(k, env), node.kids, 'UniformOutput', false);
      fn = env.funcs.(node.value);
      v = fn(args{:});
  end
end

function s = show(node)
  switch node.kind
    case 'number', s = sprintf('%g', node.value);
    case 'name', s = node.value;
    case 'unary', s = ['(-' show(node.kids{1}) ')'];
    case 'binary', s = ['(' show(node.kids{1}) ' ' node.value ' ' show(node.kids{2}) ')'];
    case 'call'
      parts = cellfun(@show, node.kids, 'UniformOutput', false);
      s = [node.value '(' strjoin(parts, ', ') ')'];
  end
end

function t = any_digit(c)
  t = c >= '0' && c <= '9';
end
