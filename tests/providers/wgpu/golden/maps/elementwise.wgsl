struct P {
  zero: u32,
  e0: u32,
  wide: u32,
  o0: u32,
  a0: f32,
  o1: u32,
  o2: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b1: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> b2: array<vec4<f32>>;

fn opaque_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p.zero); }


@compute @workgroup_size(256)
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
  let v2_0 = (v0_0 + p.a0);
  let v2_1 = (v0_1 + p.a0);
  let v2_2 = (v0_2 + p.a0);
  let v2_3 = (v0_3 + p.a0);
  let at1_3 = p.o1 + i0;
  let w_4 = b1[(at1_3 >> 2u)];
  let v3_0 = (w_4.x != 0u);
  let v3_1 = (w_4.y != 0u);
  let v3_2 = (w_4.z != 0u);
  let v3_3 = (w_4.w != 0u);
  let v4_0 = select(f32(0), f32(1), v3_0);
  let v4_1 = select(f32(0), f32(1), v3_1);
  let v4_2 = select(f32(0), f32(1), v3_2);
  let v4_3 = select(f32(0), f32(1), v3_3);
  let v5_0 = (opaque_f32(v2_0) - v4_0);
  let v5_1 = (opaque_f32(v2_1) - v4_1);
  let v5_2 = (opaque_f32(v2_2) - v4_2);
  let v5_3 = (opaque_f32(v2_3) - v4_3);
  let at2_5 = p.o2 + i0;
  if (valid >= 4u) {
    b2[(at2_5 >> 2u)] = vec4(v5_0, v5_1, v5_2, v5_3);
  } else {
    b2[(at2_5) >> 2u][(at2_5) & 3u] = v5_0;
    if (valid > 1u) { b2[(at2_5 + 1u) >> 2u][(at2_5 + 1u) & 3u] = v5_1; }
    if (valid > 2u) { b2[(at2_5 + 2u) >> 2u][(at2_5 + 2u) & 3u] = v5_2; }
    if (valid > 3u) { b2[(at2_5 + 3u) >> 2u][(at2_5 + 3u) & 3u] = v5_3; }
  }
}
