[~, ~, z] = peaks(20); ribbon(z(:, 1:4:end)), title('ribbon'), xlabel('column')
