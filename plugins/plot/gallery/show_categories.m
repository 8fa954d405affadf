bar(categorical({'apples', 'pears', 'plums'}), [3 7 2]), ylabel('count')
