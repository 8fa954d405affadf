// Bits and polynomials of the forms for each type.

const quarter_turn1_f32: f32 = 1.5707963f;

const quarter_turn2_f32: f32 = 7.5497894e-08f;

const quarter_turn3_f32: f32 = 5.3903025e-15f;

const quarter_turn1_f64: f64 = 1.5707963267948966lf;

const quarter_turn2_f64: f64 = 6.123233995736765e-17lf;

const quarter_turn3_f64: f64 = 1.0828566739219139e-32lf;

const half_turn1_f32: f32 = 3.1415925f;

const half_turn2_f32: f32 = 1.5099579e-07f;

const half_turn3_f32: f32 = 1.0780605e-14f;

const half_turn1_f64: f64 = 3.141592653589793lf;

const half_turn2_f64: f64 = 1.224646799147353e-16lf;

const half_turn3_f64: f64 = 2.1657133478438278e-32lf;

const one_over_pi_f32: f32 = 0.31830987f;

const one_over_pi_f64: f64 = 0.3183098861837907lf;

fn lowest_f32(t: f32) -> u32 { return bitcast<u32>(t); }

fn lowest_f64(t: f64) -> u32 { return u32(bitcast<u64>(t)); }

// x with its sign changed where two quarters are counted, and where s is negative.
fn turned_about_f32(x: f32, quarter: u32, s: f32) -> f32 {
  let sign = ((quarter << 30u) ^ bitcast<u32>(s)) & 0x80000000u;
  return bitcast<f32>(bitcast<u32>(x) ^ sign);
}

fn turned_about_f64(x: f64, quarter: u32, s: f64) -> f64 {
  let sign = ((quarter << 30u) ^ u32(bitcast<u64>(s) >> 32u)) & 0x80000000u;
  return bitcast<f64>(bitcast<u64>(x) ^ (u64(sign) << 32u));
}

// (sin(r) / r - 1) / r^2 of z = r^2 for |r| <= pi / 4.
fn sin_short_f32(z: f32) -> f32 {
  return fma(z, fma(z, -0.00019516976f, 0.008332176f), -0.16666655f);
}

fn sin_short_f64(z: f64) -> f64 { return sin_tail_f64(z); }

// (sin(r) / r - 1) / r^2 of z = r^2 for |r| <= pi / 2.
fn sin_long_f32(z: f32) -> f32 {
  return fma(z, fma(z, fma(z, 2.6060957e-06f, -0.00019809777f), 0.008333069f), -0.1666666f);
}

fn sin_long_f64(z: f64) -> f64 {
  return fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, fma(z,
    2.7314368769379893e-15lf, -7.643969663988074e-13lf), 1.6058977292642743e-10lf),
    -2.505210761669045e-08lf), 2.7557319219160833e-06lf), -0.00019841269841254966lf),
    0.008333333333333316lf), -0.16666666666666666lf);
}

// (cos(r) - 1 + r^2 / 2) / r^4 of z = r^2 for |r| <= pi / 4.
fn cos_short_f32(z: f32) -> f32 {
  return fma(z, fma(z, 2.4438088e-05f, -0.0013887364f), 0.041666646f);
}

fn cos_short_f64(z: f64) -> f64 { return cos_tail_f64(z); }

// (log(1 + f) - f) / f^2 for 1 + f between sqrt(1/2) and sqrt(2).
fn log_bend_f32(f: f32) -> f32 {
  let high = fma(f, fma(f, fma(f, 0.08980818f, -0.14428729f), 0.14884014f), -0.16551563f);
  return fma(f, fma(f, fma(f, fma(f, high, 0.1996343f), -0.25002593f), 0.33333933f), -0.49999982f);
}

fn log_bend_f64(f: f64) -> f64 {
  let s = f / (2.0lf + f);
  let z = s * s;
  // log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + z tail)
  let half = 0.5lf * f * f;
  return fma(s, fma(z, log_tail_f64(z), half), -half);
}

// log(x) of positive normal numbers.
fn log_normal_f32(x: f32) -> f32 {
  let n = normal_large_f32(x);
  let power = f32(n.power);
  let bend = fma(n.f * n.f, log_bend_f32(n.f), power * ln2_low_f32);
  return fma(power, ln2_high_f32, added_f32(bend, n.f));
}

fn log_normal_f64(x: f64) -> f64 {
  let n = normal_large_f64(x);
  let power = f64(n.power);
  let bend = fma(power, ln2_low_f64, log_bend_f64(n.f));
  return fma(power, ln2_high_f64, added_f64(bend, n.f));
}

fn normal_positive_f32(x: f32) -> bool { return bitcast<u32>(x) - 0x00800000u < 0x7f000000u; }

fn normal_positive_f64(x: f64) -> bool {
  return u32(bitcast<u64>(x) >> 32u) - 0x00100000u < 0x7fe00000u;
}

fn log_f32(x: f32) -> f32 {
  if (!normal_positive_f32(x)) { return log_any_f32(x); }
  return log_normal_f32(x);
}

fn log_f64(x: f64) -> f64 {
  if (!normal_positive_f64(x)) { return log_any_f64(x); }
  return log_normal_f64(x);
}

fn log_inside_f32(x: f32) -> f32 { return log_normal_f32(x); }

fn log_inside_f64(x: f64) -> f64 { return log_normal_f64(x); }

// The root of a number that is positive and not small; within one unit.
fn root_inside_f32(x: f32) -> f32 {
  let slope = inverseSqrt(x);
  let first = opaque_f32(x * slope);
  return fma(fma(-first, first, x), 0.5f * slope, first);
}

fn root_inside_f64(x: f64) -> f64 { return sqrt(x); }
