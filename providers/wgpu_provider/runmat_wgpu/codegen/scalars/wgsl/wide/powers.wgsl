// Powers of singles by doubles, where these are hardly slower: a logarithm to base 2 with 33 bits
// instead of one of two singles.

// log2(1 + z) / z for a mantissa 1 + z between the roots of 1/2 and of 2.
fn log2_slope(z: f64) -> f64 {
  return fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, fma(z,
    -0.084335210458005854lf, 0.15345286937454512lf), -0.15722652971153048lf),
    0.15931300522348445lf), -0.17905123203322463lf), 0.20607165109914129lf),
    -0.24050279825001172lf), 0.28854145553597716lf), -0.36067284534893601lf),
    0.48089831108240019lf), -0.72134752489455221lf), 1.4426950409582302lf);
}

// The logarithm to base 2 of a normal positive number.
fn log2_wide(x: f32) -> f64 {
  let bits = bitcast<u32>(x);
  let over = bits - 0x3f3504f3u;
  let z = f64(bitcast<f32>(bits - (over & 0xff800000u))) - 1.0lf;
  // the power of two, from -126 to 127, as the low bits of a double
  let biased = (over >> 23u) ^ 0x100u;
  let power = bitcast<f64>((0x43300000lu << 32u) | u64(biased)) - 4503599627370752.0lf;
  return fma(z, log2_slope(z), power);
}

// 2^w for |w| <= 126.
fn exp2_wide(w: f64) -> f32 {
  let t = added_f64(w, rounder_f64);
  let f = f32(w - added_f64(t, -rounder_f64));
  let value = fma(f, fma(f, fma(f, fma(f, fma(f, fma(f, 0.000154531629f, 0.00133908634f),
    0.00961808256f), 0.0555035711f), 0.240226508f), 0.693147188f), 1.0f);
  return bitcast<f32>(bitcast<u32>(value) + (u32(bitcast<u64>(t)) << 23u));
}

fn pow_f32(x: f32, y: f32) -> f32 {
  // a few zeros must not lead all neighbours the long way
  let nothing = x == 0.0f && !negative_f32(x) && y > 0.0f;
  let base = select(x, 1.0f, nothing);
  if (normal_positive_f32(base) && abs(y) < 4096.0f) {
    let exponent = f64(y) * log2_wide(base);
    if (abs(exponent) < 126.0lf) { return select(exp2_wide(exponent), 0.0f, nothing); }
  }
  return pow_any_f32(x, y);
}
