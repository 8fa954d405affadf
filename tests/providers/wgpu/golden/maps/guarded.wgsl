struct P {
  zero: u32,
  e0: u32,
  wide: u32,
  o0: u32,
  o1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> b1: array<vec4<f32>>;


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
  let v2_0 = (v0_0 < bitcast<f32>(p.zero));
  let v2_1 = (v0_1 < bitcast<f32>(p.zero));
  let v2_2 = (v0_2 < bitcast<f32>(p.zero));
  let v2_3 = (v0_3 < bitcast<f32>(p.zero));
  if ((v2_0 || (valid > 1u && v2_1) || (valid > 2u && v2_2) || (valid > 3u && v2_3)) && (atomicLoad(&status[0]) & 8u) == 0u) {
    atomicOr(&status[0], 8u);
  }
  let v4_0 = sqrt(v0_0);
  let v4_1 = sqrt(v0_1);
  let v4_2 = sqrt(v0_2);
  let v4_3 = sqrt(v0_3);
  let at1_3 = p.o1 + i0;
  if (valid >= 4u) {
    b1[(at1_3 >> 2u)] = vec4(v4_0, v4_1, v4_2, v4_3);
  } else {
    b1[(at1_3) >> 2u][(at1_3) & 3u] = v4_0;
    if (valid > 1u) { b1[(at1_3 + 1u) >> 2u][(at1_3 + 1u) & 3u] = v4_1; }
    if (valid > 2u) { b1[(at1_3 + 2u) >> 2u][(at1_3 + 2u) & 3u] = v4_2; }
    if (valid > 3u) { b1[(at1_3 + 3u) >> 2u][(at1_3 + 3u) & 3u] = v4_3; }
  }
}
