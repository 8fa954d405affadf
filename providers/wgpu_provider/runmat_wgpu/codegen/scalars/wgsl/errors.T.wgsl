// The error function, its complement and its inverse.

fn erf_small_T(x: T) -> T {
  let z = x * x;
  return x * two_over_root_pi_low_T + x * (z * erf_tail_T(z));
}

// erfc of x >= 1/2.
fn erfc_large_T(x: T) -> T {
  let square = product_T(x, x);
  let e = expansion_T(-square.x, -square.y);
  let t = (x - 4.0T) / (x + 4.0T);
  let below = sum_T(1.0T, 2.0T * x);
  let scaled = quotient_T(erfc_scaled_T(t), below.x);
  let lost = scaled.y - scaled.x * (below.y / below.x);
  let value = scaled.x + (scaled.x * opaque_T(e.r + e.tail) + lost);
  return scaled_T(value, e.power);
}

fn erf_T(x: T) -> T {
  let size = abs(x);
  if (size < 1.0T) { return x * two_over_root_pi_high_T + erf_small_T(x); }
  let value = 1.0T - erfc_large_T(min(size, erf_flat_T));
  return select(copysign_T(value, x), x, isnan_T(x));
}

fn erfc_T(x: T) -> T {
  let size = abs(x);
  if (size < 0.5T) {
    let head = product_T(x, two_over_root_pi_high_T);
    let sum = ordered_sum_T(1.0T, -head.x);
    return sum.x + (sum.y - head.y - erf_small_T(x));
  }
  let value = erfc_large_T(min(size, erfc_flat_T));
  return select(select(value, 2.0T - value, x < 0.0T), x, isnan_T(x));
}

fn erfinv_T(x: T) -> T {
  let size = abs(x);
  if (size <= 0.75T) {
    let z = x * x;
    let v = 0.5625T - z;
    let more = half_root_pi_low_T + z * (erfinv_middle_above_T(v) / erfinv_middle_below_T(v));
    return copysign_T(x * half_root_pi_high_T + opaque_T(x * more), x);
  }
  let square = -log_corrected_T(max(1.0T - size, epsilon_T), 0.0T);
  let s = sqrt(square);
  let back = product_T(s, s);
  let lost = (opaque_T(opaque_T(square - back.x) - back.y)) / (2.0T * s);
  let u = s - 1.25T;
  let far = s - 3.0T;
  let beyond = s > 2.8T;
  let above = select(erfinv_outer_above_T(u), erfinv_far_above_T(far), beyond);
  let below = select(erfinv_outer_below_T(u), erfinv_far_below_T(far), beyond);
  let value = s - opaque_T(s * (above / below) - lost);
  let inside = select(value, inf_T(), size == 1.0T);
  return select(copysign_T(inside, x), nan_T(), !(size <= 1.0T));
}
