// Logarithms of twice the precision, and powers where nothing is special.

fn log_pair_T(x: T) -> vec2<T> {
  let n = normal_T(x);
  let power = T(n.power);
  // s = f / (2 + f)
  let below = ordered_sum_T(2.0T, n.f);
  let inverse = 1.0T / below.x;
  let s = multiplied_T(n.f, inverse);
  let more = fma(-s, below.y, fma(-s, below.x, n.f)) * inverse;
  let square = product_T(s, s);
  let square_more = fma(2.0T * s, more, square.y);
  // 2 s + s^3 (2 / 3 + ...)
  let third = ordered_sum_T(two_thirds_high_T, square.x * log_second_tail_T(square.x));
  let cube = product_T(s, square.x);
  let cube_more = fma(s, square_more, fma(more, square.x, cube.y));
  let rest = product_T(cube.x, third.x);
  let rest_more = fma(cube.x, third.y + two_thirds_low_T, fma(cube_more, third.x, rest.y));
  let part = ordered_sum_T(2.0T * s, rest.x);
  let whole = ordered_sum_T(multiplied_T(power, ln2_high_T), part.x);
  let low = part.y + fma(2.0T, more, rest_more);
  return ordered_sum_T(whole.x, whole.y + fma(power, ln2_low_T, low));
}

fn pow_T(x: T, y: T) -> T {
  // Zeros are common, as max(x, 0) makes them; a few of them must not lead all neighbours the
  // long way.
  let nothing = x == 0.0T && !negative_T(x) && y > 0.0T;
  let base = select(x, 1.0T, nothing);
  if (normal_positive_T(base) && abs(y) < 4096.0T) {
    let log = log_pair_T(base);
    let exponent = product_T(y, log.x);
    if (abs(exponent.x) < exp_edge_T) {
      let n = reduced_T(exponent.x);
      let r = added_T(n.r, fma(y, log.y, exponent.y));
      let power = raised_T(fma(r, fma(r, fma(r, exp_tail_T(r), 0.5T), 1.0T), 1.0T), n.t);
      return select(power, 0.0T, nothing);
    }
  }
  return pow_any_T(x, y);
}
