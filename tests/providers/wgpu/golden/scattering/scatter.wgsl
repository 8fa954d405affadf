struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> places: array<i32>;
@group(0) @binding(1) var<storage, read_write> winners: array<atomic<u32>>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  if (k < p.m) {
    let place = u32(places[k]);
    if (place < p.n) { atomicMax(&winners[place], k + 1u); }
  }
}

struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> v: array<u32>;
@group(0) @binding(2) var<storage, read> winners: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  if (k < p.n) {
    let winner = winners[k];
    var one = x[k];
    if (winner > 0u) { one = v[select(0u, winner - 1u, p.kept == 1u)]; }
    y[k] = one;
  }
}
