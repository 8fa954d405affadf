t = datetime(2024, 1, 1) + days(0:30:360); plot(t, cumsum(1:13)), ylabel('total'), title('Dates')
