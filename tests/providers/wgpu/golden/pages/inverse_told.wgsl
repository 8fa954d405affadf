struct P { zero: u32, ld: u32, j: u32, b: u32, r0: u32, r1: u32, q0: u32, q1: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> told: array<f32>;
fn finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
var<workgroup> w: array<f32, 448>;
var<workgroup> norms: array<f32, 64>;
fn odd(row: u32) -> f32 {
  var h = (row + 1u) * 2654435769u;
  h = (h ^ (h >> 15u)) * 2246822519u;
  h = (h ^ (h >> 13u)) * 3266489917u;
  h ^= h >> 16u;
  let size = f32(0.5) + f32(h >> 9u) / f32(16777216.0);
  return select(size, -size, (h & 1u) == 1u);
}
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
  let base = q * 56u;
  if (lane == 0u) { told[page] = f32(0); }
  storageBarrier();
  workgroupBarrier();
  let n = p.ld;
  let columns = p.q1;
  var norm = f32(0);
  for (var column = lane; column < columns; column += 8u) {
    var sum = f32(0);
    for (var row = 0u; row < n; row++) {
      var one = f32(0);
      if (column < n) {
        one = a[(page * (p.r0 & 1u) * n + column) * n + row];
        sum += abs(one);
      } else if (column < n + p.b) {
        one = select(f32(0), f32(1), row == column - n);
      } else {
        one = odd(row);
      }
      if (!finite(one)) { told[page] = f32(1); }
      w[base + column * n + row] = one;
    }
    norm = max(norm, sum);
  }
  norms[t] = norm;
  workgroupBarrier();
  var odd_times = false;
  for (var k = 0u; k < n; k++) {
    let line = base + k * n;
    var at = k;
    var largest = f32(-1);
    for (var i = k; i < n; i++) {
      let one = abs(w[line + i]);
      if (one > largest) {
        largest = one;
        at = i;
      }
    }
    let pivot = w[line + at];
    let own = w[line + k];
    odd_times = odd_times != (at != k);
    workgroupBarrier();
    for (var i = k + lane; i < n; i += 8u) {
      let one = select(w[line + i], own, i == at);
      w[line + i] = select(select(one / pivot, f32(0), pivot == 0), pivot, i == k);
    }
    for (var c = k + 1u + lane; c < columns; c += 8u) {
      let one = w[base + c * n + k];
      w[base + c * n + k] = w[base + c * n + at];
      w[base + c * n + at] = one;
    }
    workgroupBarrier();
    let below = n - k - 1u;
    for (var e = lane; e < below * (columns - k - 1u); e += 8u) {
      let i = k + 1u + e % below;
      let c = base + (k + 1u + e / below) * n;
      w[c + i] -= w[line + i] * w[c + k];
    }
    workgroupBarrier();
  }
  for (var step = 1u; step <= n; step++) {
    let k = n - step;
    let line = base + k * n;
    let pivot = w[line + k];
    for (var c = n + lane; c < columns; c += 8u) { w[base + c * n + k] /= pivot; }
    workgroupBarrier();
    for (var e = lane; e < k * (columns - n); e += 8u) {
      let i = e % k;
      let c = base + (n + e / k) * n;
      w[c + i] -= w[line + i] * w[c + k];
    }
    workgroupBarrier();
  }
  if (inside) {
    for (var e = lane; e < n * p.b; e += 8u) {
      let one = w[base + n * n + e];
      x[page * n * p.b + e] = one;
      if (!finite(one)) { told[page] = f32(1); }
    }
  }
  if (lane == 0u) {
    var sum = f32(0);
    for (var i = 0u; i < n; i++) { sum += abs(w[base + (n + p.b) * n + i]); }
    for (var i = 1u; i < 8u; i++) { norm = max(norm, norms[t + i]); }
    let worst = sum * norm * f32(4.76837158203125e-07);
    if (!(finite(worst) && worst < 1)) { told[page] = f32(1); }
  }
}
