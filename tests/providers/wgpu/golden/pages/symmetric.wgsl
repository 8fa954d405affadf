struct P { zero: u32, ld: u32, j: u32, b: u32, r0: u32, r1: u32, q0: u32, q1: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> v: array<f32>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;
fn finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
var<workgroup> w: array<f32, 2048>;
var<workgroup> kept: array<f32, 1024>;
var<workgroup> moving: atomic<u32>;
var<workgroup> again: u32;
fn opaque_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p.zero); }

fn sum_f32(a: f32, b: f32) -> vec2<f32> {
  let sum = opaque_f32(a + b);
  let second = opaque_f32(sum - a);
  return vec2<f32>(sum, opaque_f32(a - opaque_f32(sum - second)) + opaque_f32(b - second));
}

var<workgroup> parts: array<f32, 64>;
var<workgroup> diagonals: array<f32, 512>;
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
  let base = q * 256u;
  let n = p.q0;
  let rows = p.ld;
  let at_page = q * 64u;
  var most = f32(0);
  for (var e = lane; e < rows * n; e += 8u) {
    let row = e % rows;
    let column = e / rows;
    var one = f32(0);
    if (row < n) {
      one = a[(page * n + column) * n + row];
      most = max(most, abs(one));
      if (!(finite(one) && one == a[(page * n + row) * n + column])) { atomicOr(&status[0], 1u); }
    }
    if (row == column) {
      diagonals[at_page + row] = one;
      one = f32(0);
    }
    w[base + e] = one;
  }
  parts[t] = most;
  workgroupBarrier();
  for (var i = 0u; i < 8u; i++) { most = max(most, parts[q * 8u + i]); }
  workgroupBarrier();
  var squares = f32(0);
  if (most > 0) {
    for (var e = lane; e < n * n; e += 8u) {
      let one = a[page * n * n + e] / most;
      squares += one * one;
    }
  }
  parts[t] = squares;
  workgroupBarrier();
  squares = f32(0);
  for (var i = 0u; i < 8u; i++) { squares += parts[q * 8u + i]; }
  let small = most * f32(1.1920928955078125e-07) * sqrt(squares) / f32(n);
  let players = n + (n & 1u) - 1u;
  let pairs = (n + 1u) / 2u;
  var turned = false;
  for (var sweep = 0u; sweep < 16u; sweep++) {
    let limit = small * f32(8);
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
        if (abs(xy) > limit) {
          let z = apart / (2 * xy);
          tangent = 1 / (abs(z) + sqrt(1 + z * z));
          if (abs(z) > f32(1e8)) { tangent = f32(0.5) / abs(z); }
          if (z < 0) { tangent = -tangent; }
          let c = 1 / sqrt(1 + tangent * tangent);
          s = c * tangent;
          h = s / (1 + c);
          turned = turned || abs(xy) > 32 * limit;
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
  for (var e = lane; e < n * n; e += 8u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, (w[base + n + row * rows + k] + select(f32(0), f32(1), k == row)) * (w[base + n + column * rows + k] + select(f32(0), f32(1), k == column)));
      sum = both.x;
      rest += both.y;
    }
    w[base + 3u * n * n + column * n + row] = (select(f32(0), f32(1), row == column) - sum) - rest;
  }
  workgroupBarrier();
  for (var e = lane; e < n * n; e += 8u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, (w[base + n + k * rows + row] + select(f32(0), f32(1), row == k)) * w[base + 3u * n * n + column * n + k]);
      sum = both.x;
      rest += both.y;
    }
    w[base + 2u * n * n + column * n + row] = (w[base + n + column * rows + row] + select(f32(0), f32(1), row == column)) + (sum + rest) / 2;
  }
  workgroupBarrier();
  for (var e = lane; e < n * n; e += 8u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, a[(page * n + k) * n + row] * w[base + 2u * n * n + column * n + k]);
      sum = both.x;
      rest += both.y;
    }
    w[base + 3u * n * n + column * n + row] = sum + rest;
  }
  workgroupBarrier();
  for (var e = lane; e < n * n; e += 8u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, w[base + 2u * n * n + row * n + k] * w[base + 3u * n * n + column * n + k]);
      sum = both.x;
      rest += both.y;
    }
    if (row == column) {
      diagonals[at_page + row] = sum;
      w[base + 0u + column * rows + row] = rest;
    } else if (row < column) {
      w[base + 0u + column * rows + row] = sum + rest;
      w[base + 0u + row * rows + column] = sum + rest;
    }
    w[base + n + column * rows + row] = f32(0);
  }
  workgroupBarrier();
  for (var sweep = 0u; sweep < 6u; sweep++) {
    let limit = small * f32(0.5);
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
        if (abs(xy) > limit) {
          let z = apart / (2 * xy);
          tangent = 1 / (abs(z) + sqrt(1 + z * z));
          if (abs(z) > f32(1e8)) { tangent = f32(0.5) / abs(z); }
          if (z < 0) { tangent = -tangent; }
          let c = 1 / sqrt(1 + tangent * tangent);
          s = c * tangent;
          h = s / (1 + c);
          turned = turned || abs(xy) > 32 * limit;
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
  if (turned) { atomicOr(&status[0], 1u); }
  for (var i = lane; i < n; i += 8u) {
    diagonals[at_page + i] += w[base + 0u + i * rows + i];
  }
  workgroupBarrier();
  for (var e = lane; e < n * n; e += 8u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, w[base + 2u * n * n + k * n + row] * w[base + n + column * rows + k]);
      sum = both.x;
      rest += both.y;
    }
    w[base + 3u * n * n + column * n + row] = w[base + 2u * n * n + column * n + row] + (sum + rest);
  }
  workgroupBarrier();
  for (var e = lane; e < n * n; e += 8u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, (w[base + 3u * n * n + row * n + k]) * (w[base + 3u * n * n + column * n + k]));
      sum = both.x;
      rest += both.y;
    }
    w[base + 0u + column * rows + row] = (select(f32(0), f32(1), row == column) - sum) - rest;
  }
  workgroupBarrier();
  for (var e = lane; e < n * n; e += 8u) {
    let row = e % n;
    let column = e / n;
    var sum = f32(0);
    var rest = f32(0);
    for (var k = 0u; k < n; k++) {
      let both = sum_f32(sum, (w[base + 3u * n * n + k * n + row]) * w[base + 0u + column * rows + k]);
      sum = both.x;
      rest += both.y;
    }
    w[base + n + column * rows + row] = (w[base + 3u * n * n + column * n + row]) + (sum + rest) / 2;
  }
  workgroupBarrier();
  if (inside) {
    for (var c = lane; c < n; c += 8u) {
      let own = diagonals[at_page + c];
      var place = 0u;
      for (var i = 0u; i < n; i++) {
        let one = diagonals[at_page + i];
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
