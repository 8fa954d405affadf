// Functions of complex numbers made of those of their parts. Special values are those of C99, annex
// G. Sources: Kahan, "Branch cuts for complex elementary functions" (1987), for tanh, asin and acos.

fn c_sinh_T(z: vec2<T>) -> vec2<T> { return c_sin_T(z.yx).yx; }

fn c_cosh_T(z: vec2<T>) -> vec2<T> { return c_cos_T(vec2<T>(z.y, neg_T(z.x))); }

fn c_tanh_T(z: vec2<T>) -> vec2<T> {
  if (isnan_T(z.x)) { return vec2<T>(z.x, select(nan_T(), z.y, z.y == 0.0T)); }
  if (!isfinite_T(z.y) && !isinf_T(z.x)) {
    return vec2<T>(select(nan_T(), z.x, z.x == 0.0T), nan_T());
  }
  if (abs(z.x) > c_tanh_most_T) {
    let size = exp_T(-abs(z.x));
    let wave = select(opaque_T(sin_T(z.y) * cos_T(z.y)), z.y, !isfinite_T(z.y));
    let rest = select(opaque_T(4.0T * wave * size) * size, 0.0T, isinf_T(z.x));
    return vec2<T>(copysign_T(1.0T, z.x), copysign_T(rest, wave));
  }
  let t = tan_T(z.y);
  let s = sinh_T(z.x);
  let beta = 1.0T + opaque_T(t * t);
  let below = 1.0T + opaque_T(opaque_T(beta * s) * s);
  let root = sqrt(opaque_T(1.0T + opaque_T(s * s)));
  return vec2<T>(opaque_T(beta * root) * s / below, t / below);
}

fn c_tan_T(z: vec2<T>) -> vec2<T> { return c_tanh_T(z.yx).yx; }

// Sines and cosines whose inverses are asked for: NaN in a part, where C99 says something.
fn c_inverse_of_nan_T(z: vec2<T>) -> vec2<T> {
  return vec2<T>(nan_T(), select(nan_T(), copysign_T(inf_T(), z.y), isinf_T(z.x) || isinf_T(z.y)));
}

fn c_asin_T(z: vec2<T>) -> vec2<T> {
  if (isnan_T(z.x) || isnan_T(z.y)) {
    if (z.x == 0.0T) { return z; }
    return c_inverse_of_nan_T(z);
  }
  let large = max(abs(z.x), abs(z.y));
  if (large < c_inverse_small_T) { return z; }
  if (large > c_inverse_large_T) {
    let size = c_log_size_T(z) + ln2_T;
    return vec2<T>(atan2_T(z.x, abs(z.y)), copysign_T(size, z.y));
  }
  let a = c_sqrt_T(vec2<T>(1.0T - z.x, neg_T(z.y)));
  let b = c_sqrt_T(vec2<T>(1.0T + z.x, z.y));
  let real = opaque_T(a.x * b.x) - opaque_T(a.y * b.y);
  let imag = asinh_T(opaque_T(a.x * b.y) - opaque_T(a.y * b.x));
  return vec2<T>(atan2_T(z.x, real), copysign_T(imag, z.y));
}

fn c_acos_T(z: vec2<T>) -> vec2<T> {
  if (isnan_T(z.x) || isnan_T(z.y)) {
    if (z.x == 0.0T) { return vec2<T>(half_pi_high_T, z.y); }
    let found = c_inverse_of_nan_T(z);
    return vec2<T>(found.x, neg_T(found.y));
  }
  let large = max(abs(z.x), abs(z.y));
  if (large < c_inverse_small_T) { return vec2<T>(half_pi_high_T - z.x, neg_T(z.y)); }
  if (large > c_inverse_large_T) {
    let size = c_log_size_T(z) + ln2_T;
    return vec2<T>(atan2_T(abs(z.y), z.x), copysign_T(size, neg_T(z.y)));
  }
  let a = c_sqrt_T(vec2<T>(1.0T - z.x, neg_T(z.y)));
  let b = c_sqrt_T(vec2<T>(1.0T + z.x, z.y));
  let imag = asinh_T(opaque_T(b.x * a.y) - opaque_T(b.y * a.x));
  return vec2<T>(2.0T * atan2_T(a.x, b.x), copysign_T(imag, neg_T(z.y)));
}

