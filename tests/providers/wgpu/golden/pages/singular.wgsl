struct P { zero: u32, ld: u32, j: u32, b: u32, r0: u32, r1: u32, q0: u32, q1: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> u: array<f32>;
@group(0) @binding(2) var<storage, read_write> s: array<f32>;
@group(0) @binding(3) var<storage, read_write> v: array<f32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;
fn finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
var<workgroup> w: array<f32, 2048>;
var<workgroup> parts: array<f32, 32>;
fn near(x: f32) -> f32 {
  let exponent = (bitcast<u32>(x) >> 23u) & 0xffu;
  return bitcast<f32>((254u - min(max(exponent, 1u), 253u)) << 23u);
}
fn inverse(power: f32) -> f32 { return bitcast<f32>((254u << 23u) - bitcast<u32>(power)); }
var<workgroup> lengths: array<f32, 128>;
var<workgroup> moving: atomic<u32>;
var<workgroup> again: u32;
var<workgroup> sums: array<f32, 96>;
var<workgroup> kept: array<f32, 256>;
var<workgroup> diagonals: array<f32, 128>;
fn opaque_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p.zero); }

fn sum_f32(a: f32, b: f32) -> vec2<f32> {
  let sum = opaque_f32(a + b);
  let second = opaque_f32(sum - a);
  return vec2<f32>(sum, opaque_f32(a - opaque_f32(sum - second)) + opaque_f32(b - second));
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
@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let first = p.j + g * 2u;
  if (first >= p.r1) { return; }
  let q = t / 16u;
  let lane = t % 16u;
  let inside = first + q < p.r1;
  let page = min(first + q, p.r1 - 1u);
  let base = q * 1024u;
  var most = f32(0);
  for (var e = lane; e < p.b * p.q0; e += 16u) {
    let one = abs(a[page * p.b * p.q0 + e]);
    most = max(most, one);
    if (!finite(one)) { atomicOr(&status[0], 1u); }
  }
  parts[t] = most;
  workgroupBarrier();
  for (var i = 0u; i < 16u; i++) { most = max(most, parts[q * 16u + i]); }
  let scale = near(most);
  workgroupBarrier();
  let m = p.b;
  let n = p.q0;
  let rows = p.ld;
  let at_page = q * 64u;
  for (var column = lane; column < n; column += 16u) {
    var sum = f32(0);
    for (var row = 0u; row < m; row++) {
      let one = a[page * m * n + select(column * m + row, row * n + column, p.r0 == 1u)] * scale;
      sum += one * one;
    }
    lengths[at_page + column] = sqrt(sum);
  }
  workgroupBarrier();
  for (var c = lane; c < n; c += 16u) {
      let own = lengths[at_page + c];
      var place = 0u;
      for (var i = 0u; i < n; i++) {
        let one = lengths[at_page + i];
        if (one > own || (one == own && i < c)) { place++; }
      }
    kept[at_page + c] = f32(place);
  }
  workgroupBarrier();
  for (var e = lane; e < m * n; e += 16u) {
    let row = e % m;
    let column = e / m;
    w[base + u32(kept[at_page + column]) * rows + row] = a[page * m * n + select(column * m + row, row * n + column, p.r0 == 1u)] * scale;
  }
  workgroupBarrier();
  let players = n + (n & 1u) - 1u;
  let pairs = (n + 1u) / 2u;
  var squares = f32(0);
  for (var e = lane; e < m * n; e += 16u) {
    let one = a[page * m * n + e] * scale;
    squares += one * one;
  }
  parts[t] = squares;
  workgroupBarrier();
  squares = f32(0);
  for (var i = 0u; i < 16u; i++) { squares += parts[q * 16u + i]; }
  let small = f32(1.1920928955078125e-07) * sqrt(squares) / f32(n);
  for (var j = 0u; j < n; j++) {
    let line = base + j * rows;
    var below = f32(0);
    for (var i = j + 1u; i < m; i++) { below += w[line + i] * w[line + i]; }
    let made = reflection(w[line + j], below);
    if (lane == 0u) { diagonals[at_page + j] = made.diagonal; }
    for (var c = j + 1u + lane; c < n; c += 16u) {
      let column = base + c * rows;
      let own = w[column + j];
      var dot = f32(0);
      for (var i = j + 1u; i < m; i++) { dot += w[line + i] * w[column + i]; }
      let share = made.scale * (made.lead * own + dot);
      for (var i = j + 1u; i < m; i++) { w[column + i] -= w[line + i] * share; }
      w[column + j] = own - made.lead * share;
    }
    workgroupBarrier();
  }
  for (var e = lane; e < n * n; e += 16u) {
    let row = e % n;
    let column = e / n;
    var one = f32(0);
    let from_ = u32(kept[at_page + row]);
    if (from_ > column) { one = w[base + from_ * rows + column]; }
    if (from_ == column) { one = diagonals[at_page + column]; }
    w[base + column * rows + m + row] = one;
  }
  workgroupBarrier();
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
      let x = base + one * rows + m;
      let y = base + other * rows + m;
      var xx = f32(0);
      var yy = f32(0);
      var xy = f32(0);
      for (var i = part; i < select(0u, n, here); i += 2u) {
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
      let bound = far * max(f32(1.9073486328125e-06) * sqrt(min(xx, yy)), 2 * small * sqrt(f32(n)));
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
        for (var i = part; i < n; i += 2u) {
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
  for (var c = lane; c < n; c += 16u) {
    var sum = f32(0);
    var rest = f32(0);
    for (var i = m; i < m + n; i++) {
      let one = w[base + c * rows + i];
      let both = sum_f32(sum, one * one);
      sum = both.x;
      rest += both.y;
    }
    lengths[at_page + c] = sqrt(sum + rest);
  }
  workgroupBarrier();
  for (var c = lane; c < n; c += 16u) {
      let own = lengths[at_page + c];
      var place = 0u;
      for (var i = 0u; i < n; i++) {
        let one = lengths[at_page + i];
        if (one > own || (one == own && i < c)) { place++; }
      }
    diagonals[at_page + place] = own;
    for (var i = 0u; i < n; i++) {
      let one = w[base + c * rows + m + i];
      w[base + rows * n + 3u * n * n + place * n + i] = select(f32(0), one / own, own > 0);
    }
  }
  workgroupBarrier();
  {
    let from_ = base + rows * n + 3u * n * n;
    let base = from_;
    let m = n;
    let least = f32(2896.3093757400984) * small * f32(n);
  for (var step = 0u; step < 2u * n; step++) {
    let j = step / 2u;
    let line = base + j * m;
    let own = select(0u, m, diagonals[at_page + j] <= least);
    for (var i = lane; i < select(0u, j, own > 0u); i += 16u) {
      var sum = f32(0);
      for (var r = 0u; r < m; r++) { sum += w[base + i * m + r] * w[line + r]; }
      kept[at_page + i] = sum;
    }
    workgroupBarrier();
    for (var r = lane; r < own; r += 16u) {
      var sum = f32(0);
      for (var i = 0u; i < j; i++) { sum += w[base + i * m + r] * kept[at_page + i]; }
      w[line + r] -= sum;
    }
    workgroupBarrier();
    var squared = f32(0);
    for (var r = 0u; r < own; r++) { squared += w[line + r] * w[line + r]; }
    let gone = squared <= f32(0.00034526698300124393);
    workgroupBarrier();
    for (var r = lane; r < own; r += 16u) {
      var across = f32(1);
      for (var i = 0u; i < select(0u, j, gone); i++) {
        across -= w[base + i * m + r] * w[base + i * m + r];
      }
      w[line + r] = select(w[line + r] / sqrt(squared), across, gone);
    }
    workgroupBarrier();
    let axes = select(0u, own, gone);
    var at = 0u;
    var most = f32(0);
    for (var r = 0u; r < axes; r++) {
      if (w[line + r] > most) {
        most = w[line + r];
        at = r;
      }
    }
    workgroupBarrier();
    for (var r = lane; r < axes; r += 16u) {
      var one = select(f32(0), f32(1), r == at);
      for (var i = 0u; i < j; i++) { one -= w[base + i * m + r] * w[base + i * m + at]; }
      w[line + r] = one / sqrt(most);
    }
    workgroupBarrier();
  }
  }
  for (var e = lane; e < n * n; e += 16u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, (w[base + rows * n + 3u * n * n + row * n + k]) * (w[base + rows * n + 3u * n * n + column * n + k]));
      sum = both.x;
      rest += both.y;
    }
    w[base + rows * n + column * 2u * n + row] = (select(f32(0), f32(1), row == column) - sum) - rest;
  }
  workgroupBarrier();
  for (var e = lane; e < n * n; e += 16u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, (w[base + rows * n + 3u * n * n + k * n + row]) * w[base + rows * n + column * 2u * n + k]);
      sum = both.x;
      rest += both.y;
    }
    w[base + rows * n + 2u * n * n + column * n + row] = (w[base + rows * n + 3u * n * n + column * n + row]) + (sum + rest) / 2;
  }
  workgroupBarrier();
  for (var e = lane; e < m * n; e += 16u) {
    let row = e % m;
    let column = e / m;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, a[page * m * n + select(k * m + row, row * n + k, p.r0 == 1u)] * scale * w[base + rows * n + 2u * n * n + column * n + k]);
      sum = both.x;
      rest += both.y;
    }
    w[base + 0u + column * rows + row] = sum + rest;
  }
  workgroupBarrier();
  for (var e = lane; e < n * n; e += 16u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < m; k++) {
      let both = sum_f32(sum, w[base + 0u + row * rows + k] * w[base + 0u + column * rows + k]);
      sum = both.x;
      rest += both.y;
    }
    if (row == column) {
      diagonals[at_page + row] = sum;
      w[base + rows * n + column * 2u * n + row] = rest;
    } else if (row < column) {
      w[base + rows * n + column * 2u * n + row] = sum + rest;
      w[base + rows * n + row * 2u * n + column] = sum + rest;
    }
    w[base + rows * n + n + column * 2u * n + row] = f32(0);
  }
  workgroupBarrier();
  {
    let from_ = base + rows * n;
    let base = from_;
    let rows = 2u * n;
  for (var sweep = 0u; sweep < 6u; sweep++) {
    let limit = small * f32(0.5);
    turned = false;
    for (var round = 0u; round < players; round++) {
      for (var g = lane; g < pairs; g += 16u) {
        let lower = select((round + g) % players, players, g == 0u);
        let upper = (round + players - g) % players;
        let one = min(lower, upper);
        let other = max(lower, upper);
        var xx = f32(0);
        var yy = f32(0);
        var xy = f32(0);
        var own = f32(0);
        var after = f32(0);
        if (other < n) {
          xx = w[base + one * rows + one];
          yy = w[base + other * rows + other];
          xy = w[base + other * rows + one];
          own = diagonals[at_page + one];
          after = diagonals[at_page + other];
        }
        let apart = (after - own) + (yy - xx);
        var tangent = f32(0);
        var s = f32(0);
        var h = f32(0);
        if (abs(xy) > limit * sqrt(max(max(own + xx, after + yy), 0))) {
          let z = apart / (2 * xy);
          tangent = 1 / (abs(z) + sqrt(1 + z * z));
          if (abs(z) > f32(1e8)) { tangent = f32(0.5) / abs(z); }
          if (z < 0) { tangent = -tangent; }
          let c = 1 / sqrt(1 + tangent * tangent);
          s = c * tangent;
          h = s / (1 + c);
          turned = turned || abs(xy) > 32 * limit * sqrt(max(max(own + xx, after + yy), 0));
          atomicOr(&moving, 1u);
        }
        let at = (q * 32u + g) * 4u;
        kept[at] = s;
        kept[at + 1u] = h;
        kept[at + 2u] = xx - tangent * xy;
        kept[at + 3u] = yy + tangent * xy;
      }
      workgroupBarrier();
      for (var e = lane; e < pairs * rows; e += 16u) {
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
          let x = base + one * rows;
          let y = base + other * rows;
          let u = w[x + i];
          let v = w[y + i];
          let whole = u + select(f32(0), f32(1), i == n + one);
          let along = v + select(f32(0), f32(1), i == n + other);
          w[x + i] = u - s * (along + h * whole);
          w[y + i] = v + s * (whole - h * along);
        }
      }
      workgroupBarrier();
      for (var e = lane; e < pairs * n; e += 16u) {
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
          let column = base + j * rows;
          let u = w[column + one];
          let v = w[column + other];
          var low = u - s * (v + h * u);
          var high = v + s * (u - h * v);
          if (j == one) {
            low = kept[at + 2u];
            high = f32(0);
          } else if (j == other) {
            low = f32(0);
            high = kept[at + 3u];
          }
          w[column + one] = low;
          w[column + other] = high;
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
  }
  if (turned) { atomicOr(&status[0], 1u); }
  for (var e = lane; e < n * n; e += 16u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, w[base + rows * n + 2u * n * n + k * n + row] * w[base + rows * n + n + column * 2u * n + k]);
      sum = both.x;
      rest += both.y;
    }
    w[base + rows * n + 3u * n * n + column * n + row] = w[base + rows * n + 2u * n * n + column * n + row] + (sum + rest);
  }
  workgroupBarrier();
  for (var e = lane; e < n * n; e += 16u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, (w[base + rows * n + 3u * n * n + row * n + k]) * (w[base + rows * n + 3u * n * n + column * n + k]));
      sum = both.x;
      rest += both.y;
    }
    w[base + rows * n + column * 2u * n + row] = (select(f32(0), f32(1), row == column) - sum) - rest;
  }
  workgroupBarrier();
  for (var e = lane; e < n * n; e += 16u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, (w[base + rows * n + 3u * n * n + k * n + row]) * w[base + rows * n + column * 2u * n + k]);
      sum = both.x;
      rest += both.y;
    }
    w[base + rows * n + 2u * n * n + column * n + row] = (w[base + rows * n + 3u * n * n + column * n + row]) + (sum + rest) / 2;
  }
  workgroupBarrier();
  for (var e = lane; e < m * n; e += 16u) {
    let row = e % m;
    let column = e / m;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, a[page * m * n + select(k * m + row, row * n + k, p.r0 == 1u)] * scale * w[base + rows * n + 2u * n * n + column * n + k]);
      sum = both.x;
      rest += both.y;
    }
    w[base + 0u + column * rows + row] = sum + rest;
  }
  workgroupBarrier();
  for (var c = lane; c < n; c += 16u) {
    var sum = f32(0);
    var rest = f32(0);
    for (var i = 0u; i < 0u + m; i++) {
      let one = w[base + c * rows + i];
      let both = sum_f32(sum, one * one);
      sum = both.x;
      rest += both.y;
    }
    lengths[at_page + c] = sqrt(sum + rest);
  }
  workgroupBarrier();
  if (inside) {
    for (var c = lane; c < n; c += 16u) {
      let own = lengths[at_page + c];
      var place = 0u;
      for (var i = 0u; i < n; i++) {
        let one = lengths[at_page + i];
        if (one > own || (one == own && i < c)) { place++; }
      }
      if (!finite(own / scale)) { atomicOr(&status[0], 1u); }
      for (var i = 0u; i < m; i++) {
        u[(page * n + place) * m + i] = w[base + c * rows + i];
      }
      for (var i = 0u; i < n; i++) {
        v[(page * n + place) * n + i] = w[base + rows * n + 2u * n * n + c * n + i];
        s[(page * n + place) * n + i] = select(f32(0), own / scale, i == place);
      }
    }
  }
}
struct P { zero: u32, ld: u32, j: u32, b: u32, r0: u32, r1: u32, q0: u32, q1: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read_write> u: array<f32>;
var<workgroup> w: array<f32, 1024>;
var<workgroup> lengths: array<f32, 128>;
var<workgroup> dots: array<f32, 128>;
fn opaque_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p.zero); }

