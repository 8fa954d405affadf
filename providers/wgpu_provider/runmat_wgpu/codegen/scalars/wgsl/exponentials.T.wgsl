// Exponentials. All start from e^x = (1 + r + tail) 2^power with |r| <= ln(2) / 2.

struct Expansion_T { r: T, tail: T, power: i32 }

// Of x + more, where `more` is small against one and |x| below 2^10.
fn expansion_T(x: T, more: T) -> Expansion_T {
  let count = floor(x * log2_e_T + 0.5T);
  let start = opaque_T(x - count * ln2_high_T);
  let offset = opaque_T(count * ln2_low_T);
  let r = opaque_T(start - offset);
  let rest = opaque_T(opaque_T(start - r) - offset) + more;
  let square = r * r;
  let tail = opaque_T(0.5T * square + square * r * exp_tail_T(r));
  return Expansion_T(r, opaque_T(tail + rest * (1.0T + (r + tail))), i32(count));
}

// x 2^power, rounded once, for powers of twice the range of normal numbers.
fn scaled_T(x: T, power: i32) -> T {
  let first = power >> 1u;
  return opaque_T(x * power_of_two_T(first)) * power_of_two_T(power - first);
}

fn exp_T(x: T) -> T { return exp_any_T(x); }

fn exp_any_T(x: T) -> T {
  let e = expansion_T(clamp(x, exp_lowest_T, exp_highest_T), 0.0T);
  return select(scaled_T(1.0T + opaque_T(e.r + e.tail), e.power), x, isnan_T(x));
}

fn expm1_T(x: T) -> T {
  if (x > expm1_high_T) { return exp_T(x); }
  let e = expansion_T(max(x, -expm1_high_T), 0.0T);
  let scale = power_of_two_T(e.power);
  let whole = scale - 1.0T;
  let part = opaque_T(scale * e.r);
  let sum = opaque_T(whole + part);
  let large = abs(whole) >= abs(part);
  let lost = select(part, whole, large) - sum;
  let rest = opaque_T(lost) + select(whole, part, large);
  return select(sum + (rest + scale * e.tail), x, x == 0.0T || isnan_T(x));
}

fn sinh_T(x: T) -> T {
  let size = abs(x);
  if (size < 1.0T) {
    let z = x * x;
    return x + opaque_T(x * (z * sinh_tail_T(z)));
  }
  let e = expansion_T(min(size, cosh_highest_T), 0.0T);
  let part = ordered_sum_T(e.r, e.tail);
  let high = opaque_T(1.0T + part.x);
  let low = opaque_T(opaque_T(1.0T - high) + part.x) + part.y;
  // e^-x by its own power of two, which is 0 long before it matters
  let small = power_of_two_T(max(-2 * e.power, lowest_power_T)) / high;
  let value = opaque_T(high - small) + (opaque_T(high - opaque_T(high - small)) - small + low);
  return select(copysign_T(scaled_T(value, e.power - 1), x), x, isnan_T(x));
}

fn cosh_T(x: T) -> T {
  let e = expansion_T(min(abs(x), cosh_highest_T), 0.0T);
  let high = opaque_T(1.0T + opaque_T(e.r + e.tail));
  let small = power_of_two_T(max(-2 * e.power, lowest_power_T)) / high;
  return select(scaled_T(high + small, e.power - 1), x, isnan_T(x));
}

fn tanh_T(x: T) -> T {
  let size = abs(x);
  if (size < 0.625T) {
    let z = x * x;
    return copysign_T(x + opaque_T(x * (z * (tanh_above_T(z) / tanh_below_T(z)))), x);
  }
  let large = 1.0T - 2.0T / (exp_T(2.0T * min(size, 25.0T)) + 1.0T);
  // NaN before the sign: Mesa's lavapipe takes a choice between a sign that was copied and x itself
  // for a choice of bits, and loses exponents where x is a random number made in the same shader
  return copysign_T(select(large, size, isnan_T(x)), x);
}
