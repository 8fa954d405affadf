struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  if (k < p.n) { y[k] = f32(0); }
}

struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> x: array<f64>;
@group(0) @binding(1) var<storage, read_write> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>>;
fn number(e: f64) -> f64 { return f64(e); }
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  if (k < p.n) {
    let e = number(x[k]);
    var key = 0u;
    if (e >= f64(1) && e <= f64(p.m) && floor(e) == e) {
      key = u32(e) - 1u;
    } else {
      atomicOr(&status[0], 1u);
    }
    keys[k] = key;
  }
}

struct P {
  zero: u32, n: u32, tiles: u32, slices: u32,
  inner: u32, shift: u32, first: u32, word: u32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
// several counters for a digit, so that fewer threads meet at one
var<workgroup> found: array<atomic<u32>, 128>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let slice = g / p.tiles;
  if (slice >= p.slices) { return; }
  let tile = g - slice * p.tiles;
  for (var j = t; j < 128u; j += 256u) { atomicStore(&found[j], 0u); }
  workgroupBarrier();
  for (var j = 0u; j < 8u; j++) {
    let k = tile * 2048u + j * 256u + t;
    if (k < p.n) {
      let digit = (keys[slice * p.n + k] >> p.shift) & 15u;
      atomicAdd(&found[digit * 8u + (t & 7u)], 1u);
    }
  }
  workgroupBarrier();
  if (t < 16u) {
    var sum = 0u;
    for (var j = 0u; j < 8u; j++) { sum += atomicLoad(&found[t * 8u + j]); }
    counts[(slice * 16u + t) * p.tiles + tile] = sum;
  }
}