fn sum_f32(a: f32, b: f32) -> vec2<f32> {
  let sum = opaque_f32(a + b);
  let second = opaque_f32(sum - a);
  return vec2<f32>(sum, opaque_f32(a - opaque_f32(sum - second)) + opaque_f32(b - second));
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let first = p.j + g * 2u;
  if (first >= p.r1) { return; }
  let q = t / 32u;
  let lane = t % 32u;
  let inside = first + q < p.r1;
  let page = min(first + q, p.r1 - 1u);
  let base = q * 512u;
  let m = p.ld;
  let n = p.q0;
  let at_page = q * 64u;
  for (var c = lane; c < n; c += 32u) {
    var sum = f32(0);
    for (var i = 0u; i < m; i++) {
      let one = u[(page * n + c) * m + i];
      sum += one * one;
    }
    lengths[at_page + c] = sqrt(sum);
  }
  workgroupBarrier();
  var squares = f32(0);
  for (var c = 0u; c < n; c++) { squares += lengths[at_page + c] * lengths[at_page + c]; }
  // what longer ones lack to orthogonal ones has a square below the precision
  let least = f32(0.00034526698300124393) * sqrt(squares);
  for (var e = lane; e < m * n; e += 32u) {
    let length = lengths[at_page + e / m];
    w[base + e] = select(f32(0), u[page * m * n + e] / length, length > 0);
  }
  workgroupBarrier();
  for (var step = 0u; step < 2u * n; step++) {
    let j = step / 2u;
    let line = base + j * m;
    let own = select(0u, m, lengths[at_page + j] <= least);
    for (var i = lane; i < select(0u, j, own > 0u); i += 32u) {
      var sum = f32(0);
      for (var r = 0u; r < m; r++) { sum += w[base + i * m + r] * w[line + r]; }
      dots[at_page + i] = sum;
    }
    workgroupBarrier();
    for (var r = lane; r < own; r += 32u) {
      var sum = f32(0);
      for (var i = 0u; i < j; i++) { sum += w[base + i * m + r] * dots[at_page + i]; }
      w[line + r] -= sum;
    }
    workgroupBarrier();
    var squared = f32(0);
    for (var r = 0u; r < own; r++) { squared += w[line + r] * w[line + r]; }
    let gone = squared <= f32(0.00034526698300124393);
    workgroupBarrier();
    for (var r = lane; r < own; r += 32u) {
      var across = f32(1);
      for (var i = 0u; i < select(0u, j, gone); i++) {
        across -= w[base + i * m + r] * w[base + i * m + r];
      }
      w[line + r] = select(w[line + r] / sqrt(squared), across, gone);
    }
    workgroupBarrier();
    let axes = select(0u, own, gone);
    var at = 0u;
    var most = f32(0);
    for (var r = 0u; r < axes; r++) {
      if (w[line + r] > most) {
        most = w[line + r];
        at = r;
      }
    }
    workgroupBarrier();
    for (var r = lane; r < axes; r += 32u) {
      var one = select(f32(0), f32(1), r == at);
      for (var i = 0u; i < j; i++) { one -= w[base + i * m + r] * w[base + i * m + at]; }
      w[line + r] = one / sqrt(most);
    }
    workgroupBarrier();
  }
  for (var e = lane; e < n * n; e += 32u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < m; k++) {
      let both = sum_f32(sum, w[base + 0u + row * m + k] * w[base + 0u + column * m + k]);
      sum = both.x;
      rest += both.y;
    }
    let lacking = (select(f32(0), f32(1), row == column) - sum) - rest;
    w[base + m * n + column * n + row] = select(select(f32(0), lacking, row < column), lacking / 2, row == column);
  }
  workgroupBarrier();
  for (var e = lane; e < m * n; e += 32u) {
    let row = e % m;
    let column = e / m;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, w[base + 0u + k * m + row] * w[base + m * n + column * n + k]);
      sum = both.x;
      rest += both.y;
    }
    if (inside) { u[page * m * n + e] = w[base + 0u + column * m + row] + (sum + rest); }
  }
  workgroupBarrier();
}
