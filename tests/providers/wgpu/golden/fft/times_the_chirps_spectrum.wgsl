struct P {
  zero: u32, lines: u32, inner: u32, apart: u32, before: u32,
  kept: u32, from_: u32, to_: u32, n: u32, spare: u32, scale: f32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> spectrum: array<vec2<f32>>;
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
fn chirp(k: u32) -> V {
  let m = 2u * p.n;
  var square = 0u;
  for (var digit = 28u; digit < 32u; digit -= 4u) {
    square = (square * 16u + k * ((k >> digit) & 15u)) % m;
  }
  return turn(square, m);
}
fn fetch(line: u32, j: u32) -> V {
  let row = line / p.inner;
  let in_ = line - row * p.inner;
  let outer = row / p.apart;
  let i = row - outer * p.apart;
  let k = i + j * p.apart;
  if (k >= p.kept) { return V(f32(0)); }
  let at = (outer * p.from_ + k) * p.inner + in_;
  var v = V(x[at], f32(0));
  v = times(v, chirp(k));
  return v;
}
fn put(line: u32, j: u32, given: V) {
  let row = line / p.inner;
  let in_ = line - row * p.inner;
  let outer = row / p.apart;
  let i = row - outer * p.apart;
  let low = i % p.before;
  let k = (i - low) * 64u + low + j * p.before;
  let at = (outer * p.to_ + k) * p.inner + in_;
  var v = given * p.scale;
  v = times(v, spectrum[k]).yx;
  y[at] = v;
}
var<workgroup> held: array<V, 128>;
var<workgroup> roots: array<V, 64>;
@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  for (var k = t; k < 64u; k += 32u) { roots[k] = turn(k, 64u); }
  // 8 points of each 8
  let bs0_0 = t + 0u;
  let ls0_0 = bs0_0 / 8u;
  let us0_0 = bs0_0 % 8u;
  var vs0_0_0: V;
  var vs0_0_1: V;
  var vs0_0_2: V;
  var vs0_0_3: V;
  var vs0_0_4: V;
  var vs0_0_5: V;
  var vs0_0_6: V;
  var vs0_0_7: V;
  if (bs0_0 < 16u && g * 2u + ls0_0 < p.lines) {
    vs0_0_0 = fetch(g * 2u + ls0_0, us0_0 + 0u);
    vs0_0_1 = fetch(g * 2u + ls0_0, us0_0 + 8u);
    vs0_0_2 = fetch(g * 2u + ls0_0, us0_0 + 16u);
    vs0_0_3 = fetch(g * 2u + ls0_0, us0_0 + 24u);
    vs0_0_4 = fetch(g * 2u + ls0_0, us0_0 + 32u);
    vs0_0_5 = fetch(g * 2u + ls0_0, us0_0 + 40u);
    vs0_0_6 = fetch(g * 2u + ls0_0, us0_0 + 48u);
    vs0_0_7 = fetch(g * 2u + ls0_0, us0_0 + 56u);
    let ws0_0_ep = vs0_0_0 + vs0_0_4;
    let ws0_0_em = vs0_0_0 - vs0_0_4;
    let ws0_0_eq = vs0_0_2 + vs0_0_6;
    let ws0_0_en = vs0_0_2 - vs0_0_6;
    vs0_0_0 = ws0_0_ep + ws0_0_eq;
    vs0_0_2 = V(ws0_0_em.x + ws0_0_en.y, ws0_0_em.y - ws0_0_en.x);
    vs0_0_4 = ws0_0_ep - ws0_0_eq;
    vs0_0_6 = V(ws0_0_em.x - ws0_0_en.y, ws0_0_em.y + ws0_0_en.x);
    let ws0_0_op = vs0_0_1 + vs0_0_5;
    let ws0_0_om = vs0_0_1 - vs0_0_5;
    let ws0_0_oq = vs0_0_3 + vs0_0_7;
    let ws0_0_on = vs0_0_3 - vs0_0_7;
    vs0_0_1 = ws0_0_op + ws0_0_oq;
    vs0_0_3 = V(ws0_0_om.x + ws0_0_on.y, ws0_0_om.y - ws0_0_on.x);
    vs0_0_5 = ws0_0_op - ws0_0_oq;
    vs0_0_7 = V(ws0_0_om.x - ws0_0_on.y, ws0_0_om.y + ws0_0_on.x);
    vs0_0_3 = V(vs0_0_3.x + vs0_0_3.y, vs0_0_3.y - vs0_0_3.x) * 0.70710677f;
    vs0_0_5 = V(vs0_0_5.y, -vs0_0_5.x);
    vs0_0_7 = V(vs0_0_7.y - vs0_0_7.x, -vs0_0_7.x - vs0_0_7.y) * 0.70710677f;
    let ws0_0_r0 = vs0_0_0 + vs0_0_1;
    let ws0_0_r4 = vs0_0_0 - vs0_0_1;
    let ws0_0_r1 = vs0_0_2 + vs0_0_3;
    let ws0_0_r5 = vs0_0_2 - vs0_0_3;
    let ws0_0_r2 = vs0_0_4 + vs0_0_5;
    let ws0_0_r6 = vs0_0_4 - vs0_0_5;
    let ws0_0_r3 = vs0_0_6 + vs0_0_7;
    let ws0_0_r7 = vs0_0_6 - vs0_0_7;
    vs0_0_0 = ws0_0_r0;
    vs0_0_1 = ws0_0_r1;
    vs0_0_2 = ws0_0_r2;
    vs0_0_3 = ws0_0_r3;
    vs0_0_4 = ws0_0_r4;
    vs0_0_5 = ws0_0_r5;
    vs0_0_6 = ws0_0_r6;
    vs0_0_7 = ws0_0_r7;
  }
  if (bs0_0 < 16u) {
    let ks0_0o = us0_0 % 1u;
    let os0_0 = (us0_0 - ks0_0o) * 8u + ks0_0o;
    held[(os0_0 + 0u) * 2u + ls0_0] = vs0_0_0;
    held[(os0_0 + 1u) * 2u + ls0_0] = vs0_0_1;
    held[(os0_0 + 2u) * 2u + ls0_0] = vs0_0_2;
    held[(os0_0 + 3u) * 2u + ls0_0] = vs0_0_3;
    held[(os0_0 + 4u) * 2u + ls0_0] = vs0_0_4;
    held[(os0_0 + 5u) * 2u + ls0_0] = vs0_0_5;
    held[(os0_0 + 6u) * 2u + ls0_0] = vs0_0_6;
    held[(os0_0 + 7u) * 2u + ls0_0] = vs0_0_7;
  }
  workgroupBarrier();
  // 8 points of each 64
  let bs1_0 = t + 0u;
  let ls1_0 = bs1_0 / 8u;
  let us1_0 = bs1_0 % 8u;
  var vs1_0_0: V;
  var vs1_0_1: V;
  var vs1_0_2: V;
  var vs1_0_3: V;
  var vs1_0_4: V;
  var vs1_0_5: V;
  var vs1_0_6: V;
  var vs1_0_7: V;
  if (bs1_0 < 16u) {
    let ks1_0 = us1_0 % 8u;
    vs1_0_0 = held[(us1_0 + 0u) * 2u + ls1_0];
    vs1_0_1 = times(held[(us1_0 + 8u) * 2u + ls1_0], roots[ks1_0 * 1u]);
    vs1_0_2 = times(held[(us1_0 + 16u) * 2u + ls1_0], roots[ks1_0 * 2u]);
    vs1_0_3 = times(held[(us1_0 + 24u) * 2u + ls1_0], roots[ks1_0 * 3u]);
    vs1_0_4 = times(held[(us1_0 + 32u) * 2u + ls1_0], roots[ks1_0 * 4u]);
    vs1_0_5 = times(held[(us1_0 + 40u) * 2u + ls1_0], roots[ks1_0 * 5u]);
    vs1_0_6 = times(held[(us1_0 + 48u) * 2u + ls1_0], roots[ks1_0 * 6u]);
    vs1_0_7 = times(held[(us1_0 + 56u) * 2u + ls1_0], roots[ks1_0 * 7u]);
    let ws1_0_ep = vs1_0_0 + vs1_0_4;
    let ws1_0_em = vs1_0_0 - vs1_0_4;
    let ws1_0_eq = vs1_0_2 + vs1_0_6;
    let ws1_0_en = vs1_0_2 - vs1_0_6;
    vs1_0_0 = ws1_0_ep + ws1_0_eq;
    vs1_0_2 = V(ws1_0_em.x + ws1_0_en.y, ws1_0_em.y - ws1_0_en.x);
    vs1_0_4 = ws1_0_ep - ws1_0_eq;
    vs1_0_6 = V(ws1_0_em.x - ws1_0_en.y, ws1_0_em.y + ws1_0_en.x);
    let ws1_0_op = vs1_0_1 + vs1_0_5;
    let ws1_0_om = vs1_0_1 - vs1_0_5;
    let ws1_0_oq = vs1_0_3 + vs1_0_7;
    let ws1_0_on = vs1_0_3 - vs1_0_7;
    vs1_0_1 = ws1_0_op + ws1_0_oq;
    vs1_0_3 = V(ws1_0_om.x + ws1_0_on.y, ws1_0_om.y - ws1_0_on.x);
    vs1_0_5 = ws1_0_op - ws1_0_oq;
    vs1_0_7 = V(ws1_0_om.x - ws1_0_on.y, ws1_0_om.y + ws1_0_on.x);
    vs1_0_3 = V(vs1_0_3.x + vs1_0_3.y, vs1_0_3.y - vs1_0_3.x) * 0.70710677f;
    vs1_0_5 = V(vs1_0_5.y, -vs1_0_5.x);
    vs1_0_7 = V(vs1_0_7.y - vs1_0_7.x, -vs1_0_7.x - vs1_0_7.y) * 0.70710677f;
    let ws1_0_r0 = vs1_0_0 + vs1_0_1;
    let ws1_0_r4 = vs1_0_0 - vs1_0_1;
    let ws1_0_r1 = vs1_0_2 + vs1_0_3;
    let ws1_0_r5 = vs1_0_2 - vs1_0_3;
    let ws1_0_r2 = vs1_0_4 + vs1_0_5;
    let ws1_0_r6 = vs1_0_4 - vs1_0_5;
    let ws1_0_r3 = vs1_0_6 + vs1_0_7;
    let ws1_0_r7 = vs1_0_6 - vs1_0_7;
    vs1_0_0 = ws1_0_r0;
    vs1_0_1 = ws1_0_r1;
    vs1_0_2 = ws1_0_r2;
    vs1_0_3 = ws1_0_r3;
    vs1_0_4 = ws1_0_r4;
    vs1_0_5 = ws1_0_r5;
    vs1_0_6 = ws1_0_r6;
    vs1_0_7 = ws1_0_r7;
  }
  if (bs1_0 < 16u && g * 2u + ls1_0 < p.lines) {
    let ks1_0o = us1_0 % 8u;
    let os1_0 = (us1_0 - ks1_0o) * 8u + ks1_0o;
    put(g * 2u + ls1_0, os1_0 + 0u, vs1_0_0);
    put(g * 2u + ls1_0, os1_0 + 8u, vs1_0_1);
    put(g * 2u + ls1_0, os1_0 + 16u, vs1_0_2);
    put(g * 2u + ls1_0, os1_0 + 24u, vs1_0_3);
    put(g * 2u + ls1_0, os1_0 + 32u, vs1_0_4);
    put(g * 2u + ls1_0, os1_0 + 40u, vs1_0_5);
    put(g * 2u + ls1_0, os1_0 + 48u, vs1_0_6);
    put(g * 2u + ls1_0, os1_0 + 56u, vs1_0_7);
  }
}
