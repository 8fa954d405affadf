struct P { zero: u32, points: u32, n0: u32, n1: u32 }
@group(1) @binding(0) var<uniform> p: P;
alias V = vec2<f32>;
@group(0) @binding(0) var<storage, read_write> y: array<V>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let at = (wg.y * groups.x + wg.x) * 64u + t;
  if (at >= p.points) { return; }
  var rest = at;
  var other = 0u;
  var step = 1u;
  let c0 = rest % p.n0;
  rest = rest / p.n0;
  other += (select(p.n0 - c0, 0u, c0 == 0u)) * step;
  step *= p.n0;
  let c1 = rest % p.n1;
  rest = rest / p.n1;
  other += (select(p.n1 - c1, 0u, c1 == 0u)) * step;
  step *= p.n1;
  if (other < at) { y[at] = V(y[other].x, -y[other].y); }
  if (other == at) { y[at].y = f32(0); }
}
