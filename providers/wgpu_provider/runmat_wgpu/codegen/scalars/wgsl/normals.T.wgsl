// Normal numbers by Box and Muller: both of a pair of uniform ones. Every step is rounded to the
// type: the angle too, which is not to become a sum of products of what the second comes from.

fn box_muller_T(first: T, second: T) -> vec2<T> {
  let radius = sqrt(-2.0T * log_inside_T(first));
  // the angle stays below 2 pi
  let angle = angle_near_T(opaque_T(argument_T(second) * two_pi_T));
  return vec2<T>(radius * sine_T(angle, 1i), radius * sine_T(angle, 0i));
}

// log(x) of 0 < x < 1 that is not denormal.
fn log_inside_T(x: T) -> T {
  let n = normal_large_T(x);
  let power = T(n.power);
  let half_square = opaque_T(0.5T * n.f * n.f);
  let rest = opaque_T(log_rest_T(n.f, half_square) + power * ln2_low_T);
  return opaque_T(opaque_T(rest - half_square) + n.f) + power * ln2_high_T;
}
