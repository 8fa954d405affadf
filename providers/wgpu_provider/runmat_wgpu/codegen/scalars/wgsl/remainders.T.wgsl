// Remainders. The quotient decides whether the divisor goes into x a whole number of times up to
// round-off, where MATLAB gives 0.

fn div_T(a: T, b: T) -> T { return a / b; }

fn sqrt_T(x: T) -> T { return sqrt(x); }

fn fmod_T(x: T, y: T) -> T {
  let a = abs(x);
  let b = abs(y);
  if (a < b) { return x; }
  if (!(a < exact_quotient_T * b) || b < fmod_small_T) { return fmod_far_T(x, y); }
  let count = trunc(div_T(a, b));
  let back = product_T(count, b);
  let rest = opaque_T(opaque_T(a - back.x) - back.y);
  let raised = select(rest, rest + b, rest < 0.0T);
  return copysign_T(select(raised, raised - b, raised >= b), x);
}

fn remainder_T(x: T, y: T, floored: bool) -> T {
  let rest = fmod_T(x, y);
  let opposite = rest != 0.0T && (rest < 0.0T) != (y < 0.0T) && isfinite_T(y);
  let moved = select(rest, rest + y, floored && opposite);
  let quotient = div_T(x, y);
  let nearest = round(quotient);
  let close = abs(quotient - nearest) < spacing_T * abs(nearest);
  let fits = round(y) != y && nearest != 0.0T && close;
  // x - floor(x / y) * y is no negative zero
  let value = select(moved, 0.0T, fits || (floored && rest == 0.0T));
  return select(value, nan_T(), isnan_T(x) || isnan_T(y) || isinf_T(x));
}

fn mod_T(x: T, y: T) -> T { return select(remainder_T(x, y, true), x, y == 0.0T); }

fn rem_T(x: T, y: T) -> T { return select(remainder_T(x, y, false), nan_T(), y == 0.0T); }
