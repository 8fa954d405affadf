// Complex numbers: x is the real part, y the imaginary one. Special values are those of C99, annex
// G. Products are opaque, so that none is contracted: z times its conjugate has no imaginary part.

fn c_opaque_T(z: vec2<T>) -> vec2<T> { return vec2<T>(opaque_T(z.x), opaque_T(z.y)); }

fn c_argument_T(z: vec2<T>) -> vec2<T> { return vec2<T>(argument_T(z.x), argument_T(z.y)); }

fn c_neg_T(z: vec2<T>) -> vec2<T> { return vec2<T>(neg_T(z.x), neg_T(z.y)); }

fn c_conj_T(z: vec2<T>) -> vec2<T> { return vec2<T>(z.x, neg_T(z.y)); }

fn c_eq_T(a: vec2<T>, b: vec2<T>) -> bool { return a.x == b.x && a.y == b.y; }

fn c_isnan_T(z: vec2<T>) -> bool { return isnan_T(z.x) || isnan_T(z.y); }

fn c_isinf_T(z: vec2<T>) -> bool { return isinf_T(z.x) || isinf_T(z.y); }

fn c_isfinite_T(z: vec2<T>) -> bool { return isfinite_T(z.x) && isfinite_T(z.y); }

fn c_abs_T(z: vec2<T>) -> T { return hypot_T(z.x, z.y); }

fn c_mul_T(a: vec2<T>, b: vec2<T>) -> vec2<T> {
  let real = opaque_T(a.x * b.x) - opaque_T(a.y * b.y);
  return vec2<T>(real, opaque_T(a.x * b.y) + opaque_T(a.y * b.x));
}

// Scaled by the larger part of the divisor; one of two zeros divides both parts.
fn c_div_T(a: vec2<T>, b: vec2<T>) -> vec2<T> {
  if (b.x == 0.0T && b.y == 0.0T) { return vec2<T>(a.x / b.x, a.y / b.x); }
  let wide = abs(b.x) >= abs(b.y);
  let large = select(b.y, b.x, wide);
  let ratio = opaque_T(select(b.x, b.y, wide) / large);
  let scale = opaque_T(1.0T / (large + opaque_T(select(b.x, b.y, wide) * ratio)));
  let first = select(opaque_T(a.x * ratio) + a.y, a.x + opaque_T(a.y * ratio), wide);
  let second = select(opaque_T(a.y * ratio) - a.x, a.y - opaque_T(a.x * ratio), wide);
  return vec2<T>(opaque_T(first) * scale, opaque_T(second) * scale);
}

// s * e^x where e^x alone may overflow.
fn c_grown_T(x: T, s: T) -> T {
  let half = exp_T(0.5T * x);
  return select(opaque_T(s * half) * half, s, s == 0.0T);
}

fn c_exp_T(z: vec2<T>) -> vec2<T> {
  if (z.y == 0.0T) { return vec2<T>(exp_T(z.x), z.y); }
  if (isinf_T(z.x) && !isfinite_T(z.y)) {
    let zero = copysign_T(0.0T, z.x) * 0.0T;
    return select(vec2<T>(inf_T(), nan_T()), vec2<T>(zero, zero), z.x < 0.0T);
  }
  if (z.x > c_exp_most_T && isfinite_T(z.x)) {
    return vec2<T>(c_grown_T(z.x, cos_T(z.y)), c_grown_T(z.x, sin_T(z.y)));
  }
  let size = exp_T(z.x);
  return vec2<T>(size * cos_T(z.y), size * sin_T(z.y));
}