struct P {
  zero: u32, n: u32, tiles: u32, slices: u32,
  inner: u32, shift: u32, first: u32, word: u32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read_write> counts: array<u32>;
@group(0) @binding(1) var<storage, read_write> totals: array<u32>;
var<workgroup> sums: array<u32, 256>;
fn summed(t: u32, own: u32) -> u32 {
  var value = own;
  sums[t] = value;
  workgroupBarrier();
  if (t >= 1u) { value += sums[t - 1u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 2u) { value += sums[t - 2u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 4u) { value += sums[t - 4u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 8u) { value += sums[t - 8u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 16u) { value += sums[t - 16u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 32u) { value += sums[t - 32u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 64u) { value += sums[t - 64u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 128u) { value += sums[t - 128u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  return value;
}
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  if (g >= p.slices * 16u) { return; }
  var before = 0u;
  for (var start = 0u; start < p.tiles; start += 1024u) {
    let at = start + t * 4u;
    let row = g * p.tiles;
    var own = vec4<u32>(0u);
    if (at < p.tiles) { own.x = counts[row + at]; }
    if (at + 1u < p.tiles) { own.y = counts[row + at + 1u]; }
    if (at + 2u < p.tiles) { own.z = counts[row + at + 2u]; }
    if (at + 3u < p.tiles) { own.w = counts[row + at + 3u]; }
    let sum = own.x + own.y + own.z + own.w;
    let upto = summed(t, sum);
    var next = before + upto - sum;
    if (at < p.tiles) { counts[row + at] = next; }
    next += own.x;
    if (at + 1u < p.tiles) { counts[row + at + 1u] = next; }
    next += own.y;
    if (at + 2u < p.tiles) { counts[row + at + 2u] = next; }
    next += own.z;
    if (at + 3u < p.tiles) { counts[row + at + 3u] = next; }
    before += sums[255];
    workgroupBarrier();
  }
  if (t == 0u) { totals[g] = before; }
}

struct P {
  zero: u32, n: u32, tiles: u32, slices: u32,
  inner: u32, shift: u32, first: u32, word: u32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read> totals: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(5) var<storage, read_write> numbers_out: array<u32>;
var<workgroup> sums: array<u32, 256>;
fn summed(t: u32, own: u32) -> u32 {
  var value = own;
  sums[t] = value;
  workgroupBarrier();
  if (t >= 1u) { value += sums[t - 1u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 2u) { value += sums[t - 2u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 4u) { value += sums[t - 4u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 8u) { value += sums[t - 8u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 16u) { value += sums[t - 16u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 32u) { value += sums[t - 32u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 64u) { value += sums[t - 64u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  if (t >= 128u) { value += sums[t - 128u]; }
  workgroupBarrier();
  sums[t] = value;
  workgroupBarrier();
  return value;
}
var<workgroup> tile_keys: array<u32, 2048>;
var<workgroup> tile_numbers: array<u32, 2048>;
// counts of digits d and d + 8 of each thread, in the halves of a word
var<workgroup> columns: array<u32, 2048>;
fn first_of(digit: u32) -> u32 {
  return (columns[(digit & 7u) * 256u] >> ((digit >> 3u) * 16u)) & 0xffffu;
}
fn rank(t: u32, shift: u32, size: u32) {
  columns[0u + t] = 0u;
  columns[256u + t] = 0u;
  columns[512u + t] = 0u;
  columns[768u + t] = 0u;
  columns[1024u + t] = 0u;
  columns[1280u + t] = 0u;
  columns[1536u + t] = 0u;
  columns[1792u + t] = 0u;
  let e0 = t * 8u + 0u;
  let k0 = tile_keys[e0];
  let i0 = tile_numbers[e0];
  let d0 = select(15u, (k0 >> shift) & 15u, e0 < size);
  let c0 = (d0 & 7u) * 256u + t;
  let h0 = (d0 >> 3u) * 16u;
  let e1 = t * 8u + 1u;
  let k1 = tile_keys[e1];
  let i1 = tile_numbers[e1];
  let d1 = select(15u, (k1 >> shift) & 15u, e1 < size);
  let c1 = (d1 & 7u) * 256u + t;
  let h1 = (d1 >> 3u) * 16u;
  let e2 = t * 8u + 2u;
  let k2 = tile_keys[e2];
  let i2 = tile_numbers[e2];
  let d2 = select(15u, (k2 >> shift) & 15u, e2 < size);
  let c2 = (d2 & 7u) * 256u + t;
  let h2 = (d2 >> 3u) * 16u;
  let e3 = t * 8u + 3u;
  let k3 = tile_keys[e3];
  let i3 = tile_numbers[e3];
  let d3 = select(15u, (k3 >> shift) & 15u, e3 < size);
  let c3 = (d3 & 7u) * 256u + t;
  let h3 = (d3 >> 3u) * 16u;
  let e4 = t * 8u + 4u;
  let k4 = tile_keys[e4];
  let i4 = tile_numbers[e4];
  let d4 = select(15u, (k4 >> shift) & 15u, e4 < size);
  let c4 = (d4 & 7u) * 256u + t;
  let h4 = (d4 >> 3u) * 16u;
  let e5 = t * 8u + 5u;
  let k5 = tile_keys[e5];
  let i5 = tile_numbers[e5];
  let d5 = select(15u, (k5 >> shift) & 15u, e5 < size);
  let c5 = (d5 & 7u) * 256u + t;
  let h5 = (d5 >> 3u) * 16u;
  let e6 = t * 8u + 6u;
  let k6 = tile_keys[e6];
  let i6 = tile_numbers[e6];
  let d6 = select(15u, (k6 >> shift) & 15u, e6 < size);
  let c6 = (d6 & 7u) * 256u + t;
  let h6 = (d6 >> 3u) * 16u;
  let e7 = t * 8u + 7u;
  let k7 = tile_keys[e7];
  let i7 = tile_numbers[e7];
  let d7 = select(15u, (k7 >> shift) & 15u, e7 < size);
  let c7 = (d7 & 7u) * 256u + t;
  let h7 = (d7 >> 3u) * 16u;
  let r0 = (columns[c0] >> h0) & 0xffffu;
  columns[c0] += 1u << h0;
  let r1 = (columns[c1] >> h1) & 0xffffu;
  columns[c1] += 1u << h1;
  let r2 = (columns[c2] >> h2) & 0xffffu;
  columns[c2] += 1u << h2;
  let r3 = (columns[c3] >> h3) & 0xffffu;
  columns[c3] += 1u << h3;
  let r4 = (columns[c4] >> h4) & 0xffffu;
  columns[c4] += 1u << h4;
  let r5 = (columns[c5] >> h5) & 0xffffu;
  columns[c5] += 1u << h5;
  let r6 = (columns[c6] >> h6) & 0xffffu;
  columns[c6] += 1u << h6;
  let r7 = (columns[c7] >> h7) & 0xffffu;
  columns[c7] += 1u << h7;
  workgroupBarrier();
  let own = columns[t * 8u + 0u] + columns[t * 8u + 1u] + columns[t * 8u + 2u] + columns[t * 8u + 3u] + columns[t * 8u + 4u] + columns[t * 8u + 5u] + columns[t * 8u + 6u] + columns[t * 8u + 7u];
  let upto = summed(t, own);
  // digits from 8 on come after all of the lower ones
  var next = upto - own + ((sums[255] & 0xffffu) << 16u);
  let own0 = columns[t * 8u + 0u];
  columns[t * 8u + 0u] = next;
  next += own0;
  let own1 = columns[t * 8u + 1u];
  columns[t * 8u + 1u] = next;
  next += own1;
  let own2 = columns[t * 8u + 2u];
  columns[t * 8u + 2u] = next;
  next += own2;
  let own3 = columns[t * 8u + 3u];
  columns[t * 8u + 3u] = next;
  next += own3;
  let own4 = columns[t * 8u + 4u];
  columns[t * 8u + 4u] = next;
  next += own4;
  let own5 = columns[t * 8u + 5u];
  columns[t * 8u + 5u] = next;
  next += own5;
  let own6 = columns[t * 8u + 6u];
  columns[t * 8u + 6u] = next;
  next += own6;
  let own7 = columns[t * 8u + 7u];
  columns[t * 8u + 7u] = next;
  next += own7;
  workgroupBarrier();
  let to0 = ((columns[c0] >> h0) & 0xffffu) + r0;
  tile_keys[to0] = k0;
  tile_numbers[to0] = i0;
  let to1 = ((columns[c1] >> h1) & 0xffffu) + r1;
  tile_keys[to1] = k1;
  tile_numbers[to1] = i1;
  let to2 = ((columns[c2] >> h2) & 0xffffu) + r2;
  tile_keys[to2] = k2;
  tile_numbers[to2] = i2;
  let to3 = ((columns[c3] >> h3) & 0xffffu) + r3;
  tile_keys[to3] = k3;
  tile_numbers[to3] = i3;
  let to4 = ((columns[c4] >> h4) & 0xffffu) + r4;
  tile_keys[to4] = k4;
  tile_numbers[to4] = i4;
  let to5 = ((columns[c5] >> h5) & 0xffffu) + r5;
  tile_keys[to5] = k5;
  tile_numbers[to5] = i5;
  let to6 = ((columns[c6] >> h6) & 0xffffu) + r6;
  tile_keys[to6] = k6;
  tile_numbers[to6] = i6;
  let to7 = ((columns[c7] >> h7) & 0xffffu) + r7;
  tile_keys[to7] = k7;
  tile_numbers[to7] = i7;
  workgroupBarrier();
}
var<workgroup> starts: array<u32, 16>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let slice = g / p.tiles;
  if (slice >= p.slices) { return; }
  let tile = g - slice * p.tiles;
  let base = slice * p.n;
  let start = tile * 2048u;
  let size = min(2048u, p.n - start);
  for (var j = 0u; j < 8u; j++) {
    let e = j * 256u + t;
    if (e < size) {
      tile_keys[e] = keys[base + start + e];
      var number = start + e;
      if (p.first == 0u) { number = numbers[base + start + e]; }
      tile_numbers[e] = number;
    }
  }
  if (t < 16u) {
    var lower = counts[(slice * 16u + t) * p.tiles + tile];
    for (var d = 0u; d < t; d++) { lower += totals[slice * 16u + d]; }
    starts[t] = lower;
  }
  workgroupBarrier();
  rank(t, p.shift, size);
  for (var j = 0u; j < 8u; j++) {
    let e = j * 256u + t;
    if (e < size) {
      let digit = (tile_keys[e] >> p.shift) & 15u;
      let to = base + starts[digit] + e - first_of(digit);
      keys_out[to] = tile_keys[e];
      numbers_out[to] = tile_numbers[e];
    }
  }
}

struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<storage, read_write> next_keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> next_values: array<f32>;
fn combine(a: f32, b: f32) -> f32 { return a + b; }
var<workgroup> held: array<u32, 1024>;
var<workgroup> values: array<f32, 1024>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  if (g >= p.tiles) { return; }
  let start = g * 1024u;
  let size = min(1024u, p.n - start);
  for (var e = t; e < 1024u; e += 256u) {
    let at = start + min(e, size - 1u);
    held[e] = select(0xffffffffu, keys[at], e < size);
    values[e] = x[select(0u, numbers[at], p.m == 1u)];
  }
  workgroupBarrier();
  for (var step = 1u; step < size; step *= 2u) {
    let e0 = 0u + t;
    var w0 = values[e0];
    if (e0 >= step && held[e0 - min(step, e0)] == held[e0]) { w0 = combine(values[e0 - step], w0); }
    let e1 = 256u + t;
    var w1 = values[e1];
    if (e1 >= step && held[e1 - min(step, e1)] == held[e1]) { w1 = combine(values[e1 - step], w1); }
    let e2 = 512u + t;
    var w2 = values[e2];
    if (e2 >= step && held[e2 - min(step, e2)] == held[e2]) { w2 = combine(values[e2 - step], w2); }
    let e3 = 768u + t;
    var w3 = values[e3];
    if (e3 >= step && held[e3 - min(step, e3)] == held[e3]) { w3 = combine(values[e3 - step], w3); }
    workgroupBarrier();
    values[e0] = w0;
    values[e1] = w1;
    values[e2] = w2;
    values[e3] = w3;
    workgroupBarrier();
  }
  for (var e = t; e < size; e += 256u) {
    let key = held[e];
    if (e + 1u < size && held[e + 1u] == key) { continue; }
    let one = values[e];
    let last = key == held[size - 1u];
    if (p.tiles == 1u || !(last || key == held[0])) {
      y[key] = one;
    } else if (key == held[0]) {
      next_keys[2u * g] = key;
      next_values[2u * g] = one;
      if (last) {
        next_keys[2u * g + 1u] = key;
        next_values[2u * g + 1u] = f32(0);
      }
    } else {
      next_keys[2u * g + 1u] = key;
      next_values[2u * g + 1u] = one;
    }
  }
}

struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<storage, read_write> next_keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> next_values: array<f32>;
fn combine(a: f32, b: f32) -> f32 { return a + b; }
var<workgroup> held: array<u32, 1024>;
var<workgroup> values: array<f32, 1024>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  if (g >= p.tiles) { return; }
  let start = g * 1024u;
  let size = min(1024u, p.n - start);
  for (var e = t; e < 1024u; e += 256u) {
    let at = start + min(e, size - 1u);
    held[e] = select(0xffffffffu, keys[at], e < size);
    values[e] = x[at];
  }
  workgroupBarrier();
  for (var step = 1u; step < size; step *= 2u) {
    let e0 = 0u + t;
    var w0 = values[e0];
    if (e0 >= step && held[e0 - min(step, e0)] == held[e0]) { w0 = combine(values[e0 - step], w0); }
    let e1 = 256u + t;
    var w1 = values[e1];
    if (e1 >= step && held[e1 - min(step, e1)] == held[e1]) { w1 = combine(values[e1 - step], w1); }
    let e2 = 512u + t;
    var w2 = values[e2];
    if (e2 >= step && held[e2 - min(step, e2)] == held[e2]) { w2 = combine(values[e2 - step], w2); }
    let e3 = 768u + t;
    var w3 = values[e3];
    if (e3 >= step && held[e3 - min(step, e3)] == held[e3]) { w3 = combine(values[e3 - step], w3); }
    workgroupBarrier();
    values[e0] = w0;
    values[e1] = w1;
    values[e2] = w2;
    values[e3] = w3;
    workgroupBarrier();
  }
  for (var e = t; e < size; e += 256u) {
    let key = held[e];
    if (e + 1u < size && held[e + 1u] == key) { continue; }
    let one = values[e];
    let last = key == held[size - 1u];
    if (p.tiles == 1u || !(last || key == held[0])) {
      y[key] = one;
    } else if (key == held[0]) {
      next_keys[2u * g] = key;
      next_values[2u * g] = one;
      if (last) {
        next_keys[2u * g + 1u] = key;
        next_values[2u * g + 1u] = f32(0);
      }
    } else {
      next_keys[2u * g + 1u] = key;
      next_values[2u * g + 1u] = one;
    }
  }
}
