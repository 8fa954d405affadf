struct P {
  zero: u32,
  e0: u32,
  e1: u32,
  o1: u32,
  s1_1: u32,
  tiles: u32,
  tiles_m: u32,
  k: u32,
  outer_a: u32,
  ld_a: u32,
  outer_b: u32,
  ld_b: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read_write> b1: array<f32>;
@group(0) @binding(1) var<storage, read> b2: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b3: array<vec4<f32>>;
var<workgroup> pile: array<f32, 256>;


fn put(i: u32, j: u32, v: f32) {
  if (i >= p.e0 || j >= p.e1) { return; }
  let at1_1 = p.o1 + i + j * p.s1_1;
  b1[at1_1] = v;
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>, @builtin(local_invocation_index) local_invocation_index: u32) {
  let t = local_invocation_index;
  let number = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  if (number >= p.tiles) { return; }
  let first_a = number % p.tiles_m * 4u;
  let first_b = number / p.tiles_m * 1u;
  let first = 0u;
  let last = p.k;
  var c0_0 = f32();
  var c1_0 = f32();
  var c2_0 = f32();
  var c3_0 = f32();
  let oa0 = min(first_a + 0u, p.outer_a - 1u);
  let oa1 = min(first_a + 1u, p.outer_a - 1u);
  let oa2 = min(first_a + 2u, p.outer_a - 1u);
  let oa3 = min(first_a + 3u, p.outer_a - 1u);
  let ob0 = min(first_b + 0u, p.outer_b - 1u);
  for (var l = first / 4u + t; l < last / 4u; l += 128u) {
    let fa0 = b2[oa0 * p.ld_a + l];
    let fa1 = b2[oa1 * p.ld_a + l];
    let fa2 = b2[oa2 * p.ld_a + l];
    let fa3 = b2[oa3 * p.ld_a + l];
    let fb0 = b3[ob0 * p.ld_b + l];
    c0_0 += fa0.x * fb0.x + fa0.y * fb0.y + fa0.z * fb0.z + fa0.w * fb0.w;
    c1_0 += fa1.x * fb0.x + fa1.y * fb0.y + fa1.z * fb0.z + fa1.w * fb0.w;
    c2_0 += fa2.x * fb0.x + fa2.y * fb0.y + fa2.z * fb0.z + fa2.w * fb0.w;
    c3_0 += fa3.x * fb0.x + fa3.y * fb0.y + fa3.z * fb0.z + fa3.w * fb0.w;
  }
  for (var h = 64u; h > 0u; h = h / 2u) {
    if (t >= h && t < 2u * h) {
      pile[0u + (t - h) * 1u + 0u] = c0_0;
      pile[64u + (t - h) * 1u + 0u] = c1_0;
      pile[128u + (t - h) * 1u + 0u] = c2_0;
      pile[192u + (t - h) * 1u + 0u] = c3_0;
    }
    workgroupBarrier();
    if (t < h) {
      c0_0 += pile[0u + t * 1u + 0u];
      c1_0 += pile[64u + t * 1u + 0u];
      c2_0 += pile[128u + t * 1u + 0u];
      c3_0 += pile[192u + t * 1u + 0u];
    }
    workgroupBarrier();
  }
  if (t == 0u) {
    put(first_a + 0u, first_b + 0u, c0_0);
    put(first_a + 1u, first_b + 0u, c1_0);
    put(first_a + 2u, first_b + 0u, c2_0);
    put(first_a + 3u, first_b + 0u, c3_0);
  }
}
