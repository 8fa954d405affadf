subplot(2, 2, 1), bar3(magic(4)), title('detached')
subplot(2, 2, 2), bar3(magic(4), 'stacked'), title('stacked')
subplot(2, 2, 3), bar3(magic(4), 'grouped'), title('grouped')
subplot(2, 2, 4), bar3h(magic(4)), title('bar3h')
