// Powers of two by bits, and quotients within one unit of the last place.

// Below this exponentials and their reciprocals are normal numbers.
const exp_edge_f32: f32 = 87.0f;

const exp_edge_f64: f64 = 708.0lf;

// x 2^n for the n that is in the lowest bits of t; the result must be normal.
fn raised_f32(x: f32, t: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + (bitcast<u32>(t) << 23u));
}

fn raised_f64(x: f64, t: f64) -> f64 {
  return bitcast<f64>(bitcast<u64>(x) + (bitcast<u64>(t) << 52u));
}

// a / b of an ordinary b and an a of up to 2^24, given 1 / b. It is scaled, so that no residual is
// subnormal, and by a factor of b's sign, so that a zero keeps the right one.
fn div_near_f32(a: f32, b: f32, inverse: f32) -> f32 {
  let x = a * copysign_f32(1099511627776.0f, b);
  let first = multiplied_f32(x, abs(inverse));
  let rest = fma(first, abs(b), -x);
  return fma(-rest, abs(inverse), first) * 9.094947e-13f;
}

// a / b of ordinary b.
fn ratio_f32(a: f32, b: f32) -> f32 {
  let inverse = 1.0f / b;
  let first = a * inverse;
  return fma(fma(-first, b, a), inverse, first);
}

fn ratio_f64(a: f64, b: f64) -> f64 { return a / b; }

// 1 / b, rounded.
fn inverse_f64(b: f64) -> f64 { return 1.0lf / b; }

fn ordinary_f64(x: f64) -> bool {
  return (u32(bitcast<u64>(x) >> 32u) << 1u) - 0x43000000u < 0x78000000u;
}

// a / b, given 1 / b as `inverse_f64` has it: one step is enough (Markstein).
fn div_known_f64(a: f64, b: f64, inverse: f64) -> f64 {
  if (ordinary_f64(a) && ordinary_f64(b)) {
    let first = multiplied_f64(a, inverse);
    return fma(fma(-first, b, a), inverse, first);
  }
  return a / b;
}
