% Readings of a few stations: written to a file, read back, cleaned, grouped and joined.
file = [tempname '.csv'];
station = {'north'; 'south'; 'north'; 'east'; 'south'; 'north'};
when = datetime(2021, 3, [1 1 2 2 3 3]', [6 7 6 7 6 7]', 30, 0);
level = [1.25; 2.5; NaN; 4; 3.5; 1.75];
writetable(table(station, when, level), file);

T = readtable(file);
delete(file)
fprintf('%d rows of %s\n', height(T), strjoin(T.Properties.VariableNames, ', '));
T.station = categorical(T.station);
T = rmmissing(T);
T.day = dateshift(T.when, 'start', 'day');
T = sortrows(T, {'station', 'when'}, {'ascend', 'descend'});
disp(T(:, {'station', 'when', 'level'}))

G = groupsummary(T, 'station', {'mean', 'max'}, 'level')

names = table(categorical({'north'; 'south'; 'west'}), ["N-1"; "S-7"; "W-3"], ...
    'VariableNames', {'station', 'label'});
J = outerjoin(G(:, {'station', 'mean_level'}), names, 'MergeKeys', true)

% the longest pause between readings, and what each day brought
pause_ = max(diff(sort(T.when)));
fprintf('longest pause: %s, %.2f hours\n', char(pause_), hours(pause_));
for d = unique(T.day)'
    rows = T.day == d;
    fprintf('%s %s: %g\n', string(d, 'dd MMM'), char(d, 'eee'), sum(T.level(rows)));
end
