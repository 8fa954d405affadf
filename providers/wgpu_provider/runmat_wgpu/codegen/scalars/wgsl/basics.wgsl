// Bits, barriers and what is exact. p.zero is 0 at run time, which the compiler does not know.

fn opaque_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p.zero); }

fn opaque_f64(x: f64) -> f64 { return bitcast<f64>(bitcast<u64>(x) ^ u64(p.zero)); }

// An argument, so that operations that it comes from do not merge with those of the function. It
// is another operation than `opaque`, since two equal ones in a row would be taken for none.
fn argument_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) + p.zero); }

fn argument_f64(x: f64) -> f64 { return bitcast<f64>(bitcast<u64>(x) + u64(p.zero)); }

// All bits but the sign.
fn size_bits_f32(x: f32) -> u32 { return bitcast<u32>(x) & 0x7fffffffu; }

fn size_bits_f64(x: f64) -> u64 { return bitcast<u64>(x) & 0x7ffffffffffffffflu; }

fn isnan_f32(x: f32) -> bool { return size_bits_f32(x) > 0x7f800000u; }

fn isnan_f64(x: f64) -> bool { return size_bits_f64(x) > 0x7ff0000000000000lu; }

fn isinf_f32(x: f32) -> bool { return size_bits_f32(x) == 0x7f800000u; }

fn isinf_f64(x: f64) -> bool { return size_bits_f64(x) == 0x7ff0000000000000lu; }

fn isfinite_f32(x: f32) -> bool { return size_bits_f32(x) < 0x7f800000u; }

fn isfinite_f64(x: f64) -> bool { return size_bits_f64(x) < 0x7ff0000000000000lu; }

fn nan_f32() -> f32 { return bitcast<f32>(0x7fc00000u | p.zero); }

fn nan_f64() -> f64 { return bitcast<f64>(0x7ff8000000000000lu | u64(p.zero)); }

fn inf_f32() -> f32 { return bitcast<f32>(0x7f800000u | p.zero); }

fn inf_f64() -> f64 { return bitcast<f64>(0x7ff0000000000000lu | u64(p.zero)); }

fn negative_f32(x: f32) -> bool { return (bitcast<u32>(x) >> 31u) != 0u; }

fn negative_f64(x: f64) -> bool { return (bitcast<u64>(x) >> 63u) != 0lu; }

// The size of x with the sign of s.
fn copysign_f32(x: f32, s: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(s) & 0x80000000u));
}

fn copysign_f64(x: f64, s: f64) -> f64 {
  let sign = bitcast<u64>(s) & 0x8000000000000000lu;
  return bitcast<f64>((bitcast<u64>(x) & 0x7ffffffffffffffflu) | sign);
}

fn neg_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ 0x80000000u); }

fn neg_f64(x: f64) -> f64 { return bitcast<f64>(bitcast<u64>(x) ^ 0x8000000000000000lu); }

fn sign_f32(x: f32) -> f32 {
  let size = select(select(0.0f, 1.0f, x > 0.0f), -1.0f, x < 0.0f);
  return select(size, x, isnan_f32(x));
}

fn sign_f64(x: f64) -> f64 {
  let size = select(select(0.0lf, 1.0lf, x > 0.0lf), -1.0lf, x < 0.0lf);
  return select(size, x, isnan_f64(x));
}

// Halves away from zero.
fn round_f32(x: f32) -> f32 {
  let whole = trunc(x);
  return select(whole, whole + copysign_f32(1.0f, x), abs(x - whole) >= 0.5f);
}

fn round_f64(x: f64) -> f64 {
  let whole = trunc(x);
  return select(whole, whole + copysign_f64(1.0lf, x), abs(x - whole) >= 0.5lf);
}

// A number wins over NaN.
fn min_f32(x: f32, y: f32) -> f32 { return select(select(y, x, x < y), x, isnan_f32(y)); }

fn min_f64(x: f64, y: f64) -> f64 { return select(select(y, x, x < y), x, isnan_f64(y)); }

fn max_f32(x: f32, y: f32) -> f32 { return select(select(y, x, x > y), x, isnan_f32(y)); }

fn max_f64(x: f64, y: f64) -> f64 { return select(select(y, x, x > y), x, isnan_f64(y)); }
