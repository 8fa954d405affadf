// Quotients and square roots of singles, rounded correctly from the device's inexact ones.

// a - q b.
fn residual_f32(q: f32, b: f32, a: f32) -> f32 {
  let back = product_f32(q, b);
  return opaque_f32(opaque_f32(a - back.x) - back.y);
}

fn multiplied_f32(a: f32, b: f32) -> f32 { return opaque_f32(a * b); }

fn step_f32(rest: f32, slope: f32, value: f32) -> f32 { return value + opaque_f32(rest * slope); }

// Whether a size is between 2^-60 and 2^60, where no step under- or overflows.
fn ordinary_f32(x: f32) -> bool { return (bitcast<u32>(x) << 1u) - 0x43000000u < 0x78000000u; }

// 1 / b of an ordinary b, rounded.
fn inverse_f32(b: f32) -> f32 {
  let first = opaque_f32(1.0f / b);
  return step_f32(residual_f32(first, b, 1.0f), first, first);
}

// a / b of ordinary numbers. The second step is for quotients nearly halfway between two floats.
fn quotient_core_f32(a: f32, b: f32) -> f32 {
  let inverse = opaque_f32(1.0f / b);
  let first = multiplied_f32(a, inverse);
  let second = step_f32(residual_f32(first, b, a), inverse, first);
  return step_f32(residual_f32(second, b, a), inverse, second);
}

fn div_f32(a: f32, b: f32) -> f32 {
  if (ordinary_f32(a) && ordinary_f32(b)) { return quotient_core_f32(a, b); }
  return div_far_f32(a, b);
}

// a / b, given 1 / b as `inverse_f32` has it: one step is enough (Markstein).
fn div_known_f32(a: f32, b: f32, inverse: f32) -> f32 {
  if (ordinary_f32(a) && ordinary_f32(b)) {
    let first = multiplied_f32(a, inverse);
    return step_f32(residual_f32(first, b, a), inverse, first);
  }
  return div_far_f32(a, b);
}

struct Scaled_f32 { part: f32, power: i32 }

// |x| as part 2^power with a part from 1 to below 2; of 0 a part of 0.
fn parted_f32(x: f32) -> Scaled_f32 {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  let small = bits < 0x00800000u;
  let shift = countLeadingZeros(bits | 1u) - 8u;
  let mantissa = select(bits, bits << (shift & 31u), small) & 0x007fffffu;
  let power = select(i32(bits >> 23u), 1i - i32(shift), small) - 127i;
  return Scaled_f32(select(bitcast<f32>(mantissa | 0x3f800000u), 0.0f, bits == 0u), power);
}

fn div_far_f32(a: f32, b: f32) -> f32 {
  let sign = (bitcast<u32>(a) ^ bitcast<u32>(b)) & 0x80000000u;
  let x = parted_f32(a);
  let y = parted_f32(b);
  let divisor = select(y.part, 1.0f, y.part == 0.0f);
  let core = quotient_core_f32(x.part, divisor);
  var bits = bitcast<u32>(scaled_f32(core, clamp(x.power - y.power, -160i, 160i)));
  let unbounded = isinf_f32(a) || y.part == 0.0f;
  bits = select(select(bits, 0x7f800000u, unbounded), 0u, x.part == 0.0f || isinf_f32(b));
  let neither = (isinf_f32(a) && isinf_f32(b)) || (x.part == 0.0f && y.part == 0.0f);
  let unknown = isnan_f32(a) || isnan_f32(b) || neither;
  return bitcast<f32>(select(bits, 0x7fc00000u, unknown) | sign);
}

// The root of an ordinary number. One just below a power of four rounds down, which no step finds
// from above.
fn root_core_f32(x: f32) -> f32 {
  let slope = opaque_f32(inverseSqrt(x));
  let edge = (bitcast<u32>(x) & 0x00ffffffu) == 0x007fffffu;
  let first = multiplied_f32(x, slope);
  let half = 0.5f * slope;
  let more = residual_f32(first, half, 0.5f);
  let near = step_f32(first, more, first);
  let second = bitcast<f32>(bitcast<u32>(near) - select(0u, 1u, edge && near * near >= x));
  return step_f32(residual_f32(second, second, x), step_f32(half, more, half), second);
}

fn sqrt_f32(x: f32) -> f32 {
  if (ordinary_f32(x) && x > 0.0f) { return root_core_f32(x); }
  let bits = bitcast<u32>(x);
  let n = parted_f32(x);
  let odd = (n.power & 1i) == 1i;
  let part = select(select(n.part, 2.0f * n.part, odd), 1.0f, n.part == 0.0f);
  let value = root_core_f32(part) * power_of_two_f32((n.power - select(0i, 1i, odd)) / 2i);
  let negative = (bits & 0x80000000u) != 0u;
  let inside = select(value, nan_f32(), negative || isnan_f32(x));
  return select(inside, x, n.part == 0.0f || bits == 0x7f800000u);
}
