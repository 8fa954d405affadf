% Options as name and value pairs that set variables of the caller by name.
[area, how] = rectangle(3, 4);
fprintf('%g %s\n', area, how);
[area, how] = rectangle(3, 4, 'Scale', 10, 'Unit', 'cm');
fprintf('%g %s\n', area, how);
[area, how] = rectangle(3, 4, 'Unit', "mm", 'Round', true);
fprintf('%g %s\n', area, how);

try
    rectangle(1, 1, 'Colour', 'red');
catch failure
    fprintf('%s | %s\n', failure.identifier, failure.message);
end
try
    rectangle(1, 1, 'Scale');
catch failure
    fprintf('%s | %s\n', failure.identifier, failure.message);
end

% the same through inputParser
disp(describe('step'));
disp(describe('step', 0.5, 'Verbose', true, 'Label', 'fine'));
disp(describe('step', 'Label', 'coarse'));
try
    describe('step', -1);
catch failure
    disp(contains(failure.message, 'positive'));
end
try
    describe('step', 1, 'Labels', 'x');
catch failure
    disp(failure.identifier);
end

function [area, how] = rectangle(width, height, varargin)
    scale = 1;
    unit = '';
    rounded = false;
    variables = containers.Map({'Scale', 'Unit', 'Round'}, {'scale', 'unit', 'rounded'});
    k = 1;
    while k <= numel(varargin)
        name = varargin{k};
        if isKey(variables, name)
            if k == numel(varargin)
                error('rectangle:noValue', 'The option %s has no value.', name);
            end
            k = k + 1;
            feval(@() assignin('caller', variables(name), varargin{k}));
        else
            error('rectangle:unknownOption', 'There is no option "%s".', name);
        end
        k = k + 1;
    end
    area = width * height * scale;
    if rounded
        area = round(area, -1);
    end
    how = sprintf('[%s] of %s', unit, class(unit));
end

function text = describe(name, varargin)
    parser = inputParser;
    parser.FunctionName = 'describe';
    addRequired(parser, 'name', @ischar);
    addOptional(parser, 'size', 1, @(x) validateattributes(x, {'numeric'}, {'positive'}));
    addParameter(parser, 'Verbose', false);
    parser.addParameter('Label', 'none', @(x) ischar(x) || isstring(x));
    parse(parser, name, varargin{:});
    given = parser.Results;
    text = sprintf('%s %g %d %s;', given.name, given.size, given.Verbose, given.Label);
    defaults = sort(parser.UsingDefaults);
    text = [text ' defaults:' sprintf(' %s', defaults{:})];
end
