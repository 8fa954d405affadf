struct P {
  zero: u32,
  e0: u32,
  wide: u32,
  o0: u32,
  a0: f32,
  e1: u32,
  o1: u32,
  o2: u32,
  s2_1: u32,
  o3: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b1: array<f32>;
@group(0) @binding(2) var<storage, read_write> b2: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> b3: array<vec4<f32>>;


@compute @workgroup_size(256, 1)
fn main(@builtin(global_invocation_id) global_invocation_id: vec3<u32>) {
  let gid = global_invocation_id;
  let i0 = (gid.x + gid.y * p.wide) * 4u;
  if (i0 >= p.e0) { return; }
  let valid = p.e0 - i0;
  let at0_1 = p.o0 + i0;
  let w_2 = b0[(at0_1 >> 2u)];
  let v0_0 = w_2.x;
  let v0_1 = w_2.y;
  let v0_2 = w_2.z;
  let v0_3 = w_2.w;
  var s1_0: f32 = v0_0;
  var s1_1: f32 = v0_1;
  var s1_2: f32 = v0_2;
  var s1_3: f32 = v0_3;
  var s7_0: f32;
  var s7_1: f32;
  var s7_2: f32;
  var s7_3: f32;
  var trip = 0u;
  for (; trip < p.e1; trip++) {
    let v3_0 = (s1_0 * p.a0);
    let v3_1 = (s1_1 * p.a0);
    let v3_2 = (s1_2 * p.a0);
    let v3_3 = (s1_3 * p.a0);
    let at1_3 = p.o1 + trip;
    let v4 = b1[at1_3];
    let v5_0 = (v3_0 + v4);
    let v5_1 = (v3_1 + v4);
    let v5_2 = (v3_2 + v4);
    let v5_3 = (v3_3 + v4);
    let at2_4 = p.o2 + i0 + trip * p.s2_1;
    if (valid >= 4u) {
      b2[(at2_4 >> 2u)] = vec4(v5_0, v5_1, v5_2, v5_3);
    } else {
      b2[(at2_4) >> 2u][(at2_4) & 3u] = v5_0;
      if (valid > 1u) { b2[(at2_4 + 1u) >> 2u][(at2_4 + 1u) & 3u] = v5_1; }
      if (valid > 2u) { b2[(at2_4 + 2u) >> 2u][(at2_4 + 2u) & 3u] = v5_2; }
      if (valid > 3u) { b2[(at2_4 + 3u) >> 2u][(at2_4 + 3u) & 3u] = v5_3; }
    }
    let next_5 = v5_0;
    let next_6 = v5_1;
    let next_7 = v5_2;
    let next_8 = v5_3;
    let next_9 = v5_0;
    let next_10 = v5_1;
    let next_11 = v5_2;
    let next_12 = v5_3;
    s7_0 = next_5;
    s7_1 = next_6;
    s7_2 = next_7;
    s7_3 = next_8;
    s1_0 = next_9;
    s1_1 = next_10;
    s1_2 = next_11;
    s1_3 = next_12;
  }
  let at3_13 = p.o3 + i0;
  if (valid >= 4u) {
    b3[(at3_13 >> 2u)] = vec4(s7_0, s7_1, s7_2, s7_3);
  } else {
    b3[(at3_13) >> 2u][(at3_13) & 3u] = s7_0;
    if (valid > 1u) { b3[(at3_13 + 1u) >> 2u][(at3_13 + 1u) & 3u] = s7_1; }
    if (valid > 2u) { b3[(at3_13 + 2u) >> 2u][(at3_13 + 2u) & 3u] = s7_2; }
    if (valid > 3u) { b3[(at3_13 + 3u) >> 2u][(at3_13 + 3u) & 3u] = s7_3; }
  }
}
