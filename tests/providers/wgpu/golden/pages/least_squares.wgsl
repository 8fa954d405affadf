struct P { zero: u32, ld: u32, j: u32, b: u32, r0: u32, r1: u32, q0: u32, q1: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;
fn finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
var<workgroup> w: array<f32, 768>;
var<workgroup> parts: array<f32, 64>;
fn near(x: f32) -> f32 {
  let exponent = (bitcast<u32>(x) >> 23u) & 0xffu;
  return bitcast<f32>((254u - min(max(exponent, 1u), 253u)) << 23u);
}
fn inverse(power: f32) -> f32 { return bitcast<f32>((254u << 23u) - bitcast<u32>(power)); }
var<workgroup> diagonals: array<f32, 512>;
fn odd(row: u32) -> f32 {
  var h = (row + 1u) * 2654435769u;
  h = (h ^ (h >> 15u)) * 2246822519u;
  h = (h ^ (h >> 13u)) * 3266489917u;
  h ^= h >> 16u;
  let size = f32(0.5) + f32(h >> 9u) / f32(16777216.0);
  return select(size, -size, (h & 1u) == 1u);
}
struct Reflection { lead: f32, scale: f32, diagonal: f32 }
// of a column with `alpha` in its row and squares of sum `below` under it
fn reflection(alpha: f32, below: f32) -> Reflection {
  let squares = alpha * alpha + below;
  if (below == 0 || squares < f32(8.271806125530277e-25)) { return Reflection(0, 0, alpha); }
  let length = sqrt(squares);
  let diagonal = select(length, -length, alpha >= 0);
  let lead = alpha - diagonal;
  return Reflection(lead, 2 / (lead * lead + below), diagonal);
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
  let base = q * 96u;
  var most = f32(0);
  for (var e = lane; e < p.ld * p.q0; e += 8u) {
    let one = abs(a[(page * (p.r0 & 1u) * p.q0) * p.ld + e]);
    most = max(most, one);
    if (!finite(one)) { atomicOr(&status[0], 1u); }
  }
  parts[t] = most;
  workgroupBarrier();
  for (var i = 0u; i < 8u; i++) { most = max(most, parts[q * 8u + i]); }
  let scale = near(most);
  workgroupBarrier();
  let m = p.ld;
  let n = p.q0;
  let columns = p.q1;
  for (var e = lane; e < m * columns; e += 8u) {
    let row = e % m;
    let column = e / m;
    var one = f32(0);
    if (column < n) {
      one = a[(page * (p.r0 & 1u) * n) * m + e] * scale;
    } else if (column < n + p.b) {
      one = b[(page * ((p.r0 >> 1u) & 1u) * p.b + column - n) * m + row];
    } else {
      one = odd(row);
    }
    if (!finite(one)) { atomicOr(&status[0], 1u); }
    w[base + e] = one;
  }
  workgroupBarrier();
  for (var j = 0u; j < n; j++) {
    let line = base + j * m;
    var below = f32(0);
    for (var i = j + 1u; i < m; i++) {
      let one = w[line + i];
      below += one * one;
    }
    let found = reflection(w[line + j], below);
    if (lane == 0u) { diagonals[q * 64u + j] = found.diagonal; }
    for (var c = j + 1u + lane; c < n + p.b; c += 8u) {
      let column = base + c * m;
      var dot = f32(0);
      for (var i = j + 1u; i < m; i++) { dot += w[line + i] * w[column + i]; }
      let own = w[column + j];
      let share = found.scale * (found.lead * own + dot);
      for (var i = j + 1u; i < m; i++) { w[column + i] -= w[line + i] * share; }
      w[column + j] = own - found.lead * share;
    }
    workgroupBarrier();
  }
  var norm = f32(0);
  for (var c = lane; c < n; c += 8u) {
    var sum = abs(diagonals[q * 64u + c]);
    for (var i = 0u; i < c; i++) { sum += abs(w[base + c * m + i]); }
    norm = max(norm, sum);
  }
  parts[t] = norm;
  workgroupBarrier();
  for (var c = n + lane; c < columns; c += 8u) {
    let column = base + c * m;
    var sum = f32(0);
    for (var step = 1u; step <= n; step++) {
      let k = n - step;
      let one = w[column + k] / diagonals[q * 64u + k];
      w[column + k] = one;
      for (var i = 0u; i < k; i++) { w[column + i] -= w[base + k * m + i] * one; }
      sum += abs(one);
      if (c < n + p.b) {
        if (inside) { x[(page * p.b + c - n) * n + k] = one * scale; }
        if (!finite(one * scale)) { atomicOr(&status[0], 1u); }
      }
    }
    if (c == n + p.b) {
      for (var i = 0u; i < 8u; i++) { norm = max(norm, parts[q * 8u + i]); }
      // host rules take a column for dependent where its pivot is so many times the precision
      let worst = sum * norm * f32(4.76837158203125e-07) * f32(m);
      if (!(finite(worst) && worst < 1)) { atomicOr(&status[0], 1u); }
    }
  }
}
