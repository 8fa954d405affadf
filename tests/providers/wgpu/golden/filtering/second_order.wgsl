struct P {
  zero: u32, first: u32, last: u32, lines: u32,
  inner: u32, n: u32, nb: u32, na: u32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> b: array<f32>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
// coefficients for a leading denominator of one
fn above(k: u32) -> f32 {
  if (k >= p.nb) { return f32(0); }
  return b[min(k, p.nb - 1u)] / a[0];
}
fn below(k: u32) -> f32 {
  if (k >= p.na) { return f32(0); }
  return a[k] / a[0];
}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let line = (wg.y * groups.x + wg.x) * 64u + t;
  if (line >= p.lines) { return; }
  let b0 = above(0u);
  let b1 = above(1u);
  let b2 = above(2u);
  let a1 = below(1u);
  let a2 = below(2u);
  var z0 = f32(0);
  var z1 = f32(0);
  let row = line / p.inner;
  let start = row * p.inner * p.n + (line - row * p.inner);
  for (var k = p.first; k < p.last; k++) {
    let at = start + k * p.inner;
    let v = x[at];
    let r = b0 * v + z0;
    z0 = (z1 + b1 * v) - a1 * r;
    z1 = (b2 * v) - a2 * r;
    y[at] = r;
  }
}
