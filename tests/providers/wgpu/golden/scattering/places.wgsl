struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> mask: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
fn nonzero(e: u32) -> bool { return e != 0u; }
var<workgroup> found: atomic<u32>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  if (t == 0u) { atomicStore(&found, 0u); }
  workgroupBarrier();
  var own = 0u;
  for (var j = 0u; j < 8u; j++) {
    let e = g * 2048u + j * 256u + t;
    if (e < p.n) { own += select(0u, 1u, nonzero(mask[e])); }
  }
  if (own > 0u) { atomicAdd(&found, own); }
  workgroupBarrier();
  if (t == 0u && g < p.tiles) { counts[g] = atomicLoad(&found); }
}

struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read_write> counts: array<u32>;
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
  let k = g * 256u + t;
  var before = 0u;
  for (var start = 0u; start < p.tiles; start += 2048u) {
    let at = start + t * 8u;
    var own = 0u;
    for (var j = at; j < min(at + 8u, p.tiles); j++) { own += counts[j]; }
    let upto = summed(t, own);
    var next = before + upto - own;
    for (var j = at; j < min(at + 8u, p.tiles); j++) {
      let one = counts[j];
      counts[j] = next;
      next += one;
    }
    before += sums[255];
    workgroupBarrier();
  }
}

struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> mask: array<u32>;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> y0: array<f64>;
fn nonzero(e: u32) -> bool { return e != 0u; }
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
var<workgroup> list: array<u32, 2048>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  let k = g * 256u + t;
  if (g >= p.tiles) { return; }
  let start = g * 2048u;
  for (var j = 0u; j < 8u; j++) {
    let e = j * 256u + t;
    var one = 0u;
    if (start + e < p.n) { one = select(0u, 1u, nonzero(mask[start + e])); }
    list[e] = one;
  }
  workgroupBarrier();
  var own = 0u;
  for (var j = 0u; j < 8u; j++) { own |= list[t * 8u + j] << j; }
  var at = summed(t, countOneBits(own)) - countOneBits(own);
  for (var j = 0u; j < 8u; j++) {
    let e = t * 8u + j;
    let bit = (own >> j) & 1u;
    if (bit == 1u) { list[at] = e; }
    at += bit;
  }
  workgroupBarrier();
  var before = 0u;
  if (p.tiles > 1u) { before = counts[g]; }
  let count = sums[255];
  for (var r = t; r < count; r += 256u) {
    let to = before + r - p.skipped;
    if (to < p.kept) {
      let e = start + list[r];
      y0[to] = f64(e + 1u);
    }
  }
}
