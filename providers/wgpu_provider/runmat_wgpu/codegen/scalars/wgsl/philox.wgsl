// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// SC11), and numbers from its words as runmat_core.accel.random.philox defines them.

fn product_wide(a: u32, b: u32) -> vec2<u32> {
  let whole = u64(a) * u64(b);
  return vec2<u32>(u32(whole), u32(whole >> 32u));
}

// Without 64-bit integers: of 16-bit pieces.
fn product_pieces(a: u32, b: u32) -> vec2<u32> {
  let al = a & 0xffffu;
  let ah = a >> 16u;
  let bl = b & 0xffffu;
  let bh = b >> 16u;
  let low = al * bl;
  let first = al * bh;
  let second = ah * bl;
  let middle = (low >> 16u) + (first & 0xffffu) + (second & 0xffffu);
  return vec2<u32>(a * b, ah * bh + (first >> 16u) + (second >> 16u) + (middle >> 16u));
}

fn round_wide(c: vec4<u32>, k: vec2<u32>) -> vec4<u32> {
  let first = product_wide(c.x, 0xd2511f53u);
  let second = product_wide(c.z, 0xcd9e8d57u);
  return vec4<u32>(second.y ^ c.y ^ k.x, second.x, first.y ^ c.w ^ k.y, first.x);
}

fn round_pieces(c: vec4<u32>, k: vec2<u32>) -> vec4<u32> {
  let first = product_pieces(c.x, 0xd2511f53u);
  let second = product_pieces(c.z, 0xcd9e8d57u);
  return vec4<u32>(second.y ^ c.y ^ k.x, second.x, first.y ^ c.w ^ k.y, first.x);
}

fn uniform_f32(word: u32) -> f32 {
  return bitcast<f32>((word >> 9u) | 0x3f800000u) - 0.99999994f;
}

// Words: the low one, the high one.
fn uniform_f64(low: u32, high: u32) -> f64 {
  let bits = ((u64(high) << 32u) | u64(low)) >> 12u;
  return bitcast<f64>(bits | 0x3ff0000000000000lu) - 0.99999999999999988898lf;
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

fn philox_pieces(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
  var c = counter;
  c = round_pieces(c, key);
  c = round_pieces(c, key + vec2<u32>(0x9e3779b9u, 0xbb67ae85u));
  c = round_pieces(c, key + vec2<u32>(0x3c6ef372u, 0x76cf5d0au));
  c = round_pieces(c, key + vec2<u32>(0xdaa66d2bu, 0x32370b8fu));
  c = round_pieces(c, key + vec2<u32>(0x78dde6e4u, 0xed9eba14u));
  c = round_pieces(c, key + vec2<u32>(0x1715609du, 0xa9066899u));
  c = round_pieces(c, key + vec2<u32>(0xb54cda56u, 0x646e171eu));
  c = round_pieces(c, key + vec2<u32>(0x5384540fu, 0x1fd5c5a3u));
  c = round_pieces(c, key + vec2<u32>(0xf1bbcdc8u, 0xdb3d7428u));
  c = round_pieces(c, key + vec2<u32>(0x8ff34781u, 0x96a522adu));
  return c;
}
