wordcloud({'matrix', 'vector', 'plot', 'axes', 'figure', 'line', 'surface', 'colour', 'tick', 'label'}, 10:-1:1), title('words')
