"""Tables that tests begin with."""

SETUP = """
T = table([38; 43; 38], {'Ann'; 'Bob'; 'Cy'}, [1.5; NaN; 2], 'VariableNames', {'Age', 'Name', 'X'});
R = table([1; 2], ["a"; "b"], 'VariableNames', {'n', 's'}, 'RowNames', {'first', 'second'});
A = table([1; 2; 3; 3], [10; 20; 30; 31], 'VariableNames', {'k', 'x'});
B = table([3; 1; 4], {'c'; 'a'; 'd'}, 'VariableNames', {'k', 'y'});
"""
