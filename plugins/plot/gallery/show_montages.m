montage({magic(8)/64, eye(8), ones(8), zeros(8)}, 'BorderSize', 1)
