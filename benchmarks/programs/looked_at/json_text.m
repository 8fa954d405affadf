n = 200;
% A parser and a writer of JSON: recursion over characters, structures and cells.
% At n = 200: -18204 1 {}},"count":206}
% At n = 2: -188 1 ":{}},"count":8}

text = '{"name": "list", "items": [1, 2.5, -3e2, true, null, "a\"b"], "nested": {"x": [[1,2],[3]], "y": {}}}';
total = 0;
for k = 1:n
    [value, at] = parse_value(text, 1);
    value.count = numel(value.items) + k;
    value.items{end+1} = struct('k', k);
    out = write_value(value);
    total = total + length(out) + at + value.items{3};
end
[again, ~] = parse_value(out, 1);
fprintf('%d %d %s\n', total, isequal(write_value(again), out), out(end-15:end));

function at = skip(text, at)
    while at <= length(text) && any(text(at) == sprintf(' \t\n'))
        at = at + 1;
    end
end

function [value, at] = parse_value(text, at)
    at = skip(text, at);
    switch text(at)
        case '{'
            value = struct();
            at = skip(text, at + 1);
            while text(at) ~= '}'
                [key, at] = parse_string(text, at);
                at = skip(text, at);
                [item, at] = parse_value(text, at + 1);
                value.(key) = item;
                at = skip(text, at);
                if text(at) == ','
                    at = skip(text, at + 1);
                end
            end
            at = at + 1;
        case '['
            value = {};
            at = skip(text, at + 1);
            while text(at) ~= ']'
                [value{end+1}, at] = parse_value(text, at);
                at = skip(text, at);
                if text(at) == ','
                    at = at + 1;
                end
            end
            at = at + 1;
        case '"'
            [value, at] = parse_string(text, at);
        case 't'
            value = true;
            at = at + 4;
        case 'f'
            value = false;
            at = at + 5;
        case 'n'
            value = [];
            at = at + 4;
        otherwise
            first = at;
            while at <= length(text) && any(text(at) == '+-.eE0123456789')
                at = at + 1;
            end
            value = str2double(text(first:at-1));
    end
end

function [s, at] = parse_string(text, at)
    s = '';
    at = at + 1;
    while text(at) ~= '"'
        if text(at) == '\'
            at = at + 1;
        end
        s(end+1) = text(at);
        at = at + 1;
    end
    at = at + 1;
end

function out = write_value(value)
    if ischar(value)
        out = ['"' strrep(value, '"', '\"') '"'];
    elseif iscell(value)
        parts = cellfun(@write_value, value, 'UniformOutput', false);
        out = ['[' strjoin(parts, ',') ']'];
    elseif isstruct(value)
        names = fieldnames(value);
        parts = cell(1, numel(names));
        for k = 1:numel(names)
            parts{k} = ['"' names{k} '":' write_value(value.(names{k}))];
        end
        out = ['{' strjoin(parts, ',') '}'];
    elseif islogical(value)
        if value
            out = 'true';
        else
            out = 'false';
        end
    elseif isempty(value)
        out = 'null';
    else
        out = sprintf('%.15g', value);
    end
end
