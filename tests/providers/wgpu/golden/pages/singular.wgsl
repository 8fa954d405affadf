struct P { zero: u32, ld: u32, j: u32, b: u32, r0: u32, r1: u32, q0: u32, q1: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> u: array<f32>;
@group(0) @binding(2) var<storage, read_write> s: array<f32>;
@group(0) @binding(3) var<storage, read_write> v: array<f32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;
fn finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
var<workgroup> w: array<f32, 1024>;
var<workgroup> parts: array<f32, 64>;
fn near(x: f32) -> f32 {
  let exponent = (bitcast<u32>(x) >> 23u) & 0xffu;
  return bitcast<f32>((254u - min(max(exponent, 1u), 253u)) << 23u);
}
fn inverse(power: f32) -> f32 { return bitcast<f32>((254u << 23u) - bitcast<u32>(power)); }
var<workgroup> lengths: array<f32, 512>;
var<workgroup> moving: atomic<u32>;
var<workgroup> again: u32;
var<workgroup> sums: array<f32, 192>;
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
  var most = f32(0);
  for (var e = lane; e < p.b * p.q0; e += 8u) {
    let one = abs(a[page * p.b * p.q0 + e]);
    most = max(most, one);
    if (!finite(one)) { atomicOr(&status[0], 1u); }
  }
  parts[t] = most;
  workgroupBarrier();
  for (var i = 0u; i < 8u; i++) { most = max(most, parts[q * 8u + i]); }
  let scale = near(most);
  workgroupBarrier();
  let m = p.b;
  let n = p.q0;
  let rows = p.ld;
  for (var e = lane; e < rows * n; e += 8u) {
    let row = e % rows;
    let column = e / rows;
    var one = select(f32(0), f32(1), row - m == column);
    if (row < m) {
      let at = select(column * m + row, row * n + column, p.r0 == 1u);
      one = a[page * m * n + at] * scale;
    }
    w[base + e] = one;
  }
  workgroupBarrier();
  let players = n + (n & 1u) - 1u;
  let pairs = (n + 1u) / 2u;
  let pair = lane / 2u;
  let part = lane % 2u;
  var turned = false;
  for (var sweep = 0u; sweep < 16u; sweep++) {
    turned = false;
    for (var round = 0u; round < players; round++) {
      let g = pair;
      let lower = select((round + g) % players, players, g == 0u);
      let upper = (round + players - g) % players;
      let one = min(lower, upper);
      let other = max(lower, upper);
      let here = g < pairs && other < n;
      let x = base + one * rows;
      let y = base + other * rows;
      var xx = f32(0);
      var yy = f32(0);
      var xy = f32(0);
      for (var i = part; i < select(0u, m, here); i += 2u) {
        let u = w[x + i];
        let v = w[y + i];
        xx += u * u;
        yy += v * v;
        xy += u * v;
      }
      sums[3u * t] = xx;
      sums[3u * t + 1u] = yy;
      sums[3u * t + 2u] = xy;
      workgroupBarrier();
      xx = f32(0);
      yy = f32(0);
      xy = f32(0);
      for (var i = t - part; i < t - part + 2u; i++) {
        xx += sums[3u * i];
        yy += sums[3u * i + 1u];
        xy += sums[3u * i + 2u];
      }
      let far = sqrt(max(xx, yy));
      let bound = f32(1.1920928955078125e-07) * sqrt(f32(m)) * sqrt(xx) * sqrt(yy);
      if (here && abs(xy) > bound) {
        var tangent = f32(0);
        var s = f32(0);
        var h = f32(0);
        let apart = yy - xx;
        let z = apart / (2 * xy);
        tangent = 1 / (abs(z) + sqrt(1 + z * z));
        if (abs(z) > f32(1e8)) { tangent = f32(0.5) / abs(z); }
        if (z < 0) { tangent = -tangent; }
        let c = 1 / sqrt(1 + tangent * tangent);
        s = c * tangent;
        h = s / (1 + c);
        for (var i = part; i < rows; i += 2u) {
          let u = w[x + i];
          let v = w[y + i];
          w[x + i] = u - s * (v + h * u);
          w[y + i] = v + s * (u - h * v);
        }
        turned = true;
        atomicOr(&moving, 1u);
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
  for (var c = lane; c < n; c += 8u) {
    var sum = f32(0);
    for (var i = 0u; i < m; i++) {
      let one = w[base + c * rows + i];
      sum += one * one;
    }
    lengths[q * 64u + c] = sqrt(sum);
  }
  workgroupBarrier();
  if (inside) {
    for (var c = lane; c < n; c += 8u) {
      let own = lengths[q * 64u + c];
      var place = 0u;
      for (var i = 0u; i < n; i++) {
        let one = lengths[q * 64u + i];
        if (one > own || (one == own && i < c)) { place++; }
      }
      if (!finite(own / scale)) { atomicOr(&status[0], 1u); }
      for (var i = 0u; i < m; i++) {
        u[(page * n + place) * m + i] = w[base + c * rows + i] / own;
      }
      for (var i = 0u; i < n; i++) {
        v[(page * n + place) * n + i] = w[base + c * rows + m + i];
        s[(page * n + place) * n + i] = select(f32(0), own / scale, i == place);
      }
      if (own == 0) { atomicOr(&status[0], 1u); }
    }
  }
}
