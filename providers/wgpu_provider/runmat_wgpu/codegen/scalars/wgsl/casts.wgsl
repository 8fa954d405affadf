// Floats to integers: halves away from zero, saturating, NaN to 0. WGSL's own conversions saturate
// to the largest float, and leave NaN open.

fn i32_f32(x: f32, low: f32, high: f32) -> i32 {
  return select(i32(clamp(round_f32(x), low, high)), 0i, isnan_f32(x));
}

fn u32_f32(x: f32, high: f32) -> u32 {
  return select(u32(clamp(round_f32(x), 0.0f, high)), 0u, isnan_f32(x));
}

fn whole_i32_f32(x: f32) -> i32 {
  return select(i32_f32(x, -2147483648.0f, 2147483520.0f), 2147483647i, x >= 2147483648.0f);
}

fn whole_u32_f32(x: f32) -> u32 {
  return select(u32_f32(x, 4294967040.0f), 4294967295u, x >= 4294967296.0f);
}

fn whole_i64_f32(x: f32) -> i64 {
  let inside = i64(clamp(round_f32(x), -9223372036854775808.0f, 9223371487098961920.0f));
  let high = select(inside, 9223372036854775807li, x >= 9223372036854775808.0f);
  return select(high, 0li, isnan_f32(x));
}

fn whole_u64_f32(x: f32) -> u64 {
  let inside = u64(clamp(round_f32(x), 0.0f, 18446742974197923840.0f));
  let high = select(inside, 18446744073709551615lu, x >= 18446744073709551616.0f);
  return select(high, 0lu, isnan_f32(x));
}

fn i32_f64(x: f64, low: f64, high: f64) -> i32 {
  return select(i32(clamp(round_f64(x), low, high)), 0i, isnan_f64(x));
}

fn u32_f64(x: f64, high: f64) -> u32 {
  return select(u32(clamp(round_f64(x), 0.0lf, high)), 0u, isnan_f64(x));
}

fn whole_i32_f64(x: f64) -> i32 { return i32_f64(x, -2147483648.0lf, 2147483647.0lf); }

fn whole_u32_f64(x: f64) -> u32 { return u32_f64(x, 4294967295.0lf); }

fn whole_i64_f64(x: f64) -> i64 {
  let inside = i64(clamp(round_f64(x), -9223372036854775808.0lf, 9223372036854774784.0lf));
  let high = select(inside, 9223372036854775807li, x >= 9223372036854775808.0lf);
  return select(high, 0li, isnan_f64(x));
}

fn whole_u64_f64(x: f64) -> u64 {
  let inside = u64(clamp(round_f64(x), 0.0lf, 18446744073709549568.0lf));
  let high = select(inside, 18446744073709551615lu, x >= 18446744073709551616.0lf);
  return select(high, 0lu, isnan_f64(x));
}
