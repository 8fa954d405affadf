struct P {
  zero: u32,
  e0: u32,
  e1: u32,
  o1: u32,
  s1_1: u32,
  outer_a: u32,
  outer_b: u32,
  tiles: u32,
  k: u32,
  ld_a: u32,
  ld_b: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read_write> b1: array<f32>;
@group(0) @binding(1) var<storage, read> b2: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b3: array<f32>;
var<workgroup> pile: array<vec4<f32>, 256>;


fn put(i: u32, j: u32, v: f32) {
  if (i >= p.e0 || j >= p.e1) { return; }
  let at1_1 = p.o1 + i + j * p.s1_1;
  b1[at1_1] = v;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>, @builtin(local_invocation_index) local_invocation_index: u32) {
  let t = local_invocation_index;
  let number = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  if (number >= p.tiles) { return; }
  let lane = t % 4u;
  let slice = t / 4u;
  let start = (number * 4u + lane) * 4u;
  let first = 0u;
  let last = p.k;
  let s0 = min(0u, p.outer_b - 1u);
  let s1 = min(1u, p.outer_b - 1u);
  var c0 = vec4<f32>();
  var c1 = vec4<f32>();
  var l = first + slice;
  for (; l + 192u < last; l += 256u) {
    let l0 = l + 0u;
    let x0 = b2[(l0) * p.ld_a + min(start / 4u, p.ld_a - 1u)];
    let l1 = l + 64u;
    let x1 = b2[(l1) * p.ld_a + min(start / 4u, p.ld_a - 1u)];
    let l2 = l + 128u;
    let x2 = b2[(l2) * p.ld_a + min(start / 4u, p.ld_a - 1u)];
    let l3 = l + 192u;
    let x3 = b2[(l3) * p.ld_a + min(start / 4u, p.ld_a - 1u)];
    c0 += x0 * b3[s0 * p.ld_b + l0];
    c1 += x0 * b3[s1 * p.ld_b + l0];
    c0 += x1 * b3[s0 * p.ld_b + l1];
    c1 += x1 * b3[s1 * p.ld_b + l1];
    c0 += x2 * b3[s0 * p.ld_b + l2];
    c1 += x2 * b3[s1 * p.ld_b + l2];
    c0 += x3 * b3[s0 * p.ld_b + l3];
    c1 += x3 * b3[s1 * p.ld_b + l3];
  }
  for (; l < last; l += 64u) {
    let l0 = l + 0u;
    let x0 = b2[(l0) * p.ld_a + min(start / 4u, p.ld_a - 1u)];
    c0 += x0 * b3[s0 * p.ld_b + l0];
    c1 += x0 * b3[s1 * p.ld_b + l0];
  }
  for (var h = 32u; h > 0u; h = h / 2u) {
    if (slice >= h && slice < 2u * h) {
      pile[0u + (slice - h) * 4u + lane] = c0;
      pile[128u + (slice - h) * 4u + lane] = c1;
    }
    workgroupBarrier();
    if (slice < h) {
      c0 += pile[0u + slice * 4u + lane];
      c1 += pile[128u + slice * 4u + lane];
    }
    workgroupBarrier();
  }
  if (slice == 0u) {
    put(start + 0u, 0u, c0.x);
    put(start + 1u, 0u, c0.y);
    put(start + 2u, 0u, c0.z);
    put(start + 3u, 0u, c0.w);
    put(start + 0u, 1u, c1.x);
    put(start + 1u, 1u, c1.y);
    put(start + 2u, 1u, c1.z);
    put(start + 3u, 1u, c1.w);
  }
}