fn c_asinh_T(z: vec2<T>) -> vec2<T> { return c_asin_T(z.yx).yx; }

fn c_acosh_T(z: vec2<T>) -> vec2<T> {
  let w = c_acos_T(z);
  if (isnan_T(w.x)) { return vec2<T>(abs(w.y), w.x); }
  if (isnan_T(w.y)) { return vec2<T>(w.y, w.x); }
  return vec2<T>(abs(w.y), copysign_T(w.x, z.y));
}

fn c_atanh_T(z: vec2<T>) -> vec2<T> {
  let x = abs(z.x);
  if (isnan_T(x) || isnan_T(z.y)) {
    if (isinf_T(z.y)) { return vec2<T>(copysign_T(0.0T, z.x), copysign_T(half_pi_high_T, z.y)); }
    if (isinf_T(z.x)) { return vec2<T>(copysign_T(0.0T, z.x), nan_T()); }
    return vec2<T>(select(nan_T(), z.x, z.x == 0.0T), nan_T());
  }
  let large = max(x, abs(z.y));
  if (large < c_inverse_small_T) { return z; }
  if (large > c_inverse_large_T) {
    let size = hypot_T(x, z.y);
    let real = select(x / size / size, 0.0T, isinf_T(large));
    let less = select(abs(z.y) / size / size, 0.0T, isinf_T(large));
    return vec2<T>(copysign_T(real, z.x), copysign_T(half_pi_high_T - less, z.y));
  }
  let far = hypot_T(1.0T - x, z.y);
  let near = 0.5T * (ln2_T - log_T(far));
  let real = select(0.25T * log1p_T(4.0T * x / far / far), near, far < c_inverse_near_T);
  let below = opaque_T((1.0T - x) * (1.0T + x)) - opaque_T(z.y * z.y);
  return vec2<T>(copysign_T(real, z.x), 0.5T * atan2_T(2.0T * z.y, below));
}

fn c_atan_T(z: vec2<T>) -> vec2<T> { return c_atanh_T(z.yx).yx; }

// Whole powers up to a hundred by products, others by the logarithm of the base.
fn c_pow_T(z: vec2<T>, w: vec2<T>) -> vec2<T> {
  if (w.x == 0.0T && w.y == 0.0T) { return vec2<T>(1.0T, 0.0T); }
  if (z.x == 0.0T && z.y == 0.0T) {
    return select(vec2<T>(nan_T(), nan_T()), vec2<T>(0.0T, 0.0T), w.x > 0.0T);
  }
  let whole = w.y == 0.0T && abs(w.x) < 100.0T && trunc(w.x) == w.x;
  if (whole) { return c_whole_power_T(z, i32(w.x)); }
  let angle = atan2_T(z.y, z.x);
  if (w.y == 0.0T) {
    let size = pow_T(hypot_T(z.x, z.y), w.x);
    return vec2<T>(size * cos_T(w.x * angle), size * sin_T(w.x * angle));
  }
  let size = c_log_size_T(z);
  let power = opaque_T(w.x * size) - opaque_T(w.y * angle);
  return c_exp_T(vec2<T>(power, opaque_T(w.y * size) + opaque_T(w.x * angle)));
}

fn c_whole_power_T(z: vec2<T>, n: i32) -> vec2<T> {
  var left = u32(abs(n));
  var square = z;
  var found = vec2<T>(1.0T, 0.0T);
  if (left != 0u) {
    // the first factor as it is: one times an infinity would be NaN
    var first = true;
    loop {
      if ((left & 1u) != 0u) {
        if (first) { found = square; } else { found = c_mul_T(found, square); }
        first = false;
      }
      left = left >> 1u;
      if (left == 0u) { break; }
      square = c_mul_T(square, square);
    }
  }
  if (n < 0i) { return c_div_T(vec2<T>(1.0T, 0.0T), found); }
  return found;
}
