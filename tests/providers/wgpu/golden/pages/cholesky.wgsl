struct P { zero: u32, ld: u32, j: u32, b: u32, r0: u32, r1: u32, q0: u32, q1: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> r: array<f32>;
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>>;
fn finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
var<workgroup> w: array<f32, 512>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let first = p.j + g * 8u;
  if (first >= p.r1) { return; }
  let q = t / 8u;
  let lane = t % 8u;
  let inside = first + q < p.r1;
  let page = min(first + q, p.r1 - 1u);
  let base = q * 64u;
  let n = p.ld;
  for (var e = lane; e < n * n; e += 8u) {
    let row = e % n;
    let column = e / n;
    w[base + e] = a[page * n * n + row * n + column];
  }
  workgroupBarrier();
  for (var k = 0u; k < n; k++) {
    let line = base + k * n;
    let pivot = w[line + k];
    if (!(finite(pivot) && pivot > 0)) { atomicOr(&status[0], 1u); }
    let root = sqrt(pivot);
    for (var i = k + 1u + lane; i < n; i += 8u) { w[line + i] /= root; }
    workgroupBarrier();
    let below = n - k - 1u;
    for (var e = lane; e < below * below; e += 8u) {
      let i = k + 1u + e % below;
      let c = k + 1u + e / below;
      if (i >= c) { w[base + c * n + i] -= w[line + i] * w[line + c]; }
    }
    workgroupBarrier();
  }
  if (inside) {
    for (var e = lane; e < n * n; e += 8u) {
      let row = e % n;
      let column = e / n;
      var one = f32(0);
      if (row > column) { one = w[base + e]; }
      if (row == column) { one = sqrt(w[base + e]); }
      r[page * n * n + row * n + column] = one;
    }
  }
}
