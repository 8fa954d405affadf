struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> x: array<f64>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>>;
fn floor_(e: f64) -> f64 { return floor(e); }
fn number(e: f64) -> f64 { return f64(e); }
fn bin(e: f64) -> u32 {
  if (!(e >= f64(1) && e <= f64(p.m) && floor_(e) == e)) {
    atomicOr(&status[0], 1u);
    return 0u;
  }
  return u32(e);
}
var<workgroup> own: array<atomic<u32>, 2048>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  for (var b = t; b < p.rows; b += 256u) { atomicStore(&own[b], 0u); }
  workgroupBarrier();
  let stop = select(p.n, min((g + 1u) * p.kept, p.n), g < p.tiles);
  for (var e = g * p.kept + t; g < p.tiles && e < stop; e += 256u) {
    let one = bin(number(x[e]));
    if (one > 0u) { atomicAdd(&own[one - 1u], 1u); }
  }
  workgroupBarrier();
  for (var b = t; b < p.rows; b += 256u) {
    let one = atomicLoad(&own[b]);
    if (one > 0u) { atomicAdd(&counts[b], one); }
  }
}

struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> counts: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<f64>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  if (k < p.n) { y[k] = f64(counts[k]); }
}
