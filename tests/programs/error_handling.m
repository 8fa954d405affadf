% Errors: identifiers, nested try, rethrow, causes, cleaning up, own exceptions.
try
    x = [1 2 3];
    x(7)
catch problem
    show(problem);
end
try
    undefined_thing + 1;
catch problem
    show(problem);
end
try
    [1 2 3] * [4 5 6];
catch problem
    disp(problem.identifier);
end
try
    error('no identifier here: 50%');
catch problem
    show(problem);
end
try
    error('app:bad', 'value %d of %s', 3, 'list');
catch problem
    show(problem);
end
try
    error(struct('identifier', 'app:fromStruct', 'message', 'as is: %d'));
catch problem
    show(problem);
end

% rethrow keeps what it was; throw of an own exception; causes
try
    outer(2);
catch problem
    show(problem);
    fprintf('%d cause: %s\n', numel(problem.cause), problem.cause{1}.message);
    fprintf('raised in %s\n', problem.stack(1).name);
end
try
    try
        error('app:inner', 'inner');
    catch inner
        rethrow(inner);
    end
catch problem
    show(problem);
end

% nested try in catch, and the error of a catch block
try
    try
        error('a:b', 'first');
    catch first
        error('c:d', '%s then second', first.message);
    end
catch problem
    show(problem);
end

% cleaning up happens however a function ends
for mode = {'return', 'error', 'end'}
    try
        careful(mode{1});
    catch problem
        show(problem);
    end
end

% assertions and validation
try
    assert(1 == 2, 'app:assert', 'one is not %d', 2);
catch problem
    show(problem);
end
try
    validateattributes(-1, {'numeric'}, {'nonnegative'}, 'solve', 'tolerance');
catch problem
    show(problem);
end
try
    validatestring('gr', {'red', 'blue'});
catch problem
    disp(problem.identifier);
end
disp(validatestring('bl', {'red', 'blue'}));

% cellfun's ErrorHandler
results = cellfun(@(s) str2func(s), {'sin', 'cos'}, 'UniformOutput', false);
values = cellfun(@(x) risky(x), {1, -1, 4}, 'ErrorHandler', @(e, x) -e.index);
disp(values);
disp(cellfun(@(f) f(0), results));

% warnings are remembered, and may be errors to those who ask
warning('off', 'app:careful');
warning('app:careful', 'not shown %d', 1);
[message, identifier] = lastwarn;
fprintf('[%s] [%s]\n', message, identifier);

% a report and a comparison by identifier
try
    outer(0);
catch problem
    switch problem.identifier
        case {'app:none', 'app:zero'}
            disp('zero was refused');
        otherwise
            disp('something else');
    end
end
fprintf('%s\n', getReport(MException('app:x', 'plain %s', 'message')));

function show(problem)
    fprintf('<%s> %s\n', problem.identifier, problem.message);
end

function outer(n)
    if n == 0
        error('app:zero', 'zero');
    end
    try
        middle(n);
    catch cause
        wrapped = MException('app:outer', 'outer failed for %d', n);
        wrapped = addCause(wrapped, cause);
        throw(wrapped);
    end
end

function middle(n)
    error('app:middle', 'middle does not like %d', n);
end

function careful(mode)
    guard = onCleanup(@() fprintf('cleaned after %s\n', mode));
    switch mode
        case 'return'
            return
        case 'error'
            error('app:careful', 'on purpose');
    end
    disp('at the end');
end

function y = risky(x)
    if x < 0
        error('app:negative', 'negative');
    end
    y = sqrt(x);
end
