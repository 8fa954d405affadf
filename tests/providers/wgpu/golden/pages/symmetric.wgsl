struct P { zero: u32, ld: u32, j: u32, b: u32, r0: u32, r1: u32, q0: u32, q1: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> v: array<f32>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;
fn finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
var<workgroup> w: array<f32, 1024>;
var<workgroup> kept: array<f32, 1024>;
var<workgroup> moving: atomic<u32>;
var<workgroup> again: u32;
var<workgroup> parts: array<f32, 64>;
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
  let base = q * 128u;
  let n = p.q0;
  let rows = p.ld;
  var most = f32(0);
  for (var e = lane; e < rows * n; e += 8u) {
    let row = e % rows;
    let column = e / rows;
    var one = select(f32(0), f32(1), row - n == column);
    if (row < n) {
      one = a[(page * n + column) * n + row];
      most = max(most, abs(one));
      if (!(finite(one) && one == a[(page * n + row) * n + column])) { atomicOr(&status[0], 1u); }
    }
    w[base + e] = one;
  }
  parts[t] = most;
  workgroupBarrier();
  for (var i = 0u; i < 8u; i++) { most = max(most, parts[q * 8u + i]); }
  let limit = most * f32(2.9802322387695312e-08);
  let players = n + (n & 1u) - 1u;
  let pairs = (n + 1u) / 2u;
  var turned = false;
  for (var sweep = 0u; sweep < 16u; sweep++) {
    turned = false;
    for (var round = 0u; round < players; round++) {
      for (var g = lane; g < pairs; g += 8u) {
        let lower = select((round + g) % players, players, g == 0u);
        let upper = (round + players - g) % players;
        let one = min(lower, upper);
        let other = max(lower, upper);
        var xx = f32(0);
        var yy = f32(0);
        var xy = f32(0);
        if (other < n) {
          xx = w[base + one * rows + one];
          yy = w[base + other * rows + other];
          xy = w[base + other * rows + one];
        }
        var tangent = f32(0);
        var s = f32(0);
        var h = f32(0);
        if (abs(xy) > limit) {
          let z = (yy - xx) / (2 * xy);
          tangent = 1 / (abs(z) + sqrt(1 + z * z));
          if (abs(z) > f32(1e8)) { tangent = f32(0.5) / abs(z); }
          if (z < 0) { tangent = -tangent; }
          let c = 1 / sqrt(1 + tangent * tangent);
          s = c * tangent;
          h = s / (1 + c);
          turned = true;
          atomicOr(&moving, 1u);
        }
        let at = (q * 32u + g) * 4u;
        kept[at] = s;
        kept[at + 1u] = h;
        kept[at + 2u] = xx - tangent * xy;
        kept[at + 3u] = yy + tangent * xy;
      }
      workgroupBarrier();
      for (var e = lane; e < pairs * rows; e += 8u) {
        let g = e / rows;
        let i = e % rows;
        let lower = select((round + g) % players, players, g == 0u);
        let upper = (round + players - g) % players;
        let one = min(lower, upper);
        let other = max(lower, upper);
        let at = (q * 32u + g) * 4u;
        let s = kept[at];
        let h = kept[at + 1u];
        if (other < n && s != 0) {
          let u = w[base + one * rows + i];
          let v = w[base + other * rows + i];
          w[base + one * rows + i] = u - s * (v + h * u);
          w[base + other * rows + i] = v + s * (u - h * v);
        }
      }
      workgroupBarrier();
      for (var e = lane; e < pairs * n; e += 8u) {
        let g = e % pairs;
        let j = e / pairs;
        let lower = select((round + g) % players, players, g == 0u);
        let upper = (round + players - g) % players;
        let one = min(lower, upper);
        let other = max(lower, upper);
        let at = (q * 32u + g) * 4u;
        let s = kept[at];
        let h = kept[at + 1u];
        if (other < n && s != 0) {
          let u = w[base + j * rows + one];
          let v = w[base + j * rows + other];
          var low = u - s * (v + h * u);
          var high = v + s * (u - h * v);
          if (j == one) {
            low = kept[at + 2u];
            high = f32(0);
          } else if (j == other) {
            low = f32(0);
            high = kept[at + 3u];
          }
          w[base + j * rows + one] = low;
          w[base + j * rows + other] = high;
        }
      }
      workgroupBarrier();
    }
    workgroupBarrier();
    if (t == 0u) {
      again = atomicLoad(&moving);
      atomicStore(&moving, 0u);
    }
    if (workgroupUniformLoad(&again) == 0u) { break; }
  }
  if (turned) { atomicOr(&status[0], 1u); }
  if (inside) {
    for (var c = lane; c < n; c += 8u) {
      let own = w[base + c * rows + c];
      var place = 0u;
      for (var i = 0u; i < n; i++) {
        let one = w[base + i * rows + i];
        if (one < own || (one == own && i < c)) { place++; }
      }
      if (!finite(own)) { atomicOr(&status[0], 1u); }
      place = min(place, n - 1u);
      for (var i = 0u; i < n; i++) {
        v[(page * n + place) * n + i] = w[base + c * rows + n + i];
        d[(page * n + place) * n + i] = select(f32(0), own, i == place);
      }
    }
  }
}
