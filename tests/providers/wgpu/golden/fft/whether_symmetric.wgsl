struct P { zero: u32, points: u32, n0: u32, n1: u32, m0: u32, m1: u32 }
@group(1) @binding(0) var<uniform> p: P;
alias V = vec2<f32>;
@group(0) @binding(0) var<storage, read> x: array<V>;
@group(0) @binding(1) var<storage, read_write> flag: array<atomic<u32>>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let at = (wg.y * groups.x + wg.x) * 64u + t;
  if (at >= p.points) { return; }
  var rest = at;
  var one = 0u;
  var other = 0u;
  var step = 1u;
  var kept = true;
  var kept_other = true;
  let c0 = rest % p.n0;
  rest = rest / p.n0;
  let d0 = select(p.n0 - c0, 0u, c0 == 0u);
  kept = kept && c0 < p.m0;
  kept_other = kept_other && d0 < p.m0;
  one += c0 * step;
  other += d0 * step;
  step *= p.m0;
  let c1 = rest % p.n1;
  rest = rest / p.n1;
  let d1 = c1;
  kept = kept && c1 < p.m1;
  kept_other = kept_other && d1 < p.m1;
  one += c1 * step;
  other += d1 * step;
  step *= p.m1;
  var a = V(f32(0));
  var b = V(f32(0));
  if (kept) { a = x[one]; }
  if (kept_other) { b = x[other]; }
  if (!(a.x == b.x && a.y == -b.y)) { atomicOr(&flag[0], 1u); }
}
