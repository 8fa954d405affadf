struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> edges: array<f64>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> bins: array<f64>;
fn number(e: f32) -> f64 { return f64(e); }
fn bin(e: f64) -> u32 {
  let last = edges[p.m - 1u];
  if (!(e >= edges[0] && e <= last)) { return 0u; }
  if (p.skipped == 1u && e == last) { return p.m - 1u; }
  var low = 0u;
  var high = p.m;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (edges[middle] <= e) { low = middle + 1u; } else { high = middle; }
  }
  return low;
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
    bins[e] = f64(one);
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
