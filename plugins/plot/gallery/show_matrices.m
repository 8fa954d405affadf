subplot(1, 2, 1), spy(kron(speye(6), ones(3))), subplot(1, 2, 2), gplot([0 1 1; 0 0 1; 0 0 0], [0 0; 1 0; 0.5 1], '-o'), axis equal
