struct P {
  zero: u32,
  e0: u32,
  wide: u32,
  a0: u32,
  a1: u32,
  a2: u32,
  a3: u32,
  o0: u32,
  o1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read_write> b0: array<vec4<f32>>;

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

fn uniform_f32(word: u32) -> f32 {
  return bitcast<f32>((word >> 9u) | 0x3f800000u) - 0.99999994f;
}


fn draw_uniform_f32_4(at: vec2<u32>, key: vec2<u32>) -> vec4<f32> {
  let first = vec2<u32>((at.x >> 2u) | (at.y << 30u), at.y >> 2u);
  let askew = at.x & 3u;
  let block0 = philox_wide(vec4<u32>(first, 0u, 0u), key);
  if (askew == 0u) { return vec4<f32>(uniform_f32(block0.x), uniform_f32(block0.y), uniform_f32(block0.z), uniform_f32(block0.w)); }
  let block1 = philox_wide(vec4<u32>(pair_add(first, vec2<u32>(1u, 0u)), 0u, 0u), key);
  if (askew == 1u) { return vec4<f32>(uniform_f32(block0.y), uniform_f32(block0.z), uniform_f32(block0.w), uniform_f32(block1.x)); }
  if (askew == 2u) { return vec4<f32>(uniform_f32(block0.z), uniform_f32(block0.w), uniform_f32(block1.x), uniform_f32(block1.y)); }
  return vec4<f32>(uniform_f32(block0.w), uniform_f32(block1.x), uniform_f32(block1.y), uniform_f32(block1.z));
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
  let i0 = (gid.x + gid.y * p.wide) * 4u;
  if (i0 >= p.e0) { return; }
  let valid = p.e0 - i0;
  let at0_1 = p.o0 + i0;
  let z_2 = draw_uniform_f32_4(pair_add(vec2<u32>(p.a2, p.a3), vec2<u32>(at0_1, 0u)), vec2<u32>(p.a0, p.a1));
  let at1_3 = p.o1 + i0;
  if (valid >= 4u) {
    b0[(at1_3 >> 2u)] = vec4(z_2.x, z_2.y, z_2.z, z_2.w);
  } else {
    b0[(at1_3) >> 2u][(at1_3) & 3u] = z_2.x;
    if (valid > 1u) { b0[(at1_3 + 1u) >> 2u][(at1_3 + 1u) & 3u] = z_2.y; }
    if (valid > 2u) { b0[(at1_3 + 2u) >> 2u][(at1_3 + 2u) & 3u] = z_2.z; }
    if (valid > 3u) { b0[(at1_3 + 3u) >> 2u][(at1_3 + 3u) & 3u] = z_2.w; }
  }
}
