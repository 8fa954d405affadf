n = 150;
% ode45 on a double pendulum, a predator-prey model and a bouncing ball.
% At n = 150: -0.0707 -0.0795 0.7221 1.6615 380 0.0001
% At n = 4: 0.6840 0.9753 2.8811 6.0674 0 6.8569

options = odeset('RelTol', 1e-8, 'AbsTol', 1e-10);
[t, y] = ode45(@(t, y) double_pendulum(y, 9.81), [0 n/20], [pi/4; pi/3; 0; 0], options);
[~, z] = ode45(@prey, [0 n/4], [10; 5], options);
height = 10;
speed = 0;
dt = 1e-3;
bounces = 0;
for k = 1:200*n
    speed = speed - 9.81*dt;
    height = height + speed*dt;
    if height < 0
        height = -height;
        speed = -0.9*speed;
        bounces = bounces + 1;
    end
end
fprintf('%.4f %.4f %.4f %.4f %d %.4f\n', y(end, 1), y(end, 2), z(end, 1), z(end, 2), bounces, height);

function dy = double_pendulum(y, g)
    a = y(1);
    b = y(2);
    d = a - b;
    m = 3 - cos(2*d);
    dy = zeros(4, 1);
    dy(1) = y(3);
    dy(2) = y(4);
    dy(3) = (-3*g*sin(a) - g*sin(a - 2*b) - 2*sin(d)*(y(4)^2 + y(3)^2*cos(d)))/m;
    dy(4) = 2*sin(d)*(2*y(3)^2 + 2*g*cos(a) + y(4)^2*cos(d))/m;
end

function dy = prey(t, y)
    dy = [1.1*y(1) - 0.4*y(1)*y(2); 0.1*y(1)*y(2) - 0.4*y(2)];
end
