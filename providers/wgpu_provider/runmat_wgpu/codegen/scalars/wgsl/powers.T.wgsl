// Powers and roots.

// log(x) of a positive finite x to nearly twice the precision.
fn log_pair_T(x: T) -> vec2<T> {
  let n = normal_T(x);
  let power = T(n.power);
  // s = f / (2 + f)
  let below = ordered_sum_T(2.0T, n.f);
  let s = opaque_T(n.f / below.x);
  let back = product_T(s, below.x);
  let left = opaque_T(opaque_T(n.f - back.x) - back.y) - s * below.y;
  let more = opaque_T(left / below.x);
  let square = product_T(s, s);
  let square_more = square.y + 2.0T * (s * more);
  // 2 s + s^3 (2 / 3 + ...)
  let third = ordered_sum_T(two_thirds_high_T, square.x * log_second_tail_T(square.x));
  let cube = product_T(s, square.x);
  let cube_more = cube.y + (s * square_more + more * square.x);
  let rest = product_T(cube.x, third.x);
  let rest_more = rest.y + (cube.x * (third.y + two_thirds_low_T) + cube_more * third.x);
  let part = ordered_sum_T(2.0T * s, rest.x);
  let whole = ordered_sum_T(power * ln2_high_T, part.x);
  let low = part.y + (rest_more + 2.0T * more);
  return ordered_sum_T(whole.x, whole.y + (low + power * ln2_low_T));
}

fn pow_T(x: T, y: T) -> T { return pow_any_T(x, y); }

fn pow_any_T(x: T, y: T) -> T {
  let size = abs(x);
  let bound = clamp(y, -pow_highest_T, pow_highest_T);
  let log = log_pair_T(size);
  let exponent = product_T(bound, log.x);
  let inside = clamp(exponent.x, exp_lowest_T, exp_highest_T);
  let more = select(0.0T, exponent.y + bound * log.y, inside == exponent.x);
  let e = expansion_T(inside, more);
  let value = scaled_T(1.0T + opaque_T(e.r + e.tail), e.power);
  // 0 and infinities, as x or as y
  let extreme = select(0.0T, inf_T(), (size > 1.0T) == (y > 0.0T));
  let is_extreme = size == 0.0T || size == inf_T() || abs(y) == inf_T();
  let result = select(value, extreme, is_extreme);
  let whole = floor(y) == y;
  let half = 0.5T * y;
  let odd = whole && abs(y) < odd_highest_T && floor(half) != half;
  let signed = select(result, -result, odd && negative_T(x));
  let real = select(signed, nan_T(), x < 0.0T && !whole && size < inf_T());
  let known = select(real, nan_T(), isnan_T(x) || isnan_T(y));
  let one = x == 1.0T || y == 0.0T || (x == -1.0T && abs(y) == inf_T());
  return select(known, 1.0T, one);
}

// One step towards the cube root of x from t: the error becomes its third power.
fn cbrt_step_T(t: T, x: T) -> T {
  let quotient = x / (t * t);
  return t + t * opaque_T(quotient - t) / opaque_T(2.0T * t + quotient);
}

fn cbrt_T(x: T) -> T {
  let size = abs(x);
  let small = size < tiniest_normal_T;
  let value = cbrt_normal_T(select(size, size * cbrt_up_T, small));
  let root = select(value, value * cbrt_down_T, small);
  return select(copysign_T(root, x), x, !(size < inf_T()) || x == 0.0T);
}

fn hypot_T(x: T, y: T) -> T {
  let big = max(abs(x), abs(y));
  let up = select(1.0T, hypot_up_T, big < hypot_small_T);
  let scale = select(up, hypot_down_T, big > hypot_big_T);
  let back = select(select(1.0T, hypot_down_T, big < hypot_small_T), hypot_up_T, big > hypot_big_T);
  let a = x * scale;
  let b = y * scale;
  let value = opaque_T(sqrt(a * a + b * b)) * back;
  let number = select(value, nan_T(), isnan_T(x) || isnan_T(y));
  return select(number, inf_T(), isinf_T(x) || isinf_T(y));
}
