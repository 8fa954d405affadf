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
  outer_b: u32,
  ld_a: u32,
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
  let end = last / 4u;
  var l = first / 4u + t;
  for (; l + 384u < end; l += 512u) {
    let l0 = l + 0u;
    let fa0_0 = b2[oa0 * p.ld_a + l0];
    let fa1_0 = b2[oa1 * p.ld_a + l0];
    let fa2_0 = b2[oa2 * p.ld_a + l0];
    let fa3_0 = b2[oa3 * p.ld_a + l0];
    let fb0_0 = b3[ob0 * p.ld_b + l0];
    let l1 = l + 128u;
    let fa0_1 = b2[oa0 * p.ld_a + l1];
    let fa1_1 = b2[oa1 * p.ld_a + l1];
    let fa2_1 = b2[oa2 * p.ld_a + l1];
    let fa3_1 = b2[oa3 * p.ld_a + l1];
    let fb0_1 = b3[ob0 * p.ld_b + l1];
    let l2 = l + 256u;
    let fa0_2 = b2[oa0 * p.ld_a + l2];
    let fa1_2 = b2[oa1 * p.ld_a + l2];
    let fa2_2 = b2[oa2 * p.ld_a + l2];
    let fa3_2 = b2[oa3 * p.ld_a + l2];
    let fb0_2 = b3[ob0 * p.ld_b + l2];
    let l3 = l + 384u;
    let fa0_3 = b2[oa0 * p.ld_a + l3];
    let fa1_3 = b2[oa1 * p.ld_a + l3];
    let fa2_3 = b2[oa2 * p.ld_a + l3];
    let fa3_3 = b2[oa3 * p.ld_a + l3];
    let fb0_3 = b3[ob0 * p.ld_b + l3];
    c0_0 += fa0_0.x * fb0_0.x + fa0_0.y * fb0_0.y + fa0_0.z * fb0_0.z + fa0_0.w * fb0_0.w;
    c1_0 += fa1_0.x * fb0_0.x + fa1_0.y * fb0_0.y + fa1_0.z * fb0_0.z + fa1_0.w * fb0_0.w;
    c2_0 += fa2_0.x * fb0_0.x + fa2_0.y * fb0_0.y + fa2_0.z * fb0_0.z + fa2_0.w * fb0_0.w;
    c3_0 += fa3_0.x * fb0_0.x + fa3_0.y * fb0_0.y + fa3_0.z * fb0_0.z + fa3_0.w * fb0_0.w;
    c0_0 += fa0_1.x * fb0_1.x + fa0_1.y * fb0_1.y + fa0_1.z * fb0_1.z + fa0_1.w * fb0_1.w;
    c1_0 += fa1_1.x * fb0_1.x + fa1_1.y * fb0_1.y + fa1_1.z * fb0_1.z + fa1_1.w * fb0_1.w;
    c2_0 += fa2_1.x * fb0_1.x + fa2_1.y * fb0_1.y + fa2_1.z * fb0_1.z + fa2_1.w * fb0_1.w;
    c3_0 += fa3_1.x * fb0_1.x + fa3_1.y * fb0_1.y + fa3_1.z * fb0_1.z + fa3_1.w * fb0_1.w;
    c0_0 += fa0_2.x * fb0_2.x + fa0_2.y * fb0_2.y + fa0_2.z * fb0_2.z + fa0_2.w * fb0_2.w;
    c1_0 += fa1_2.x * fb0_2.x + fa1_2.y * fb0_2.y + fa1_2.z * fb0_2.z + fa1_2.w * fb0_2.w;
    c2_0 += fa2_2.x * fb0_2.x + fa2_2.y * fb0_2.y + fa2_2.z * fb0_2.z + fa2_2.w * fb0_2.w;
    c3_0 += fa3_2.x * fb0_2.x + fa3_2.y * fb0_2.y + fa3_2.z * fb0_2.z + fa3_2.w * fb0_2.w;
    c0_0 += fa0_3.x * fb0_3.x + fa0_3.y * fb0_3.y + fa0_3.z * fb0_3.z + fa0_3.w * fb0_3.w;
    c1_0 += fa1_3.x * fb0_3.x + fa1_3.y * fb0_3.y + fa1_3.z * fb0_3.z + fa1_3.w * fb0_3.w;
    c2_0 += fa2_3.x * fb0_3.x + fa2_3.y * fb0_3.y + fa2_3.z * fb0_3.z + fa2_3.w * fb0_3.w;
    c3_0 += fa3_3.x * fb0_3.x + fa3_3.y * fb0_3.y + fa3_3.z * fb0_3.z + fa3_3.w * fb0_3.w;
  }
  for (; l < end; l += 128u) {
    let l0 = l + 0u;
    let fa0_0 = b2[oa0 * p.ld_a + l0];
    let fa1_0 = b2[oa1 * p.ld_a + l0];
    let fa2_0 = b2[oa2 * p.ld_a + l0];
    let fa3_0 = b2[oa3 * p.ld_a + l0];
    let fb0_0 = b3[ob0 * p.ld_b + l0];
    c0_0 += fa0_0.x * fb0_0.x + fa0_0.y * fb0_0.y + fa0_0.z * fb0_0.z + fa0_0.w * fb0_0.w;
    c1_0 += fa1_0.x * fb0_0.x + fa1_0.y * fb0_0.y + fa1_0.z * fb0_0.z + fa1_0.w * fb0_0.w;
    c2_0 += fa2_0.x * fb0_0.x + fa2_0.y * fb0_0.y + fa2_0.z * fb0_0.z + fa2_0.w * fb0_0.w;
    c3_0 += fa3_0.x * fb0_0.x + fa3_0.y * fb0_0.y + fa3_0.z * fb0_0.z + fa3_0.w * fb0_0.w;
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
