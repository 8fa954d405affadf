struct P {
  zero: u32, lines: u32, inner: u32, apart: u32, before: u32,
  kept: u32, from_: u32, to_: u32, n: u32, spare: u32, scale: f32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> x: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read> flag: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<vec2<f32>>;
alias V = vec2<f32>;
fn times(a: V, b: V) -> V { return V(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
// exp(-2i*pi*m/n) for m < n <= 2^28
fn turn(m: u32, n: u32) -> V {
  // in eighths of 1/n: a turn is 8n, and each line folds it once
  var u = 8u * m;
  let below = u > 4u * n;
  u = select(u, 8u * n - u, below);
  let left = u > 2u * n;
  u = select(u, 4u * n - u, left);
  let steep = u > n;
  u = select(u, 2u * n - u, steep);
  let a = f32(u) / f32(n);
  let q = a * a;
  let s = a * 0.7853982f + a * ((-2.1855694e-08f) + q * ((-0.08074551f) + q * (0.0024903945f + q * ((-3.6576203e-05f) + q * (3.1336168e-07f)))));
  let c = 1.0f + q * ((-0.30842513f) + q * (0.015854344f + q * ((-0.0003259919f) + q * (3.5908604e-06f + q * ((-2.4611369e-08f))))));
  let x = select(c, s, steep);
  let y = select(s, c, steep);
  return V(select(x, -x, left), select(-y, y, below));
}
fn fetch(line: u32, j: u32) -> V {
  let row = line / p.inner;
  let in_ = line - row * p.inner;
  let outer = row / p.apart;
  let i = row - outer * p.apart;
  let k = i + j * p.apart;
  if (k >= p.kept) { return V(f32(0)); }
  let at = (outer * p.from_ + k) * p.inner + in_;
  var v = x[at];
  v = v.yx;
  return v;
}
fn put(line: u32, j: u32, given: V) {
  let row = line / p.inner;
  let in_ = line - row * p.inner;
  let outer = row / p.apart;
  let i = row - outer * p.apart;
  let low = i % p.before;
  let k = (i - low) * 16u + low + j * p.before;
  let at = (outer * p.to_ + k) * p.inner + in_;
  var v = given * p.scale;
  v = v.yx;
  if (flag[0] == 0u) { v.y = f32(0); }
  y[at] = v;
}
var<workgroup> held: array<V, 32>;
var<workgroup> roots: array<V, 16>;
@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  for (var k = t; k < 16u; k += 32u) { roots[k] = turn(k, 16u); }
  // 4 points of each 4
  let bs0_0 = t + 0u;
  let ls0_0 = bs0_0 / 4u;
  let us0_0 = bs0_0 % 4u;
  var vs0_0_0: V;
  var vs0_0_1: V;
  var vs0_0_2: V;
  var vs0_0_3: V;
  if (bs0_0 < 8u && g * 2u + ls0_0 < p.lines) {
    vs0_0_0 = fetch(g * 2u + ls0_0, us0_0 + 0u);
    vs0_0_1 = fetch(g * 2u + ls0_0, us0_0 + 4u);
    vs0_0_2 = fetch(g * 2u + ls0_0, us0_0 + 8u);
    vs0_0_3 = fetch(g * 2u + ls0_0, us0_0 + 12u);
    let ws0_0_p = vs0_0_0 + vs0_0_2;
    let ws0_0_m = vs0_0_0 - vs0_0_2;
    let ws0_0_q = vs0_0_1 + vs0_0_3;
    let ws0_0_n = vs0_0_1 - vs0_0_3;
    vs0_0_0 = ws0_0_p + ws0_0_q;
    vs0_0_1 = V(ws0_0_m.x + ws0_0_n.y, ws0_0_m.y - ws0_0_n.x);
    vs0_0_2 = ws0_0_p - ws0_0_q;
    vs0_0_3 = V(ws0_0_m.x - ws0_0_n.y, ws0_0_m.y + ws0_0_n.x);
  }
  if (bs0_0 < 8u) {
    let ks0_0o = us0_0 % 1u;
    let os0_0 = (us0_0 - ks0_0o) * 4u + ks0_0o;
    held[(os0_0 + 0u) * 2u + ls0_0] = vs0_0_0;
    held[(os0_0 + 1u) * 2u + ls0_0] = vs0_0_1;
    held[(os0_0 + 2u) * 2u + ls0_0] = vs0_0_2;
    held[(os0_0 + 3u) * 2u + ls0_0] = vs0_0_3;
  }
  workgroupBarrier();
  // 4 points of each 16
  let bs1_0 = t + 0u;
  let ls1_0 = bs1_0 / 4u;
  let us1_0 = bs1_0 % 4u;
  var vs1_0_0: V;
  var vs1_0_1: V;
  var vs1_0_2: V;
  var vs1_0_3: V;
  if (bs1_0 < 8u) {
    let ks1_0 = us1_0 % 4u;
    vs1_0_0 = held[(us1_0 + 0u) * 2u + ls1_0];
    vs1_0_1 = times(held[(us1_0 + 4u) * 2u + ls1_0], roots[ks1_0 * 1u]);
    vs1_0_2 = times(held[(us1_0 + 8u) * 2u + ls1_0], roots[ks1_0 * 2u]);
    vs1_0_3 = times(held[(us1_0 + 12u) * 2u + ls1_0], roots[ks1_0 * 3u]);
    let ws1_0_p = vs1_0_0 + vs1_0_2;
    let ws1_0_m = vs1_0_0 - vs1_0_2;
    let ws1_0_q = vs1_0_1 + vs1_0_3;
    let ws1_0_n = vs1_0_1 - vs1_0_3;
    vs1_0_0 = ws1_0_p + ws1_0_q;
    vs1_0_1 = V(ws1_0_m.x + ws1_0_n.y, ws1_0_m.y - ws1_0_n.x);
    vs1_0_2 = ws1_0_p - ws1_0_q;
    vs1_0_3 = V(ws1_0_m.x - ws1_0_n.y, ws1_0_m.y + ws1_0_n.x);
  }
  if (bs1_0 < 8u && g * 2u + ls1_0 < p.lines) {
    let ks1_0o = us1_0 % 4u;
    let os1_0 = (us1_0 - ks1_0o) * 4u + ks1_0o;
    put(g * 2u + ls1_0, os1_0 + 0u, vs1_0_0);
    put(g * 2u + ls1_0, os1_0 + 4u, vs1_0_1);
    put(g * 2u + ls1_0, os1_0 + 8u, vs1_0_2);
    put(g * 2u + ls1_0, os1_0 + 12u, vs1_0_3);
  }
}
