struct P {
  zero: u32,
  e0: u32,
  e1: u32,
  o1: u32,
  s1_1: u32,
  tiles: u32,
  k: u32,
  ld_a: u32,
  ld_b: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read_write> b1: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b2: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b3: array<f32>;


fn put(i: u32, j: u32, v: vec4<f32>) {
  if (i >= p.e0 || j >= p.e1) { return; }
  let at1_1 = p.o1 + i + j * p.s1_1;
  b1[(at1_1 >> 2u)] = vec4(v.x, v.y, v.z, v.w);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>, @builtin(local_invocation_index) local_invocation_index: u32) {
  let number = (workgroup_id.y * num_workgroups.x + workgroup_id.x) * 64u + local_invocation_index;
  if (number >= p.tiles) { return; }
  let first_a = number % ((p.e0 + 7u) / 8u) * 8u;
  let first_b = number / ((p.e0 + 7u) / 8u) * 4u;
  let first = 0u;
  let last = p.k;
  let i0 = first_a + 0u;
  let i1 = first_a + 4u;
  let j0 = min(first_b + 0u, p.e1 - 1u);
  let j1 = min(first_b + 1u, p.e1 - 1u);
  let j2 = min(first_b + 2u, p.e1 - 1u);
  let j3 = min(first_b + 3u, p.e1 - 1u);
  var c0_0 = vec4<f32>();
  var c0_1 = vec4<f32>();
  var c0_2 = vec4<f32>();
  var c0_3 = vec4<f32>();
  var c1_0 = vec4<f32>();
  var c1_1 = vec4<f32>();
  var c1_2 = vec4<f32>();
  var c1_3 = vec4<f32>();
  for (var l = first; l < last; l++) {
    let fa0 = (b2[l * p.ld_a + min(i0 / 4u, p.ld_a - 1u)]);
    let fa1 = (b2[l * p.ld_a + min(i1 / 4u, p.ld_a - 1u)]);
    let fb0 = b3[j0 * p.ld_b + l];
    let fb1 = b3[j1 * p.ld_b + l];
    let fb2 = b3[j2 * p.ld_b + l];
    let fb3 = b3[j3 * p.ld_b + l];
    c0_0 += fa0 * fb0;
    c1_0 += fa1 * fb0;
    c0_1 += fa0 * fb1;
    c1_1 += fa1 * fb1;
    c0_2 += fa0 * fb2;
    c1_2 += fa1 * fb2;
    c0_3 += fa0 * fb3;
    c1_3 += fa1 * fb3;
  }
  put(i0, first_b + 0u, c0_0);
  put(i1, first_b + 0u, c1_0);
  put(i0, first_b + 1u, c0_1);
  put(i1, first_b + 1u, c1_1);
  put(i0, first_b + 2u, c0_2);
  put(i1, first_b + 2u, c1_2);
  put(i0, first_b + 3u, c0_3);
  put(i1, first_b + 3u, c1_3);
}
