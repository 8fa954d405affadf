struct P {
  zero: u32,
  e0: u32,
  wide: u32,
  a0: u32,
  a1: u32,
  a2: u32,
  a3: u32,
  o0: u32,
  h0: u32,
  s0_0: u32,
  h0_0: u32,
  o1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read_write> b0: array<vec2<f64>>;

fn product_wide(a: u32, b: u32) -> vec2<u32> {
  let whole = u64(a) * u64(b);
  return vec2<u32>(u32(whole), u32(whole >> 32u));
}

fn round_wide(c: vec4<u32>, k: vec2<u32>) -> vec4<u32> {
  let first = product_wide(c.x, 0xd2511f53u);
  let second = product_wide(c.z, 0xcd9e8d57u);
  return vec4<u32>(second.y ^ c.y ^ k.x, second.x, first.y ^ c.w ^ k.y, first.x);
}

fn philox_wide(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
  var c = counter;
  c = round_wide(c, key);
  c = round_wide(c, key + vec2<u32>(0x9e3779b9u, 0xbb67ae85u));
  c = round_wide(c, key + vec2<u32>(0x3c6ef372u, 0x76cf5d0au));
  c = round_wide(c, key + vec2<u32>(0xdaa66d2bu, 0x32370b8fu));
  c = round_wide(c, key + vec2<u32>(0x78dde6e4u, 0xed9eba14u));
  c = round_wide(c, key + vec2<u32>(0x1715609du, 0xa9066899u));
  c = round_wide(c, key + vec2<u32>(0xb54cda56u, 0x646e171eu));
  c = round_wide(c, key + vec2<u32>(0x5384540fu, 0x1fd5c5a3u));
  c = round_wide(c, key + vec2<u32>(0xf1bbcdc8u, 0xdb3d7428u));
  c = round_wide(c, key + vec2<u32>(0x8ff34781u, 0x96a522adu));
  return c;
}

// Words: the low one, the high one.
fn uniform_f64(low: u32, high: u32) -> f64 {
  let bits = ((u64(high) << 32u) | u64(low)) >> 12u;
  return bitcast<f64>(bits | 0x3ff0000000000000lu) - 0.99999999999999988898lf;
}


fn draw_uniform_f64(at: vec2<u32>, key: vec2<u32>) -> f64 {
  let first = vec2<u32>((at.x >> 2u) | (at.y << 30u), at.y >> 2u);
  let askew = at.x & 3u;
  let block0 = philox_wide(vec4<u32>(first, 0u, 0u), key);
  let low = block0[askew];
  var high = block0[min(askew + 1u, 3u)];
  if (askew == 3u) {
    let block1 = philox_wide(vec4<u32>(pair_add(first, vec2<u32>(1u, 0u)), 0u, 0u), key);
    high = block1.x;
  }
  return uniform_f64(low, high);
}

fn pair_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn pair_mul(a: vec2<u32>, b: u32) -> vec2<u32> {
  let low = u64(a.x) * u64(b);
  return vec2<u32>(u32(low), u32(low >> 32u) + a.y * b);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) global_invocation_id: vec3<u32>) {
  let gid = global_invocation_id;
  let i0 = (gid.x + gid.y * p.wide) * 2u;
  if (i0 >= p.e0) { return; }
  let valid = p.e0 - i0;
  let number0_1 = pair_add(vec2<u32>(p.o0, p.h0), pair_mul(vec2<u32>(p.s0_0, p.h0_0), i0));
  let z_2 = draw_uniform_f64(pair_add(vec2<u32>(p.a2, p.a3), pair_mul(number0_1, 2u)), vec2<u32>(p.a0, p.a1));
  let z_3 = draw_uniform_f64(pair_add(vec2<u32>(p.a2, p.a3), pair_mul(pair_add(number0_1, pair_mul(vec2<u32>(p.s0_0, p.h0_0), 1u)), 2u)), vec2<u32>(p.a0, p.a1));
  let at1_4 = p.o1 + i0;
  if (valid >= 2u) {
    b0[(at1_4 >> 1u)] = vec2(z_2, z_3);
  } else {
    b0[(at1_4) >> 1u][(at1_4) & 1u] = z_2;
    if (valid > 1u) { b0[(at1_4 + 1u) >> 1u][(at1_4 + 1u) & 1u] = z_3; }
  }
}
