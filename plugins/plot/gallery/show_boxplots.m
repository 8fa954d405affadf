boxplot([sin((1:40)'.^2), cos((1:40)') * 2], 'Labels', {'one', 'two'}, 'Notch', 'on'), title('boxplot')
