struct P {
  zero: u32,
  e0: u32,
  wide: u32,
  o0: u32,
  o1: u32,
  o2: u32,
  o3: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read> b1: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> b2: array<vec2<f32>>;
@group(0) @binding(3) var<storage, read_write> b3: array<f32>;

const hypot_up_f32: f32 = 1.1805916e+21f;

const hypot_small_f32: f32 = 8.881784e-16f;

const hypot_down_f32: f32 = 8.4703295e-22f;

const hypot_big_f32: f32 = 1.1529215e+18f;

fn opaque_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p.zero); }

fn nan_f32() -> f32 { return bitcast<f32>(0x7fc00000u | p.zero); }

// All bits but the sign.
fn size_bits_f32(x: f32) -> u32 { return bitcast<u32>(x) & 0x7fffffffu; }

fn isnan_f32(x: f32) -> bool { return size_bits_f32(x) > 0x7f800000u; }

fn inf_f32() -> f32 { return bitcast<f32>(0x7f800000u | p.zero); }

fn isinf_f32(x: f32) -> bool { return size_bits_f32(x) == 0x7f800000u; }

fn hypot_f32(x: f32, y: f32) -> f32 {
  let big = max(abs(x), abs(y));
  let up = select(1.0f, hypot_up_f32, big < hypot_small_f32);
  let scale = select(up, hypot_down_f32, big > hypot_big_f32);
  let back = select(select(1.0f, hypot_down_f32, big < hypot_small_f32), hypot_up_f32, big > hypot_big_f32);
  let a = x * scale;
  let b = y * scale;
  let value = opaque_f32(sqrt(a * a + b * b)) * back;
  let number = select(value, nan_f32(), isnan_f32(x) || isnan_f32(y));
  return select(number, inf_f32(), isinf_f32(x) || isinf_f32(y));
}

fn c_abs_f32(z: vec2<f32>) -> f32 { return hypot_f32(z.x, z.y); }

fn neg_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ 0x80000000u); }

fn c_conj_f32(z: vec2<f32>) -> vec2<f32> { return vec2<f32>(z.x, neg_f32(z.y)); }

// Scaled by the larger part of the divisor; one of two zeros divides both parts.
fn c_div_f32(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  if (b.x == 0.0f && b.y == 0.0f) { return vec2<f32>(a.x / b.x, a.y / b.x); }
  let wide = abs(b.x) >= abs(b.y);
  let large = select(b.y, b.x, wide);
  let ratio = opaque_f32(select(b.x, b.y, wide) / large);
  let scale = opaque_f32(1.0f / (large + opaque_f32(select(b.x, b.y, wide) * ratio)));
  let first = select(opaque_f32(a.x * ratio) + a.y, a.x + opaque_f32(a.y * ratio), wide);
  let second = select(opaque_f32(a.y * ratio) - a.x, a.y - opaque_f32(a.x * ratio), wide);
  return vec2<f32>(opaque_f32(first) * scale, opaque_f32(second) * scale);
}

fn c_mul_f32(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  let real = opaque_f32(a.x * b.x) - opaque_f32(a.y * b.y);
  return vec2<f32>(real, opaque_f32(a.x * b.y) + opaque_f32(a.y * b.x));
}

fn c_opaque_f32(z: vec2<f32>) -> vec2<f32> { return vec2<f32>(opaque_f32(z.x), opaque_f32(z.y)); }

// The size of x with the sign of s.
fn copysign_f32(x: f32, s: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(s) & 0x80000000u));
}

// 2^48 and its inverse root, 2^108 and its own.
const c_sqrt_up_f32: f32 = 281474976710656.0f;

const c_sqrt_small_f32: f32 = 1e-30f;

// Roots of numbers beyond these are taken of scaled ones.
const c_sqrt_big_f32: f32 = 1e37f;

const c_sqrt_back_f32: f32 = 5.9604645e-08f;

fn c_sqrt_f32(z: vec2<f32>) -> vec2<f32> {
  if (z.x == 0.0f && z.y == 0.0f) { return vec2<f32>(abs(z.x), z.y); }
  if (isinf_f32(z.y)) { return vec2<f32>(inf_f32(), z.y); }
  if (isnan_f32(z.x)) { return vec2<f32>(z.x, nan_f32()); }
  if (isinf_f32(z.x)) {
    let rest = select(0.0f, nan_f32(), isnan_f32(z.y));
    let up = vec2<f32>(z.x, copysign_f32(rest, z.y));
    return select(up, vec2<f32>(rest, copysign_f32(inf_f32(), z.y)), z.x < 0.0f);
  }
  // scaled by a fourth power, so that nothing overflows or loses bits
  let large = max(abs(z.x), abs(z.y));
  let up = select(1.0f, c_sqrt_up_f32, large < c_sqrt_small_f32);
  let scale = select(up, 0.0625f, large > c_sqrt_big_f32);
  let back = select(select(1.0f, c_sqrt_back_f32, large < c_sqrt_small_f32), 4.0f, large > c_sqrt_big_f32);
  let x = z.x * scale;
  let y = z.y * scale;
  let root = sqrt(opaque_f32(0.5f * (abs(x) + hypot_f32(x, y))));
  let other = opaque_f32(0.5f * abs(y)) / root;
  let real = select(root, other, x < 0.0f) * back;
  return vec2<f32>(real, copysign_f32(select(other, root, x < 0.0f) * back, z.y));
}


@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) global_invocation_id: vec3<u32>) {
  let gid = global_invocation_id;
  let i0 = (gid.x + gid.y * p.wide);
  if (i0 >= p.e0) { return; }
  let at0_1 = p.o0 + i0;
  let v0 = b0[at0_1];
  let at1_2 = p.o1 + i0;
  let v1 = b1[at1_2];
  let v2 = c_mul_f32(v0, v1);
  let v3 = c_conj_f32(v2);
  let v5 = (v0 + vec2<f32>(2.0f, bitcast<f32>(p.zero)));
  let v6 = c_div_f32(c_opaque_f32(v3), v5);
  let at2_3 = p.o2 + i0;
  b2[at2_3] = v6;
  let v8 = c_sqrt_f32(v1);
  let v9 = c_abs_f32(v8);
  let v10 = v0.x;
  let v11 = (v9 - v10);
  let at3_4 = p.o3 + i0;
  b3[at3_4] = v11;
}
