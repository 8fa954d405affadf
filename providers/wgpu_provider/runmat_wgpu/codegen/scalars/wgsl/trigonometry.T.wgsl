// Sine, cosine, tangent and their inverses. In the functions called `near` the size of the argument
// is known to stay below `near_angle`.

fn angle_T(x: T) -> Angle_T {
  if (abs(x) <= near_angle_T) { return angle_near_T(x); }
  return angle_far_T(x);
}

fn sin_rest_T(r: T, tail: T) -> T {
  let z = r * r;
  return z * r * sin_tail_T(z) + (tail - 0.5T * z * tail);
}

// The cosine less its head 1 - r^2 / 2, which `cos_head` rounds.
fn cos_rest_T(r: T, tail: T) -> T {
  let z = r * r;
  let half = opaque_T(0.5T * z);
  let lost = opaque_T(1.0T - cos_head_T(r)) - half;
  return lost + (z * z * cos_tail_T(z) - r * tail);
}

fn cos_head_T(r: T) -> T { return opaque_T(1.0T - opaque_T(0.5T * (r * r))); }

// Sine of an angle that `more` quarters were added to.
fn sine_T(a: Angle_T, more: i32) -> T {
  let quarter = a.quarter + more;
  let odd = (quarter & 1i) == 1i;
  let head = select(a.r, cos_head_T(a.r), odd);
  let value = head + opaque_T(select(sin_rest_T(a.r, a.tail), cos_rest_T(a.r, a.tail), odd));
  return select(value, -value, (quarter & 2i) == 2i);
}

fn sin_near_T(x: T) -> T {
  return select(sine_T(angle_near_T(x), 0i), x, x == 0.0T);
}

fn cos_near_T(x: T) -> T { return sine_T(angle_near_T(x), 1i); }

fn sin_T(x: T) -> T { return sin_any_T(x); }

fn sin_any_T(x: T) -> T {
  if (!isfinite_T(x)) { return nan_T(); }
  return select(sine_T(angle_T(x), 0i), x, x == 0.0T);
}

fn cos_T(x: T) -> T { return cos_any_T(x); }

fn cos_any_T(x: T) -> T {
  if (!isfinite_T(x)) { return nan_T(); }
  return sine_T(angle_T(x), 1i);
}

fn tangent_T(a: Angle_T) -> T {
  let sine = ordered_sum_T(a.r, sin_rest_T(a.r, a.tail));
  let cosine = ordered_sum_T(cos_head_T(a.r), cos_rest_T(a.r, a.tail));
  let odd = (a.quarter & 1i) == 1i;
  let above = select(sine, -cosine, odd);
  let below = select(cosine, sine, odd);
  let value = opaque_T(above.x / below.x);
  let back = product_T(value, below.x);
  let left = opaque_T(opaque_T(above.x - back.x) - back.y) + (above.y - value * below.y);
  return value + left / below.x;
}

fn tan_near_T(x: T) -> T { return select(tangent_T(angle_near_T(x)), x, x == 0.0T); }

fn tan_T(x: T) -> T {
  if (!isfinite_T(x)) { return nan_T(); }
  return select(tangent_T(angle_T(x)), x, x == 0.0T);
}

fn asin_T(x: T) -> T {
  let size = abs(x);
  if (size <= 0.5T) {
    let square = x * x;
    return x + opaque_T(x * (square * asin_tail_T(square)));
  }
  let z = 0.5T * (1.0T - size);
  let s = sqrt(z);
  let rest = opaque_T(s * (z * asin_tail_T(z)));
  // s + more is the root
  let back = product_T(s, s);
  let more = (opaque_T(opaque_T(z - back.x) - back.y)) / (2.0T * max(s, tiniest_normal_T));
  let head = ordered_sum_T(half_pi_high_T, -2.0T * s);
  let value = head.x + (head.y + (half_pi_low_T - 2.0T * (rest + more)));
  return select(copysign_T(value, x), nan_T(), !(size <= 1.0T));
}

fn acos_T(x: T) -> T {
  let size = abs(x);
  if (size <= 0.5T) {
    let square = x * x;
    let head = ordered_sum_T(half_pi_high_T, -x);
    return head.x + (head.y + (half_pi_low_T - opaque_T(x * (square * asin_tail_T(square)))));
  }
  let z = 0.5T * (1.0T - size);
  let s = sqrt(z);
  let rest = s * (z * asin_tail_T(z));
  let back = product_T(s, s);
  let more = (opaque_T(opaque_T(z - back.x) - back.y)) / (2.0T * max(s, tiniest_normal_T));
  let near = 2.0T * (s + opaque_T(rest + more));
  let head = ordered_sum_T(pi_high_T, -2.0T * s);
  let far = head.x + (head.y + (pi_low_T - 2.0T * opaque_T(rest + more)));
  return select(select(near, far, x < 0.0T), nan_T(), !(size <= 1.0T));
}

// atan(above / below) for above, below >= 0, finite and not both 0: an angle of 0, pi / 4 or pi / 2
// and what is beyond.
fn atan_quotient_T(above: T, below: T) -> T {
  let high = above > below * tan_three_eighths_T;
  let low = above * tan_three_eighths_T < below;
  let middle = !(low || high);
  let t = select(select(above, -below, high), above - below, middle)
      / select(select(below, above, high), above + below, middle);
  let z = t * t;
  let rest = opaque_T(t * (z * atan_tail_T(z)));
  let base = select(select(0.0T, half_pi_high_T, high), quarter_pi_high_T, middle);
  let more = select(select(0.0T, half_pi_low_T, high), quarter_pi_low_T, middle);
  return base + opaque_T(t + opaque_T(rest + more));
}

fn atan_T(x: T) -> T {
  let size = min(abs(x), atan_flat_T);
  let value = copysign_T(atan_quotient_T(size, 1.0T), x);
  return select(value, x, isnan_T(x) || x == 0.0T);
}

fn atan2_T(y: T, x: T) -> T {
  if (isnan_T(x) || isnan_T(y)) { return nan_T(); }
  // infinities as ones beside zeros, and numbers scaled so that no sum overflows and that the
  // reciprocal of none is subnormal, which some devices take for zero
  let unbounded = abs(x) == inf_T() || abs(y) == inf_T();
  let scale = select(1.0T, 0.0625T, max(abs(x), abs(y)) > 0.0625T * largest_T);
  let above = select(abs(y) * scale, select(0.0T, 1.0T, abs(y) == inf_T()), unbounded);
  let right = select(abs(x) * scale, select(0.0T, 1.0T, abs(x) == inf_T()), unbounded);
  let below = select(right, 1.0T, above == 0.0T && right == 0.0T);
  let angle = atan_quotient_T(above, below);
  let left = opaque_T(pi_high_T - opaque_T(angle - pi_low_T));
  return copysign_T(select(angle, left, negative_T(x)), y);
}
