T = table((1:5)', [2; 4; 3; 6; 5], 'VariableNames', {'week', 'sales'}); plot(T, 'week', 'sales')
