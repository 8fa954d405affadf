// Sine and cosine of near angles: three multiplications with an addition take the multiple of
// pi / 2 away, whose count is in the lowest bits of `t`; parts are rounded towards zero, so that
// their signs are the same and those of zeros are kept.

struct Turned_T { r: T, t: T }

fn turned_T(x: T) -> Turned_T {
  let t = fma(x, two_over_pi_T, rounder_T);
  let count = added_T(t, -rounder_T);
  let first = fma(count, -quarter_turn1_T, x);
  let second = fma(count, -quarter_turn2_T, first);
  return Turned_T(fma(count, -quarter_turn3_T, second), t);
}

// The sine of x - count pi, with the sign of an odd count, whose lowest bit is in t, and of s.
fn half_wave_T(x: T, count: T, t: T, s: T) -> T {
  let first = fma(count, -half_turn1_T, x);
  let second = fma(count, -half_turn2_T, first);
  let r = fma(count, -half_turn3_T, second);
  let z = r * r;
  return turned_about_T(fma(r * z, sin_long_T(z), r), lowest_T(t) << 1u, s);
}

fn sin_near_T(x: T) -> T {
  let size = abs(x);
  let t = fma(size, one_over_pi_T, rounder_T);
  return half_wave_T(size, added_T(t, -rounder_T), t, x);
}

// As the sine from a count of halves, rounded to the middle between two whole ones.
fn cos_near_T(x: T) -> T {
  let t = added_T(fma(x, one_over_pi_T, 0.5T), rounder_T);
  return half_wave_T(x, added_T(added_T(t, -rounder_T), -0.5T), t, 1.0T);
}

fn sin_T(x: T) -> T {
  if (!(abs(x) <= near_angle_T)) { return sin_any_T(x); }
  return sin_near_T(x);
}

fn cos_T(x: T) -> T {
  if (!(abs(x) <= near_angle_T)) { return cos_any_T(x); }
  return cos_near_T(x);
}

fn box_muller_T(first: T, second: T) -> vec2<T> {
  let radius = root_inside_T(-2.0T * log_inside_T(first));
  // rounded, as the definition has it
  let a = turned_T(multiplied_T(second, two_pi_T));
  let quarter = lowest_T(a.t);
  let z = a.r * a.r;
  let sine = fma(a.r * z, sin_short_T(z), a.r);
  let cosine = fma(z, fma(z, cos_short_T(z), -0.5T), 1.0T);
  let odd = (quarter & 1u) != 0u;
  let x = turned_about_T(select(cosine, sine, odd), quarter + 1u, 1.0T);
  let y = turned_about_T(select(sine, cosine, odd), quarter, 1.0T);
  return vec2<T>(radius * x, radius * y);
}
