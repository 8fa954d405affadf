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
@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>>;
fn number(e: i32) -> i32 { return i32(e); }
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  if (k < p.n) {
    let e = number(x[k]);
    var key = 0u;
    if (e >= i32(1) && e <= i32(p.m) && true) {
      key = u32(e) - 1u;
    } else {
      atomicOr(&status[0], 1u);
    }
    keys[k] = key;
  }
}

struct P {
  zero: u32, n: u32, tiles: u32, slices: u32,
  // elements between neighbours of a slice, where they are read and written
  from_: u32, to: u32,
  // the lowest bit of the digit, and whether elements have not moved yet
  bit: u32, first: u32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
var<workgroup> found: array<atomic<u32>, 32>;
fn key(e: u32, high: bool) -> u32 { return e; }
fn key_of(e: u32, high: bool) -> u32 { return key(e, high); }
fn digit(e: u32) -> u32 {
  return (key_of(e, p.bit >= 32u) >> (p.bit & 31u)) & 15u;
}
// where element k of a slice lies, whose neighbours are so far apart
fn place(slice: u32, k: u32, apart: u32) -> u32 {
  let row = slice / apart;
  return row * apart * p.n + (slice - row * apart) + k * apart;
}
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let slice = g / p.tiles;
  if (slice >= p.slices) { return; }
  let tile = g - slice * p.tiles;
  for (var j = t; j < 32u; j += 256u) { atomicStore(&found[j], 0u); }
  workgroupBarrier();
  let k0 = tile * 2048u + 0u + t;
  let d0 = digit(x[place(slice, min(k0, p.n - 1u), p.from_)]);
  let k1 = tile * 2048u + 256u + t;
  let d1 = digit(x[place(slice, min(k1, p.n - 1u), p.from_)]);
  let k2 = tile * 2048u + 512u + t;
  let d2 = digit(x[place(slice, min(k2, p.n - 1u), p.from_)]);
  let k3 = tile * 2048u + 768u + t;
  let d3 = digit(x[place(slice, min(k3, p.n - 1u), p.from_)]);
  let k4 = tile * 2048u + 1024u + t;
  let d4 = digit(x[place(slice, min(k4, p.n - 1u), p.from_)]);
  let k5 = tile * 2048u + 1280u + t;
  let d5 = digit(x[place(slice, min(k5, p.n - 1u), p.from_)]);
  let k6 = tile * 2048u + 1536u + t;
  let d6 = digit(x[place(slice, min(k6, p.n - 1u), p.from_)]);
  let k7 = tile * 2048u + 1792u + t;
  let d7 = digit(x[place(slice, min(k7, p.n - 1u), p.from_)]);
  if (k0 < p.n) { atomicAdd(&found[d0 * 2u + (t & 1u)], 1u); }
  if (k1 < p.n) { atomicAdd(&found[d1 * 2u + (t & 1u)], 1u); }
  if (k2 < p.n) { atomicAdd(&found[d2 * 2u + (t & 1u)], 1u); }
  if (k3 < p.n) { atomicAdd(&found[d3 * 2u + (t & 1u)], 1u); }
  if (k4 < p.n) { atomicAdd(&found[d4 * 2u + (t & 1u)], 1u); }
  if (k5 < p.n) { atomicAdd(&found[d5 * 2u + (t & 1u)], 1u); }
  if (k6 < p.n) { atomicAdd(&found[d6 * 2u + (t & 1u)], 1u); }
  if (k7 < p.n) { atomicAdd(&found[d7 * 2u + (t & 1u)], 1u); }
  workgroupBarrier();
  for (var d = t; d < 16u; d += 256u) {
    var sum = 0u;
    for (var j = 0u; j < 2u; j++) { sum += atomicLoad(&found[d * 2u + j]); }
    counts[(slice * 16u + d) * p.tiles + tile] = sum;
  }
}

