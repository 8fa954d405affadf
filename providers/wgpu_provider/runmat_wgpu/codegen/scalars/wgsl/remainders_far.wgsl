// Remainders by long division of the bits, for large quotients and denormals.

struct Whole_f32 { mantissa: u32, power: i32 }

struct Whole_f64 { mantissa: u64, power: i32 }

// |x| as mantissa 2^power for finite x.
fn whole_f32(x: f32) -> Whole_f32 {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  let power = max(bits >> 23u, 1u);
  let first = select(0u, 0x00800000u, bits >= 0x00800000u);
  return Whole_f32((bits & 0x007fffffu) | first, i32(power));
}

fn whole_f64(x: f64) -> Whole_f64 {
  let bits = bitcast<u64>(x) & 0x7ffffffffffffffflu;
  let power = max(u32(bits >> 52u), 1u);
  let first = select(0lu, 0x0010000000000000lu, bits >= 0x0010000000000000lu);
  return Whole_f64((bits & 0x000ffffffffffffflu) | first, i32(power));
}

// Where the quotient does not count (y is 0, or x or y is not finite), some number.
fn fmod_far_f32(x: f32, y: f32) -> f32 {
  if (!isfinite_f32(x) || !isfinite_f32(y) || y == 0.0f) { return 0.0f; }
  let a = whole_f32(x);
  let b = whole_f32(y);
  var rest = a.mantissa % b.mantissa;
  var left = a.power - b.power;
  while (left > 0i && rest != 0u) {
    let step = min(left, 8i);
    rest = (rest << u32(step)) % b.mantissa;
    left -= step;
  }
  // rest 2^(b.power), whose bits are those of a denormal, shifted
  let low = i32(countLeadingZeros(rest | 1u)) - 8i;
  let up = min(low, b.power - 1i);
  let normal = (rest << u32(up)) + (u32(b.power - up - 1i) << 23u);
  return copysign_f32(bitcast<f32>(select(normal, 0u, rest == 0u)), x);
}

fn fmod_far_f64(x: f64, y: f64) -> f64 {
  if (!isfinite_f64(x) || !isfinite_f64(y) || y == 0.0lf) { return 0.0lf; }
  let a = whole_f64(x);
  let b = whole_f64(y);
  var rest = a.mantissa % b.mantissa;
  var left = a.power - b.power;
  while (left > 0i && rest != 0lu) {
    let step = min(left, 11i);
    rest = (rest << u32(step)) % b.mantissa;
    left -= step;
  }
  let low = i32(leading_zeros_u64(rest | 1lu)) - 11i;
  let up = min(low, b.power - 1i);
  let normal = (rest << u32(up)) + (u64(b.power - up - 1i) << 52u);
  return copysign_f64(bitcast<f64>(select(normal, 0lu, rest == 0lu)), x);
}

const fmod_small_f32: f32 = 1e-30f;

const fmod_small_f64: f64 = 1e-250lf;
