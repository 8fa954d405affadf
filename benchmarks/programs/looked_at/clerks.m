n = 12000;
% Event simulation with function handles: customers and two clerks.
% At n = 12000: 5999 24 6061.5759 101:01.58: 0 waiting, 5999 served
% At n = 600: 298 1 309.6540 04:13.16: 0 waiting, 249 served

world = struct('now', 0, 'served', 0, 'waiting', 0, 'free', 2, 'busy', 0, 'seed', 7, 'log', {{}});
agenda = struct('time', {}, 'action', {}, 'who', {});
[world, dt] = draw(world);
agenda = schedule(agenda, dt, @arrive, 1);
steps = 0;
while ~isempty(agenda) && steps < n
  [agenda, ev] = next_event(agenda);
  world.now = ev.time;
  [world, agenda] = ev.action(world, agenda, ev.who);
  steps = steps + 1;
  if mod(steps, 500) == 0
    world.log{end+1} = sprintf('%s: %d waiting, %d served', fmt_time(world.now), world.waiting, world.served);
  end
end
fprintf('%d %d %.4f\n', world.served, numel(world.log), world.now);
disp(world.log{end});

function s = fmt_time(t)
  s = sprintf('%02d:%05.2f', floor(t/60), mod(t, 60));
end

function [world, x] = draw(world)
  world.seed = mod(world.seed*16807, 2147483647);
  x = -log(world.seed/2147483647);
end

function agenda = schedule(agenda, time, action, who)
  ev = struct('time', time, 'action', action, 'who', who);
  k = numel(agenda);
  agenda(k+1) = ev;
  while k > 0 && agenda(k).time > time
    agenda(k+1) = agenda(k);
    k = k - 1;
  end
  agenda(k+1) = ev;
end

function [agenda, ev] = next_event(agenda)
  ev = agenda(1);
  agenda(1) = [];
end

function [world, agenda] = arrive(world, agenda, who)
  [world, dt] = draw(world);
  agenda = schedule(agenda, world.now + dt, @arrive, who + 1);
  if world.free > 0
    [world, agenda] = serve(world, agenda, who);
  else
    world.waiting = world.waiting + 1;
  end
end

function [world, agenda] = serve(world, agenda, who)
  world.free = world.free - 1;
  [world, dt] = draw(world);
  agenda = schedule(agenda, world.now + 1.5*dt, @(w, a, p) leave(w, a, p), who);
end

function [world, agenda] = leave(world, agenda, who)
  world.free = world.free + 1;
  world.served = world.served + 1;
  if world.waiting > 0
    world.waiting = world.waiting - 1;
    [world, agenda] = serve(world, agenda, -1);
  end
end
