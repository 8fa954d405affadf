// Numbers that the compiler does not know.

fn one_f32() -> f32 { return bitcast<f32>(p.zero | 0x3f800000u); }

fn one_f64() -> f64 { return bitcast<f64>(u64(p.zero) | 0x3ff0000000000000lu); }

fn minus_zero_f32() -> f32 { return bitcast<f32>(p.zero | 0x80000000u); }

fn minus_zero_f64() -> f64 { return bitcast<f64>(u64(p.zero) | 0x8000000000000000lu); }

// Beside what rounds numbers below 2^22 (2^51) to whole ones, whose lowest bits it then holds.
const rounder_f32: f32 = 12582912.0f;

const rounder_f64: f64 = 6755399441055744.0lf;

fn count_f32(t: f32) -> i32 { return bitcast<i32>(t) - 0x4b400000i; }

fn count_f64(t: f64) -> i32 { return i32(u32(bitcast<u64>(t))); }

fn residual_f32(q: f32, b: f32, a: f32) -> f32 { return fma(-q, b, a); }

fn step_f32(rest: f32, slope: f32, value: f32) -> f32 { return fma(rest, slope, value); }

// Not a product of bits less that of a constant.
fn uniform_f32(word: u32) -> f32 {
  return fma(bitcast<f32>((word >> 9u) | 0x3f800000u), one_f32(), -0.99999994f);
}

fn uniform_f64(low: u32, high: u32) -> f64 {
  let bits = ((u64(high) << 32u) | u64(low)) >> 12u;
  return fma(bitcast<f64>(bits | 0x3ff0000000000000lu), one_f64(), -0.99999999999999988898lf);
}
