// Exponentials of singles near 0, where the device's own powers of two are good there.

fn exp_close_f32(x: f32) -> f32 { return exp2(x * log2_e_f32); }

// 2^w for |w| <= 126.
fn exp2_wide(w: f64) -> f32 {
  let t = added_f64(w, rounder_f64);
  let value = exp2(f32(w - added_f64(t, -rounder_f64)));
  return bitcast<f32>(bitcast<u32>(value) + (u32(bitcast<u64>(t)) << 23u));
}
