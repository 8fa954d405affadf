struct P {
  zero: u32,
  e0: u32,
  o0: u32,
  e1: u32,
  e2: u32,
  o1: u32,
  s1_1: u32,
  s1_2: u32,
  o2: u32,
  o3: u32,
  s3_1: u32,
  s3_2: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b1: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b2: array<f32>;
@group(0) @binding(3) var<storage, read_write> b3: array<vec4<f32>>;


@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) global_invocation_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let gid = global_invocation_id;
  let i0 = gid.x * 4u;
  if (i0 >= p.e0) { return; }
  let valid = p.e0 - i0;
  let at0_1 = p.o0 + i0;
  let w_2 = b0[(at0_1 >> 2u)];
  let v0_0 = w_2.x;
  let v0_1 = w_2.y;
  let v0_2 = w_2.z;
  let v0_3 = w_2.w;
  let rows = p.e1 * p.e2;
  let step = num_workgroups.y * 16u;
  for (var row = gid.y; row < rows; row += step) {
    let i1 = row % p.e1;
    let rest1 = row / p.e1;
    let i2 = rest1;
    let at1_3 = p.o1 + i0 + i1 * p.s1_1 + i2 * p.s1_2;
    let w_4 = b1[(at1_3 >> 2u)];
    let v1_0 = w_4.x;
    let v1_1 = w_4.y;
    let v1_2 = w_4.z;
    let v1_3 = w_4.w;
    let at2_5 = p.o2 + i1;
    let v2 = b2[at2_5];
    let v3_0 = (v0_0 * v2);
    let v3_1 = (v0_1 * v2);
    let v3_2 = (v0_2 * v2);
    let v3_3 = (v0_3 * v2);
    let v4_0 = (v1_0 - v3_0);
    let v4_1 = (v1_1 - v3_1);
    let v4_2 = (v1_2 - v3_2);
    let v4_3 = (v1_3 - v3_3);
    let at3_6 = p.o3 + i0 + i1 * p.s3_1 + i2 * p.s3_2;
    if (valid >= 4u) {
      b3[(at3_6 >> 2u)] = vec4(v4_0, v4_1, v4_2, v4_3);
    } else {
      b3[(at3_6) >> 2u][(at3_6) & 3u] = v4_0;
      if (valid > 1u) { b3[(at3_6 + 1u) >> 2u][(at3_6 + 1u) & 3u] = v4_1; }
      if (valid > 2u) { b3[(at3_6 + 2u) >> 2u][(at3_6 + 2u) & 3u] = v4_2; }
      if (valid > 3u) { b3[(at3_6 + 3u) >> 2u][(at3_6 + 3u) & 3u] = v4_3; }
    }
  }
}