struct P {
  zero: u32, n: u32, tiles: u32, slices: u32,
  // elements between neighbours of a slice, where they are read and written
  from_: u32, to: u32,
  // the lowest bit of the digit, and whether elements have not moved yet
  bit: u32, first: u32,
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
  let end = g * p.tiles + p.tiles - 1u;
  var before = 0u;
  for (var start = 0u; start < p.tiles; start += 1024u) {
    let at = start + t * 4u;
    let row = g * p.tiles + at;
    let own0 = select(0u, counts[min(row + 0u, end)], at + 0u < p.tiles);
    let own1 = select(0u, counts[min(row + 1u, end)], at + 1u < p.tiles);
    let own2 = select(0u, counts[min(row + 2u, end)], at + 2u < p.tiles);
    let own3 = select(0u, counts[min(row + 3u, end)], at + 3u < p.tiles);
    let sum = own0 + own1 + own2 + own3;
    let upto = summed(t, sum);
    var next = before + upto - sum;
    if (at + 0u < p.tiles) { counts[row + 0u] = next; }
    next += own0;
    if (at + 1u < p.tiles) { counts[row + 1u] = next; }
    next += own1;
    if (at + 2u < p.tiles) { counts[row + 2u] = next; }
    next += own2;
    if (at + 3u < p.tiles) { counts[row + 3u] = next; }
    next += own3;
    before += sums[255];
    workgroupBarrier();
  }
  if (t == 0u) { totals[g] = before; }
}

