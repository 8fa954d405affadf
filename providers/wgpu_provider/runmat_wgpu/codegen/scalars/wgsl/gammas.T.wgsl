// The gamma function and its logarithm.

// sin(pi x) of x >= 0, as a size without sign.
fn sine_of_pi_T(x: T) -> T {
  let from_zero = abs(x - round(x));
  let small = from_zero <= 0.25T;
  let part = select(0.5T - from_zero, from_zero, small);
  let r = product_T(part, pi_high_T);
  let tail = r.y + part * pi_low_T;
  let sine = r.x + opaque_T(sin_rest_T(r.x, tail));
  return select(cos_head_T(r.x) + opaque_T(cos_rest_T(r.x, tail)), sine, small);
}

// (a b) for sums of two.
fn product_of_sums_T(a: vec2<T>, b: vec2<T>) -> vec2<T> {
  let product = product_T(a.x, b.x);
  return ordered_sum_T(product.x, product.y + (a.x * b.y + a.y * b.x));
}

fn sum_with_T(a: vec2<T>, b: T) -> vec2<T> {
  let sum = sum_T(a.x, b);
  return vec2<T>(sum.x, sum.y + a.y);
}

// x (x + 1) ... (x + 7): with u = x (x + 7) it is u (u + 6) (u + 10) (u + 12).
fn eight_factors_T(x: T) -> vec2<T> {
  let u = product_of_sums_T(vec2<T>(x, 0.0T), sum_T(x, 7.0T));
  let first = product_of_sums_T(u, sum_with_T(u, 12.0T));
  let second = product_of_sums_T(sum_with_T(u, 6.0T), sum_with_T(u, 10.0T));
  return product_of_sums_T(first, second);
}

// log(gamma(y)) for y = y.x + y.y >= 8 by Stirling's series.
fn stirling_sum_T(y: vec2<T>) -> vec2<T> {
  let log = log_pair_T(y.x);
  let inverse = 1.0T / y.x;
  let series = sum_T(half_log_two_pi_high_T, inverse * stirling_T(inverse * inverse));
  // (y - 1/2) log(y) - y as y (log(y) - 1) - log(y) / 2, which does not overflow early
  let less = sum_T(log.x, -1.0T);
  let main = product_T(y.x, less.x);
  let with_half = sum_T(main.x, -0.5T * log.x);
  let sum = sum_T(with_half.x, series.x);
  let logs = y.x * (less.y + log.y) + y.y * log.x - 0.5T * (log.y + y.y * inverse);
  let low = (main.y + with_half.y) + (sum.y + series.y + half_log_two_pi_low_T);
  return vec2<T>(sum.x, low + logs);
}

// gamma(x) / 2^power for 0 < x <= `gamma_highest`.
struct Gamma_T { value: T, power: i32 }

fn gamma_positive_T(x: T) -> Gamma_T {
  let low = x < 8.0T;
  let y = sum_T(x, select(0.0T, 8.0T, low));
  let log = stirling_sum_T(y);
  let e = expansion_T(log.x, log.y);
  let value = 1.0T + opaque_T(e.r + e.tail);
  let factors = eight_factors_T(select(1.0T, x, low));
  let quotient = value / factors.x;
  return Gamma_T(select(value, quotient - quotient * (factors.y / factors.x), low), e.power);
}

fn gamma_T(x: T) -> T {
  if (isnan_T(x)) { return x; }
  let size = abs(x);
  if (size < epsilon_T) { return select(1.0T / x, inf_T(), x == 0.0T); }
  let whole = floor(x) == x;
  let g = gamma_positive_T(min(size, gamma_highest_T));
  if (x > 0.0T) {
    let value = scaled_T(g.value, g.power);
    return select(value, round_T(value), whole && value < whole_gamma_T);
  }
  // gamma(x) gamma(-x) = -pi / (x sin(pi x))
  let value = pi_T / (size * sine_of_pi_T(size)) / g.value;
  let below = 0.5T * floor(x);
  let signed = scaled_T(select(-value, value, floor(below) == below), -g.power);
  return select(select(signed, 0.0T, size > gamma_highest_T), inf_T(), whole);
}

fn gammaln_positive_T(x: T) -> T {
  // beside its zeros the sum below would lose all digits
  if (abs(x - 1.0T) <= 0.25T || abs(x - 2.0T) <= 0.25T) {
    let u = x - 0.75T;
    let v = x - 1.5T;
    let second = x > 1.5T;
    let above = select(gammaln_one_above_T(u), gammaln_two_above_T(v), second);
    let below = select(gammaln_one_below_T(u), gammaln_two_below_T(v), second);
    return (x - select(1.0T, 2.0T, second)) * (above / below);
  }
  let low = x < 8.0T;
  let sum = stirling_sum_T(sum_T(x, select(0.0T, 8.0T, low)));
  let factors = eight_factors_T(select(1.0T, max(x, epsilon_T), low));
  let log = log_pair_T(factors.x);
  let less = sum_T(sum.x, -log.x);
  let rest = sum.y + (less.y - (log.y + factors.y / factors.x));
  return select(sum.x + sum.y, less.x + rest, low);
}

fn gammaln_T(x: T) -> T {
  let size = abs(x);
  if (!(size < gammaln_highest_T)) { return select(inf_T(), x, isnan_T(x)); }
  let whole = floor(x) == x;
  if (x <= 0.0T && whole) { return inf_T(); }
  if (size < epsilon_T) { return -log_T(size); }
  let value = gammaln_positive_T(size);
  if (x > 0.0T) { return value; }
  return log_T(pi_T / (size * sine_of_pi_T(size))) - value;
}
