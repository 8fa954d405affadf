// Logarithms. All start from x = (1 + f) 2^power with 1 + f between sqrt(1/2) and sqrt(2).

struct Normal_T { f: T, power: i32 }

// What log(1 + f) is besides f - f^2 / 2.
fn log_rest_T(f: T, half_square: T) -> T {
  let s = f / (2.0T + f);
  let z = s * s;
  return s * (half_square + z * log_tail_T(z));
}

// log(x + x c) for positive finite x and small c.
fn log_corrected_T(x: T, c: T) -> T {
  let n = normal_T(x);
  let power = T(n.power);
  let half_square = opaque_T(0.5T * n.f * n.f);
  let rest = opaque_T(log_rest_T(n.f, half_square) + (power * ln2_low_T + c));
  return opaque_T(opaque_T(rest - half_square) + n.f) + power * ln2_high_T;
}

// What logarithms are outside of the positive finite numbers.
fn log_special_T(x: T, value: T) -> T {
  let below = select(value, select(nan_T(), -inf_T(), x == 0.0T), x <= 0.0T);
  return select(below, x, isnan_T(x) || x == inf_T());
}

fn log_T(x: T) -> T { return log_any_T(x); }

fn log_any_T(x: T) -> T { return log_special_T(x, log_corrected_T(x, 0.0T)); }

fn log1p_T(x: T) -> T {
  let u = opaque_T(1.0T + x);
  let whole = opaque_T(u - 1.0T);
  // what was lost of the smaller of 1 and x
  let lost = select(opaque_T(x - whole), opaque_T(1.0T - opaque_T(u - x)), x > 1.0T);
  let value = log_special_T(u, log_corrected_T(u, lost / u));
  return select(value, x, abs(x) < epsilon_T);
}

// log(x) to a base whose logarithm has the reciprocal `high` + `low`; a power of two counts
// `two_high` + `two_low`. `high` has so few bits that its product with the head of log(1 + f) is
// exact, and so has `two_high`.
fn log_to_base_T(x: T, high: T, low: T, two_high: T, two_low: T) -> T {
  let n = normal_T(x);
  let power = T(n.power);
  let half_square = opaque_T(0.5T * n.f * n.f);
  let head = head_T(opaque_T(n.f - half_square));
  let rest = opaque_T(opaque_T(n.f - head) - half_square) + log_rest_T(n.f, half_square);
  let first = opaque_T(head * high);
  let whole = opaque_T(power * two_high);
  let sum = opaque_T(whole + first);
  let lost = opaque_T(opaque_T(whole - sum) + first);
  let value = sum + (lost + (power * two_low + (rest * high + (rest + head) * low)));
  return log_special_T(x, value);
}

fn log2_T(x: T) -> T { return log_to_base_T(x, log2_e_high_T, log2_e_low_T, 1.0T, 0.0T); }

fn log10_T(x: T) -> T {
  return log_to_base_T(x, log10_e_high_T, log10_e_low_T, log10_2_high_T, log10_2_low_T);
}

fn asinh_T(x: T) -> T {
  let size = abs(x);
  if (size < 0.5T) {
    let z = x * x;
    return copysign_T(x + opaque_T(x * (z * asinh_tail_T(z))), x);
  }
  // beyond `huge` the root is the size itself, and its square would overflow
  let big = size > huge_T;
  let y = select(size, 1.0T, big);
  let sum = sum_with_root_T(y, 1.0T);
  let bent = log_corrected_T(select(sum.x, size, big), select(sum.y / sum.x, 0.0T, big));
  return select(copysign_T(select(bent, bent + ln2_T, big), x), x, !(size < inf_T()));
}

fn acosh_T(x: T) -> T {
  if (x < 1.5T) {
    let t = argument_T(x) - 1.0T;
    let value = sqrt(2.0T * t);
    return select(value + opaque_T(value * (t * acosh_tail_T(t))), nan_T(), x < 1.0T);
  }
  let big = x > huge_T;
  let sum = sum_with_root_T(select(x, 2.0T, big), -1.0T);
  let bent = log_corrected_T(select(sum.x, x, big), select(sum.y / sum.x, 0.0T, big));
  return select(select(bent, bent + ln2_T, big), x, !(x < inf_T()));
}

// y + sqrt(y^2 + one) as a sum of two, for one = 1 or -1.
fn sum_with_root_T(y: T, one: T) -> vec2<T> {
  let square = product_T(y, y);
  let whole = sum_T(square.x, one);
  let root = sqrt(whole.x);
  let back = product_T(root, root);
  let left = opaque_T(whole.x - back.x) - back.y + (whole.y + square.y);
  let sum = sum_T(y, root);
  return vec2<T>(sum.x, sum.y + left / (2.0T * root));
}

fn atanh_T(x: T) -> T {
  let size = abs(x);
  if (size < 0.5T) {
    let z = x * x;
    return x + opaque_T(x * (z * atanh_tail_T(z)));
  }
  let above = sum_T(1.0T, size);
  let below = 1.0T - size;
  let value = 0.5T * log_corrected_T(min(above.x / below, largest_T), above.y / above.x);
  let inside = select(value, inf_T(), size == 1.0T);
  return select(copysign_T(select(inside, nan_T(), size > 1.0T), x), x, isnan_T(x));
}