// The logarithm of the modulus: near 1 by what x^2 + y^2 is more than that.
fn c_log_size_T(z: vec2<T>) -> T {
  let large = max(abs(z.x), abs(z.y));
  let little = min(abs(z.x), abs(z.y));
  let size = hypot_T(z.x, z.y);
  if (size > 0.5T && size < 2.0T) {
    let square = product_T(large, large);
    let other = product_T(little, little);
    let sum = sum_T(opaque_T(square.x - 1.0T), other.x);
    return 0.5T * log1p_T(sum.x + opaque_T(sum.y + opaque_T(square.y + other.y)));
  }
  if (large > hypot_big_T && isfinite_T(large)) {
    return log_T(hypot_T(z.x * hypot_down_T, z.y * hypot_down_T)) - log_T(hypot_down_T);
  }
  if (large < hypot_small_T && large > 0.0T) {
    return log_T(hypot_T(z.x * hypot_up_T, z.y * hypot_up_T)) - log_T(hypot_up_T);
  }
  return log_T(size);
}

fn c_log_T(z: vec2<T>) -> vec2<T> { return vec2<T>(c_log_size_T(z), atan2_T(z.y, z.x)); }

fn c_sqrt_T(z: vec2<T>) -> vec2<T> {
  if (z.x == 0.0T && z.y == 0.0T) { return vec2<T>(abs(z.x), z.y); }
  if (isinf_T(z.y)) { return vec2<T>(inf_T(), z.y); }
  if (isnan_T(z.x)) { return vec2<T>(z.x, nan_T()); }
  if (isinf_T(z.x)) {
    let rest = select(0.0T, nan_T(), isnan_T(z.y));
    let up = vec2<T>(z.x, copysign_T(rest, z.y));
    return select(up, vec2<T>(rest, copysign_T(inf_T(), z.y)), z.x < 0.0T);
  }
  // scaled by a fourth power, so that nothing overflows or loses bits
  let large = max(abs(z.x), abs(z.y));
  let up = select(1.0T, c_sqrt_up_T, large < c_sqrt_small_T);
  let scale = select(up, 0.0625T, large > c_sqrt_big_T);
  let back = select(select(1.0T, c_sqrt_back_T, large < c_sqrt_small_T), 4.0T, large > c_sqrt_big_T);
  let x = z.x * scale;
  let y = z.y * scale;
  let root = sqrt(opaque_T(0.5T * (abs(x) + hypot_T(x, y))));
  let other = opaque_T(0.5T * abs(y)) / root;
  let real = select(root, other, x < 0.0T) * back;
  return vec2<T>(real, copysign_T(select(other, root, x < 0.0T) * back, z.y));
}

// s * cosh(y) and c * sinh(y), where these may overflow without the factor.
fn c_waves_T(s: T, c: T, y: T) -> vec2<T> {
  let size = abs(y);
  if (size > c_exp_most_T && isfinite_T(y)) {
    return vec2<T>(c_grown_T(size, 0.5T * s), copysign_T(1.0T, y) * c_grown_T(size, 0.5T * c));
  }
  return vec2<T>(s * cosh_T(y), c * sinh_T(y));
}

fn c_sin_T(z: vec2<T>) -> vec2<T> {
  if (!isfinite_T(z.y) && z.x == 0.0T) { return z; }
  if (!isfinite_T(z.x) && isinf_T(z.y)) { return vec2<T>(nan_T(), inf_T()); }
  if (!isfinite_T(z.x) && z.y == 0.0T) { return vec2<T>(nan_T(), z.y); }
  return c_waves_T(sin_T(z.x), cos_T(z.x), z.y);
}

fn c_cos_T(z: vec2<T>) -> vec2<T> {
  if (!isfinite_T(z.y) && z.x == 0.0T) {
    let sign = select(-1.0T, 1.0T, negative_T(z.x) != negative_T(z.y));
    return vec2<T>(abs(z.y), sign * select(0.0T, z.x, isfinite_T(z.x)));
  }
  if (!isfinite_T(z.x) && isinf_T(z.y)) { return vec2<T>(inf_T(), nan_T()); }
  if (!isfinite_T(z.x) && z.y == 0.0T) { return vec2<T>(nan_T(), 0.0T); }
  return c_waves_T(cos_T(z.x), neg_T(sin_T(z.x)), z.y);
}
