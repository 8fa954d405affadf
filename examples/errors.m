% Errors: identifiers, causes, rethrowing, cleanup and warnings.

% every error carries an identifier and a message
attempt(@() undefined_thing(1));
attempt(@() [1 2 3] + [1 2]);
attempt(@() ones(2, 3) * ones(2, 3));
attempt(@() subsref([1 2 3], substruct('()', {7})));
attempt(@() getfield(struct('a', 1), 'b'));
attempt(@() error('shop:empty', 'Only %d left of %s.', 0, 'nuts'));

% a cause is added on the way up
try
    load_settings('missing.cfg');
catch err
    fprintf('%s\n', err.identifier);
    fprintf('%s\n', err.message);
    fprintf('caused by: %s\n', err.cause{1}.message);
end

% cleanup runs however a function is left
try
    with_cleanup(true);
catch err
    fprintf('left by: %s\n', err.message);
end
with_cleanup(false);

% rethrow keeps the identifier; switch on it
codes = {'shop:empty', 'shop:closed', 'other:thing'};
for k = 1:numel(codes)
    try
        try
            error(codes{k}, 'message %d', k);
        catch inner
            rethrow(inner);
        end
    catch outer
        switch outer.identifier
            case {'shop:empty', 'shop:closed'}
                fprintf('the shop says: %s\n', outer.message);
            otherwise
                fprintf('somebody else says: %s\n', outer.message);
        end
    end
end

% warnings can be silenced and inspected
warning('off', 'demo:loud');
warning('demo:loud', 'nobody hears this');
[msg, id] = lastwarn;
fprintf('[%s] [%s]\n', msg, id);

ME = MException('demo:final', 'the end after %d steps', 3)

function attempt(f)
    try
        f();
    catch err
        fprintf('%-30s %s\n', err.identifier, err.message);
    end
end

function load_settings(name)
    try
        error('io:notFound', 'No file %s.', name);
    catch cause
        err = MException('settings:load', 'Settings could not be loaded.');
        err = addCause(err, cause);
        throw(err);
    end
end

function with_cleanup(fail)
    guard = onCleanup(@() fprintf('cleaned up\n'));
    if fail
        error('work went wrong');
    end
    fprintf('work went well\n');
end
