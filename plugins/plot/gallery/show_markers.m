marks = '+o*.xsd^v><ph_|'; hold on
for k = 1:numel(marks), plot(1:6, k * ones(1, 6), ['-' marks(k)], 'MarkerSize', 8), end
ylim([0 numel(marks) + 1]), title('Markers'), box on
