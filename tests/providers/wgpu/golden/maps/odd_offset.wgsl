struct P {
  zero: u32,
  e0: u32,
  wide: u32,
  o0: u32,
  o1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<vec4<f32>>;


@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) global_invocation_id: vec3<u32>) {
  let gid = global_invocation_id;
  let i0 = (gid.x + gid.y * p.wide) * 4u;
  if (i0 >= p.e0) { return; }
  let valid = p.e0 - i0;
  let at0_1 = p.o0 + i0;
  let v0_0 = b0[at0_1];
  let v0_1 = b0[at0_1 + 1u];
  let v0_2 = b0[at0_1 + 2u];
  let v0_3 = b0[at0_1 + 3u];
  let v1_0 = abs(v0_0);
  let v1_1 = abs(v0_1);
  let v1_2 = abs(v0_2);
  let v1_3 = abs(v0_3);
  let at1_2 = p.o1 + i0;
  if (valid >= 4u) {
    b1[(at1_2 >> 2u)] = vec4(v1_0, v1_1, v1_2, v1_3);
  } else {
    b1[(at1_2) >> 2u][(at1_2) & 3u] = v1_0;
    if (valid > 1u) { b1[(at1_2 + 1u) >> 2u][(at1_2 + 1u) & 3u] = v1_1; }
    if (valid > 2u) { b1[(at1_2 + 2u) >> 2u][(at1_2 + 2u) & 3u] = v1_2; }
    if (valid > 3u) { b1[(at1_2 + 3u) >> 2u][(at1_2 + 3u) & 3u] = v1_3; }
  }
}
