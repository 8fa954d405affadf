n = 400;
% Dates: weekdays, Easter, Fridays the thirteenth, formatted days.
% At n = 400: 70 15980 2607 1998-09-19 4407
% At n = 12: 3 480 86 1998-09-19 132

fridays = 0;
for year = 2000:2000 + floor(n/10)
    for month = 1:12
        if weekday(datenum(year, month, 13)) == 6
            fridays = fridays + 1;
        end
    end
end
easter_days = zeros(1, n);
for k = 1:n
    [m, d] = easter(1900 + mod(k, 200));
    easter_days(k) = 31*(m - 3) + d;
end
text = '';
for k = 1:n
    v = datevec(730000 + 17*k);
    text = [text datestr(730000 + 17*k, 'yyyy-mm-dd') ';'];
    if leap(v(1)) && v(2) == 2
        text = [text 'L'];
    end
end
months = cellfun(@(s) str2double(s(6:7)), strsplit(strrep(text(1:end-1), 'L', ''), ';'));
fprintf('%d %d %d %s %d\n', fridays, sum(easter_days), sum(months), text(1:10), length(text));

function [month, day] = easter(y)
    a = mod(y, 19);
    b = floor(y/100);
    c = mod(y, 100);
    d = floor(b/4);
    e = mod(b, 4);
    f = floor((b + 8)/25);
    g = floor((b - f + 1)/3);
    h = mod(19*a + b - d - g + 15, 30);
    i = floor(c/4);
    k = mod(c, 4);
    l = mod(32 + 2*e + 2*i - h - k, 7);
    m = floor((a + 11*h + 22*l)/451);
    month = floor((h + l - 7*m + 114)/31);
    day = mod(h + l - 7*m + 114, 31) + 1;
end

function yes = leap(y)
    yes = mod(y, 4) == 0 && (mod(y, 100) ~= 0 || mod(y, 400) == 0);
end
