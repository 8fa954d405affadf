% Persistent and global variables, and what clearing does to them.
global LEVEL
disp(isempty(LEVEL));
LEVEL = 3;
raise(2);
disp(LEVEL);
LEVEL(3) = 7;
report();

fprintf('%d ', tick(), tick(), tick());
fprintf('\n');
tick('reset');
disp(tick());

% memoised results survive between calls, and are private to their function
disp(fibonacci(50));
disp(fibonacci(40));

% a bank account whose balance nobody else sees
account('open', 100);
account('deposit', 50);
fprintf('%d\n', account('balance'));
try
    account('withdraw', 500);
catch problem
    disp(problem.message);
end
account('withdraw', 30);
fprintf('%d\n', account('balance'));

% a local of the same name is another variable
hidden();
disp(LEVEL);
clear global LEVEL
global LEVEL
disp(isempty(LEVEL));

% values are copied, handles are not
first = struct('n', 1);
second = first;
second.n = 2;
fprintf('%d %d\n', first.n, second.n);
shared = containers.Map('KeyType', 'char', 'ValueType', 'double');
alias = shared;
alias('k') = 5;
fprintf('%d %d\n', shared.Count, shared('k'));
grow = @(list, x) [list x];
list = 1;
grow(list, 2);
disp(list);

function raise(by)
    global LEVEL
    LEVEL = LEVEL + by;
end

function report()
    global LEVEL
    fprintf('level:%s\n', sprintf(' %d', LEVEL));
end

function hidden()
    LEVEL = 'local';
    fprintf('%s\n', LEVEL);
end

function n = tick(command)
    persistent count
    if isempty(count) || nargin > 0
        count = 0;
    end
    if nargin == 0
        count = count + 1;
    end
    n = count;
end

function f = fibonacci(n)
    persistent known
    if isempty(known)
        known = [1 1];
    end
    if n <= numel(known)
        f = known(n);
        return
    end
    f = fibonacci(n - 1) + fibonacci(n - 2);
    known(n) = f;
end

function out = account(action, amount)
    persistent balance
    switch action
        case 'open'
            balance = amount;
        case {'deposit', 'add'}
            balance = balance + amount;
        case 'withdraw'
            if amount > balance
                error('account:funds', 'Only %d left, not %d.', balance, amount);
            end
            balance = balance - amount;
    end
    out = balance;
end
