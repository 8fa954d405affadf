// Floats taken apart and put together by their bits.

// 2^power for the powers of normal numbers.
fn power_of_two_f32(power: i32) -> f32 { return bitcast<f32>(u32(power + 127i) << 23u); }

fn power_of_two_f64(power: i32) -> f64 { return bitcast<f64>(u64(power + 1023i) << 52u); }

// x without the lower half of its bits.
fn head_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }

fn head_f64(x: f64) -> f64 { return bitcast<f64>(bitcast<u64>(x) & 0xfffffffff8000000lu); }

// x as (1 + f) 2^power with 1 + f between sqrt(1/2) and sqrt(2), of a positive normal number.
fn normal_large_f32(x: f32) -> Normal_f32 {
  let bits = bitcast<u32>(x) + 0x004afb0du;
  let mantissa = bitcast<f32>((bits & 0x007fffffu) + 0x3f3504f3u);
  return Normal_f32(mantissa - 1.0f, i32(bits >> 23u) - 127i);
}

fn normal_large_f64(x: f64) -> Normal_f64 {
  let bits = bitcast<u64>(x) + 0x00095f619980c434lu;
  let mantissa = bitcast<f64>((bits & 0x000ffffffffffffflu) + 0x3fe6a09e667f3bcclu);
  return Normal_f64(mantissa - 1.0lf, i32(bits >> 52u) - 1023i);
}

// The same of any positive number.
fn normal_f32(x: f32) -> Normal_f32 {
  let small = x < tiniest_normal_f32;
  let n = normal_large_f32(select(x, x * 16777216.0f, small));
  return Normal_f32(n.f, n.power - select(0i, 24i, small));
}

fn normal_f64(x: f64) -> Normal_f64 {
  let small = x < tiniest_normal_f64;
  let n = normal_large_f64(select(x, x * 18014398509481984.0lf, small));
  return Normal_f64(n.f, n.power - select(0i, 54i, small));
}

// The cube root of a positive normal number: a third of the exponent, and steps. The last starts at
// a head, whose square is exact.
fn cbrt_normal_f32(x: f32) -> f32 {
  let first = bitcast<f32>(bitcast<u32>(x) / 3u + 0x2a508935u);
  return cbrt_step_f32(head_f32(cbrt_step_f32(first, x)), x);
}

fn cbrt_normal_f64(x: f64) -> f64 {
  let first = bitcast<f64>(bitcast<u64>(x) / 3lu + 0x2a9f789300000000lu);
  let second = cbrt_step_f64(first, x);
  return cbrt_step_f64(head_f64(cbrt_step_f64(second, x)), x);
}

const cbrt_up_f32: f32 = 16777216.0f;

const cbrt_down_f32: f32 = 0.00390625f;

const cbrt_up_f64: f64 = 18014398509481984.0lf;

const cbrt_down_f64: f64 = 3.814697265625e-06lf;