struct P {
  zero: u32, n: u32, tiles: u32, slices: u32,
  // elements between neighbours of a slice, where they are read and written
  from_: u32, to: u32,
  // the lowest bit of the digit, and whether elements have not moved yet
  bit: u32, first: u32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read> totals: array<u32>;
@group(0) @binding(4) var<storage, read_write> y: array<u32>;
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
var<workgroup> starts: array<u32, 16>;
var<workgroup> few: array<u32, 16>;
// counts of digits d and d + 8 of each thread, in the halves of a word
var<workgroup> columns: array<u32, 2048>;
// of each digit: how far its elements move from where they are in the sorted tile
var<workgroup> lower: array<u32, 16>;
fn key(e: u32, high: bool) -> u32 { return e; }
fn key_of(e: u32, high: bool) -> u32 { return key(e, high); }
fn digit(e: u32) -> u32 {
  return (key_of(e, p.bit >= 32u) >> (p.bit & 31u)) & 15u;
}
// where element k of a slice lies, whose neighbours are so far apart
fn place(slice: u32, k: u32, apart: u32) -> u32 {
  let row = slice / apart;
  return row * apart * p.n + (slice - row * apart) + k * apart;
}
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
  let e0 = (t * 8u + 0u);
  let from0 = min(start + e0, p.n - 1u);
  let x0 = x[place(slice, from0, p.from_)];
  var n0 = from0;
  if (p.first == 0u) { n0 = numbers[base + from0]; }
  let e1 = (t * 8u + 1u);
  let from1 = min(start + e1, p.n - 1u);
  let x1 = x[place(slice, from1, p.from_)];
  var n1 = from1;
  if (p.first == 0u) { n1 = numbers[base + from1]; }
  let e2 = (t * 8u + 2u);
  let from2 = min(start + e2, p.n - 1u);
  let x2 = x[place(slice, from2, p.from_)];
  var n2 = from2;
  if (p.first == 0u) { n2 = numbers[base + from2]; }
  let e3 = (t * 8u + 3u);
  let from3 = min(start + e3, p.n - 1u);
  let x3 = x[place(slice, from3, p.from_)];
  var n3 = from3;
  if (p.first == 0u) { n3 = numbers[base + from3]; }
  let e4 = (t * 8u + 4u);
  let from4 = min(start + e4, p.n - 1u);
  let x4 = x[place(slice, from4, p.from_)];
  var n4 = from4;
  if (p.first == 0u) { n4 = numbers[base + from4]; }
  let e5 = (t * 8u + 5u);
  let from5 = min(start + e5, p.n - 1u);
  let x5 = x[place(slice, from5, p.from_)];
  var n5 = from5;
  if (p.first == 0u) { n5 = numbers[base + from5]; }
  let e6 = (t * 8u + 6u);
  let from6 = min(start + e6, p.n - 1u);
  let x6 = x[place(slice, from6, p.from_)];
  var n6 = from6;
  if (p.first == 0u) { n6 = numbers[base + from6]; }
  let e7 = (t * 8u + 7u);
  let from7 = min(start + e7, p.n - 1u);
  let x7 = x[place(slice, from7, p.from_)];
  var n7 = from7;
  if (p.first == 0u) { n7 = numbers[base + from7]; }
  var r0 = 0u;
  let d0 = select(15u, digit(x0), e0 < size);
  var r1 = 0u;
  let d1 = select(15u, digit(x1), e1 < size);
  var r2 = 0u;
  let d2 = select(15u, digit(x2), e2 < size);
  var r3 = 0u;
  let d3 = select(15u, digit(x3), e3 < size);
  var r4 = 0u;
  let d4 = select(15u, digit(x4), e4 < size);
  var r5 = 0u;
  let d5 = select(15u, digit(x5), e5 < size);
  var r6 = 0u;
  let d6 = select(15u, digit(x6), e6 < size);
  var r7 = 0u;
  let d7 = select(15u, digit(x7), e7 < size);
  columns[0u + t] = 0u;
  columns[256u + t] = 0u;
  columns[512u + t] = 0u;
  columns[768u + t] = 0u;
  columns[1024u + t] = 0u;
  columns[1280u + t] = 0u;
  columns[1536u + t] = 0u;
  columns[1792u + t] = 0u;
  let c0 = (d0 & 7u) * 256u + t;
  let h0 = (d0 >> 3u) * 16u;
  r0 = (columns[c0] >> h0) & 0xffffu;
  columns[c0] += 1u << h0;
  let c1 = (d1 & 7u) * 256u + t;
  let h1 = (d1 >> 3u) * 16u;
  r1 = (columns[c1] >> h1) & 0xffffu;
  columns[c1] += 1u << h1;
  let c2 = (d2 & 7u) * 256u + t;
  let h2 = (d2 >> 3u) * 16u;
  r2 = (columns[c2] >> h2) & 0xffffu;
  columns[c2] += 1u << h2;
  let c3 = (d3 & 7u) * 256u + t;
  let h3 = (d3 >> 3u) * 16u;
  r3 = (columns[c3] >> h3) & 0xffffu;
  columns[c3] += 1u << h3;
  let c4 = (d4 & 7u) * 256u + t;
  let h4 = (d4 >> 3u) * 16u;
  r4 = (columns[c4] >> h4) & 0xffffu;
  columns[c4] += 1u << h4;
  let c5 = (d5 & 7u) * 256u + t;
  let h5 = (d5 >> 3u) * 16u;
  r5 = (columns[c5] >> h5) & 0xffffu;
  columns[c5] += 1u << h5;
  let c6 = (d6 & 7u) * 256u + t;
  let h6 = (d6 >> 3u) * 16u;
  r6 = (columns[c6] >> h6) & 0xffffu;
  columns[c6] += 1u << h6;
  let c7 = (d7 & 7u) * 256u + t;
  let h7 = (d7 >> 3u) * 16u;
  r7 = (columns[c7] >> h7) & 0xffffu;
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
  if (t < 16u) { starts[t] = (columns[(t & 7u) * 256u] >> ((t >> 3u) * 16u)) & 0xffffu; }
  r0 += (columns[c0] >> h0) & 0xffffu;
  r1 += (columns[c1] >> h1) & 0xffffu;
  r2 += (columns[c2] >> h2) & 0xffffu;
  r3 += (columns[c3] >> h3) & 0xffffu;
  r4 += (columns[c4] >> h4) & 0xffffu;
  r5 += (columns[c5] >> h5) & 0xffffu;
  r6 += (columns[c6] >> h6) & 0xffffu;
  r7 += (columns[c7] >> h7) & 0xffffu;
  workgroupBarrier();
  let mine = t;
  var total = 0u;
  if (mine < 16u) { total = totals[slice * 16u + mine]; }
  if (t < 16u) { few[t] = total; }
  workgroupBarrier();
  var under = 0u;
  for (var k = 0u; k < min(t, 16u); k++) { under += few[k]; }
  if (mine < 16u) {
    lower[mine] = counts[(slice * 16u + mine) * p.tiles + tile] + under - starts[mine];
  }
  columns[r0] = x0;
  columns[r1] = x1;
  columns[r2] = x2;
  columns[r3] = x3;
  columns[r4] = x4;
  columns[r5] = x5;
  columns[r6] = x6;
  columns[r7] = x7;
  workgroupBarrier();
  let low0 = columns[0u + t];
  let low1 = columns[256u + t];
  let low2 = columns[512u + t];
  let low3 = columns[768u + t];
  let low4 = columns[1024u + t];
  let low5 = columns[1280u + t];
  let low6 = columns[1536u + t];
  let low7 = columns[1792u + t];
  workgroupBarrier();
  let k0 = 0u + t;
  let y0 = low0;
  let to0 = k0 + lower[digit(y0)];
  if (k0 < size) { y[place(slice, to0, p.to)] = y0; }
  let k1 = 256u + t;
  let y1 = low1;
  let to1 = k1 + lower[digit(y1)];
  if (k1 < size) { y[place(slice, to1, p.to)] = y1; }
  let k2 = 512u + t;
  let y2 = low2;
  let to2 = k2 + lower[digit(y2)];
  if (k2 < size) { y[place(slice, to2, p.to)] = y2; }
  let k3 = 768u + t;
  let y3 = low3;
  let to3 = k3 + lower[digit(y3)];
  if (k3 < size) { y[place(slice, to3, p.to)] = y3; }
  let k4 = 1024u + t;
  let y4 = low4;
  let to4 = k4 + lower[digit(y4)];
  if (k4 < size) { y[place(slice, to4, p.to)] = y4; }
  let k5 = 1280u + t;
  let y5 = low5;
  let to5 = k5 + lower[digit(y5)];
  if (k5 < size) { y[place(slice, to5, p.to)] = y5; }
  let k6 = 1536u + t;
  let y6 = low6;
  let to6 = k6 + lower[digit(y6)];
  if (k6 < size) { y[place(slice, to6, p.to)] = y6; }
  let k7 = 1792u + t;
  let y7 = low7;
  let to7 = k7 + lower[digit(y7)];
  if (k7 < size) { y[place(slice, to7, p.to)] = y7; }
  columns[r0] = n0;
  columns[r1] = n1;
  columns[r2] = n2;
  columns[r3] = n3;
  columns[r4] = n4;
  columns[r5] = n5;
  columns[r6] = n6;
  columns[r7] = n7;
  workgroupBarrier();
  let number0 = columns[0u + t];
  let number1 = columns[256u + t];
  let number2 = columns[512u + t];
  let number3 = columns[768u + t];
  let number4 = columns[1024u + t];
  let number5 = columns[1280u + t];
  let number6 = columns[1536u + t];
  let number7 = columns[1792u + t];
  workgroupBarrier();
  if (k0 < size) { numbers_out[base + to0] = number0; }
  if (k1 < size) { numbers_out[base + to1] = number1; }
  if (k2 < size) { numbers_out[base + to2] = number2; }
  if (k3 < size) { numbers_out[base + to3] = number3; }
  if (k4 < size) { numbers_out[base + to4] = number4; }
  if (k5 < size) { numbers_out[base + to5] = number5; }
  if (k6 < size) { numbers_out[base + to6] = number6; }
  if (k7 < size) { numbers_out[base + to7] = number7; }
}

struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<storage, read_write> next_keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> next_values: array<f32>;
fn isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
fn combine(a: f32, b: f32) -> f32 { return select(select(b, a, a > b || isnan(b)), b, isnan(a)); }
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
        next_values[2u * g + 1u] = one;
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
fn isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
fn combine(a: f32, b: f32) -> f32 { return select(select(b, a, a > b || isnan(b)), b, isnan(a)); }
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
        next_values[2u * g + 1u] = one;
      }
    } else {
      next_keys[2u * g + 1u] = key;
      next_values[2u * g + 1u] = one;
    }
  }
}
