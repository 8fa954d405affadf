n = 2000;
% State machine with options, dynamic fields and errors that are caught.
% At n = 2000: idle 6000 4000 4000 4000
% At n = 20: idle 60 40 40 40

m = make_machine('start', 'idle', 'limit', 50);
m = add(m, 'idle', 'coin', 'ready', @(m) bump(m, 'coins'));
m = add(m, 'ready', 'push', 'idle', @(m) bump(m, 'pushes'));
m = add(m, 'ready', 'coin', 'ready', []);
m = add(m, 'idle', 'kick', 'broken');
m = add(m, 'broken', 'fix', 'idle', @(m) bump(m, 'fixes', 2));
evs = {'coin', 'push', 'push', 'coin', 'coin', 'kick', 'push', 'kick', 'coin', 'fix'};
bad = 0;
for rep = 1:n
  for k = 1:numel(evs)
    try
      m = fire(m, evs{k});
    catch err
      if strcmp(err.identifier, 'machine:refused')
        bad = bad + 1;
      else
        rethrow(err);
      end
    end
  end
  [a, b, c] = stats(m, 'coins', 'pushes', 'fixes');
end
fprintf('%s %d %d %d %d\n', m.state, bad, a, b, c);

function m = make_machine(varargin)
  opts = parse_options(struct('start', '', 'limit', 10, 'verbose', false), varargin{:});
  m = struct('state', opts.start, 'limit', opts.limit, 'counters', struct(), 'table', struct());
end

function opts = parse_options(opts, varargin)
  if mod(numel(varargin), 2) ~= 0
    error('machine:options', 'Options come in pairs');
  end
  for k = 1:2:numel(varargin)
    if ~ischar(varargin{k}) || ~isfield(opts, varargin{k})
      error('machine:options', 'Unknown option');
    end
    opts.(varargin{k}) = varargin{k+1};
  end
end

function m = add(m, from, event, to, action)
  if nargin < 5 || isempty(action)
    action = @(m) m;
  end
  m.table.(from).(event) = struct('to', to, 'action', action);
end

function m = fire(m, event, varargin)
  row = m.table.(m.state);
  if ~isfield(row, event)
    error('machine:refused', 'Event %s refused in state %s', event, m.state);
  end
  rule = row.(event);
  m = rule.action(m);
  m.state = rule.to;
  if exist('varargin', 'var') && ~isempty(varargin)
    m = varargin{1}(m);
  end
end

function m = bump(m, name, by)
  if nargin < 3
    by = 1;
  end
  if isfield(m.counters, name)
    m.counters.(name) = m.counters.(name) + by;
  else
    m.counters.(name) = by;
  end
end

function varargout = stats(m, varargin)
  varargout = cell(1, numel(varargin));
  for k = 1:numel(varargin)
    varargout{k} = m.counters.(varargin{k});
  end
end
