struct P {
  zero: u32,
  e0: u32,
  parts: u32,
  page: u32,
  e1: u32,
  o1: u32,
  s1_1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> scratch0: array<f64>;
@group(0) @binding(1) var<storage, read_write> b1: array<f64>;
var<workgroup> pile: array<f64, 64>;


fn put(i: u32, j: u32, v: f64) {
  if (i >= p.e0 || j >= p.e1) { return; }
  let at1_1 = p.o1 + i + j * p.s1_1;
  b1[at1_1] = v;
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>, @builtin(local_invocation_index) local_invocation_index: u32) {
  let number = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  let lane = local_invocation_index % 8u;
  let slice = local_invocation_index / 8u;
  let element = number * 8u + lane;
  let i = element % p.e0;
  let j = element / p.e0;
  let at = min(j * p.e0 + i, p.page - 1u);
  var v = f64();
  for (var s = slice; s < p.parts; s += 16u) {
    v += scratch0[s * p.page + at];
  }
  for (var h = 8u; h > 0u; h = h / 2u) {
    if (slice >= h && slice < 2u * h) {
      pile[0u + (slice - h) * 8u + lane] = v;
    }
    workgroupBarrier();
    if (slice < h) {
      v += pile[0u + slice * 8u + lane];
    }
    workgroupBarrier();
  }
  if (slice == 0u) { put(i, j, v); }
}
