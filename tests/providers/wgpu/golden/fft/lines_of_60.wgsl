struct P {
  zero: u32, lines: u32, inner: u32, apart: u32, before: u32,
  kept: u32, from_: u32, to_: u32, n: u32, spare: u32, scale: f32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> x: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec2<f32>>;
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
  return v;
}
fn put(line: u32, j: u32, given: V) {
  let row = line / p.inner;
  let in_ = line - row * p.inner;
  let outer = row / p.apart;
  let i = row - outer * p.apart;
  let low = i % p.before;
  let k = (i - low) * 60u + low + j * p.before;
  let at = (outer * p.to_ + k) * p.inner + in_;
  var v = given * p.scale;
  y[at] = v;
}
var<workgroup> held: array<V, 1980>;
var<workgroup> roots: array<V, 60>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  for (var k = t; k < 60u; k += 256u) { roots[k] = turn(k, 60u); }
  // 4 points of each 4
  let bs0_0 = t + 0u;
  let ls0_0 = bs0_0 / 15u;
  let us0_0 = bs0_0 % 15u;
  var vs0_0_0: V;
  var vs0_0_1: V;
  var vs0_0_2: V;
  var vs0_0_3: V;
  if (g * 32u + ls0_0 < p.lines) {
    vs0_0_0 = fetch(g * 32u + ls0_0, us0_0 + 0u);
    vs0_0_1 = fetch(g * 32u + ls0_0, us0_0 + 15u);
    vs0_0_2 = fetch(g * 32u + ls0_0, us0_0 + 30u);
    vs0_0_3 = fetch(g * 32u + ls0_0, us0_0 + 45u);
    let ws0_0_p = vs0_0_0 + vs0_0_2;
    let ws0_0_m = vs0_0_0 - vs0_0_2;
    let ws0_0_q = vs0_0_1 + vs0_0_3;
    let ws0_0_n = vs0_0_1 - vs0_0_3;
    vs0_0_0 = ws0_0_p + ws0_0_q;
    vs0_0_1 = V(ws0_0_m.x + ws0_0_n.y, ws0_0_m.y - ws0_0_n.x);
    vs0_0_2 = ws0_0_p - ws0_0_q;
    vs0_0_3 = V(ws0_0_m.x - ws0_0_n.y, ws0_0_m.y + ws0_0_n.x);
  }
  let bs0_1 = t + 256u;
  let ls0_1 = bs0_1 / 15u;
  let us0_1 = bs0_1 % 15u;
  var vs0_1_0: V;
  var vs0_1_1: V;
  var vs0_1_2: V;
  var vs0_1_3: V;
  if (bs0_1 < 480u && g * 32u + ls0_1 < p.lines) {
    vs0_1_0 = fetch(g * 32u + ls0_1, us0_1 + 0u);
    vs0_1_1 = fetch(g * 32u + ls0_1, us0_1 + 15u);
    vs0_1_2 = fetch(g * 32u + ls0_1, us0_1 + 30u);
    vs0_1_3 = fetch(g * 32u + ls0_1, us0_1 + 45u);
    let ws0_1_p = vs0_1_0 + vs0_1_2;
    let ws0_1_m = vs0_1_0 - vs0_1_2;
    let ws0_1_q = vs0_1_1 + vs0_1_3;
    let ws0_1_n = vs0_1_1 - vs0_1_3;
    vs0_1_0 = ws0_1_p + ws0_1_q;
    vs0_1_1 = V(ws0_1_m.x + ws0_1_n.y, ws0_1_m.y - ws0_1_n.x);
    vs0_1_2 = ws0_1_p - ws0_1_q;
    vs0_1_3 = V(ws0_1_m.x - ws0_1_n.y, ws0_1_m.y + ws0_1_n.x);
  }
  let ks0_0o = us0_0 % 1u;
  let os0_0 = (us0_0 - ks0_0o) * 4u + ks0_0o;
  held[(os0_0 + 0u) * 33u + ls0_0] = vs0_0_0;
  held[(os0_0 + 1u) * 33u + ls0_0] = vs0_0_1;
  held[(os0_0 + 2u) * 33u + ls0_0] = vs0_0_2;
  held[(os0_0 + 3u) * 33u + ls0_0] = vs0_0_3;
  if (bs0_1 < 480u) {
    let ks0_1o = us0_1 % 1u;
    let os0_1 = (us0_1 - ks0_1o) * 4u + ks0_1o;
    held[(os0_1 + 0u) * 33u + ls0_1] = vs0_1_0;
    held[(os0_1 + 1u) * 33u + ls0_1] = vs0_1_1;
    held[(os0_1 + 2u) * 33u + ls0_1] = vs0_1_2;
    held[(os0_1 + 3u) * 33u + ls0_1] = vs0_1_3;
  }
  workgroupBarrier();
  // 3 points of each 12
  let bs1_0 = t + 0u;
  let ls1_0 = bs1_0 % 32u;
  let us1_0 = bs1_0 / 32u;
  var vs1_0_0: V;
  var vs1_0_1: V;
  var vs1_0_2: V;
  let ks1_0 = us1_0 % 4u;
  vs1_0_0 = held[(us1_0 + 0u) * 33u + ls1_0];
  vs1_0_1 = times(held[(us1_0 + 20u) * 33u + ls1_0], roots[ks1_0 * 5u]);
  vs1_0_2 = times(held[(us1_0 + 40u) * 33u + ls1_0], roots[ks1_0 * 10u]);
  let ws1_0_p1 = vs1_0_1 + vs1_0_2;
  let ws1_0_m1 = vs1_0_1 - vs1_0_2;
  let ws1_0_c1 = vs1_0_0 + ws1_0_p1 * (-0.5f);
  let ws1_0_s1 = ws1_0_m1 * 0.8660254f;
  vs1_0_0 = vs1_0_0 + ws1_0_p1;
  vs1_0_1 = V(ws1_0_c1.x + ws1_0_s1.y, ws1_0_c1.y - ws1_0_s1.x);
  vs1_0_2 = V(ws1_0_c1.x - ws1_0_s1.y, ws1_0_c1.y + ws1_0_s1.x);
  let bs1_1 = t + 256u;
  let ls1_1 = bs1_1 % 32u;
  let us1_1 = bs1_1 / 32u;
  var vs1_1_0: V;
  var vs1_1_1: V;
  var vs1_1_2: V;
  let ks1_1 = us1_1 % 4u;
  vs1_1_0 = held[(us1_1 + 0u) * 33u + ls1_1];
  vs1_1_1 = times(held[(us1_1 + 20u) * 33u + ls1_1], roots[ks1_1 * 5u]);
  vs1_1_2 = times(held[(us1_1 + 40u) * 33u + ls1_1], roots[ks1_1 * 10u]);
  let ws1_1_p1 = vs1_1_1 + vs1_1_2;
  let ws1_1_m1 = vs1_1_1 - vs1_1_2;
  let ws1_1_c1 = vs1_1_0 + ws1_1_p1 * (-0.5f);
  let ws1_1_s1 = ws1_1_m1 * 0.8660254f;
  vs1_1_0 = vs1_1_0 + ws1_1_p1;
  vs1_1_1 = V(ws1_1_c1.x + ws1_1_s1.y, ws1_1_c1.y - ws1_1_s1.x);
  vs1_1_2 = V(ws1_1_c1.x - ws1_1_s1.y, ws1_1_c1.y + ws1_1_s1.x);
  let bs1_2 = t + 512u;
  let ls1_2 = bs1_2 % 32u;
  let us1_2 = bs1_2 / 32u;
  var vs1_2_0: V;
  var vs1_2_1: V;
  var vs1_2_2: V;
  if (bs1_2 < 640u) {
    let ks1_2 = us1_2 % 4u;
    vs1_2_0 = held[(us1_2 + 0u) * 33u + ls1_2];
    vs1_2_1 = times(held[(us1_2 + 20u) * 33u + ls1_2], roots[ks1_2 * 5u]);
    vs1_2_2 = times(held[(us1_2 + 40u) * 33u + ls1_2], roots[ks1_2 * 10u]);
    let ws1_2_p1 = vs1_2_1 + vs1_2_2;
    let ws1_2_m1 = vs1_2_1 - vs1_2_2;
    let ws1_2_c1 = vs1_2_0 + ws1_2_p1 * (-0.5f);
    let ws1_2_s1 = ws1_2_m1 * 0.8660254f;
    vs1_2_0 = vs1_2_0 + ws1_2_p1;
    vs1_2_1 = V(ws1_2_c1.x + ws1_2_s1.y, ws1_2_c1.y - ws1_2_s1.x);
    vs1_2_2 = V(ws1_2_c1.x - ws1_2_s1.y, ws1_2_c1.y + ws1_2_s1.x);
  }
  workgroupBarrier();
  let ks1_0o = us1_0 % 4u;
  let os1_0 = (us1_0 - ks1_0o) * 3u + ks1_0o;
  held[(os1_0 + 0u) * 33u + ls1_0] = vs1_0_0;
  held[(os1_0 + 4u) * 33u + ls1_0] = vs1_0_1;
  held[(os1_0 + 8u) * 33u + ls1_0] = vs1_0_2;
  let ks1_1o = us1_1 % 4u;
  let os1_1 = (us1_1 - ks1_1o) * 3u + ks1_1o;
  held[(os1_1 + 0u) * 33u + ls1_1] = vs1_1_0;
  held[(os1_1 + 4u) * 33u + ls1_1] = vs1_1_1;
  held[(os1_1 + 8u) * 33u + ls1_1] = vs1_1_2;
  if (bs1_2 < 640u) {
    let ks1_2o = us1_2 % 4u;
    let os1_2 = (us1_2 - ks1_2o) * 3u + ks1_2o;
    held[(os1_2 + 0u) * 33u + ls1_2] = vs1_2_0;
    held[(os1_2 + 4u) * 33u + ls1_2] = vs1_2_1;
    held[(os1_2 + 8u) * 33u + ls1_2] = vs1_2_2;
  }
  workgroupBarrier();
  // 5 points of each 60
  let bs2_0 = t + 0u;
  let ls2_0 = bs2_0 / 12u;
  let us2_0 = bs2_0 % 12u;
  var vs2_0_0: V;
  var vs2_0_1: V;
  var vs2_0_2: V;
  var vs2_0_3: V;
  var vs2_0_4: V;
  let ks2_0 = us2_0 % 12u;
  vs2_0_0 = held[(us2_0 + 0u) * 33u + ls2_0];
  vs2_0_1 = times(held[(us2_0 + 12u) * 33u + ls2_0], roots[ks2_0 * 1u]);
  vs2_0_2 = times(held[(us2_0 + 24u) * 33u + ls2_0], roots[ks2_0 * 2u]);
  vs2_0_3 = times(held[(us2_0 + 36u) * 33u + ls2_0], roots[ks2_0 * 3u]);
  vs2_0_4 = times(held[(us2_0 + 48u) * 33u + ls2_0], roots[ks2_0 * 4u]);
  let ws2_0_p1 = vs2_0_1 + vs2_0_4;
  let ws2_0_m1 = vs2_0_1 - vs2_0_4;
  let ws2_0_p2 = vs2_0_2 + vs2_0_3;
  let ws2_0_m2 = vs2_0_2 - vs2_0_3;
  let ws2_0_c1 = vs2_0_0 + ws2_0_p1 * 0.309017f + ws2_0_p2 * (-0.809017f);
  let ws2_0_s1 = ws2_0_m1 * 0.95105654f + ws2_0_m2 * 0.58778524f;
  let ws2_0_c2 = vs2_0_0 + ws2_0_p1 * (-0.809017f) + ws2_0_p2 * 0.309017f;
  let ws2_0_s2 = ws2_0_m1 * 0.58778524f + ws2_0_m2 * (-0.95105654f);
  vs2_0_0 = vs2_0_0 + ws2_0_p1 + ws2_0_p2;
  vs2_0_1 = V(ws2_0_c1.x + ws2_0_s1.y, ws2_0_c1.y - ws2_0_s1.x);
  vs2_0_4 = V(ws2_0_c1.x - ws2_0_s1.y, ws2_0_c1.y + ws2_0_s1.x);
  vs2_0_2 = V(ws2_0_c2.x + ws2_0_s2.y, ws2_0_c2.y - ws2_0_s2.x);
  vs2_0_3 = V(ws2_0_c2.x - ws2_0_s2.y, ws2_0_c2.y + ws2_0_s2.x);
  let bs2_1 = t + 256u;
  let ls2_1 = bs2_1 / 12u;
  let us2_1 = bs2_1 % 12u;
  var vs2_1_0: V;
  var vs2_1_1: V;
  var vs2_1_2: V;
  var vs2_1_3: V;
  var vs2_1_4: V;
  if (bs2_1 < 384u) {
    let ks2_1 = us2_1 % 12u;
    vs2_1_0 = held[(us2_1 + 0u) * 33u + ls2_1];
    vs2_1_1 = times(held[(us2_1 + 12u) * 33u + ls2_1], roots[ks2_1 * 1u]);
    vs2_1_2 = times(held[(us2_1 + 24u) * 33u + ls2_1], roots[ks2_1 * 2u]);
    vs2_1_3 = times(held[(us2_1 + 36u) * 33u + ls2_1], roots[ks2_1 * 3u]);
    vs2_1_4 = times(held[(us2_1 + 48u) * 33u + ls2_1], roots[ks2_1 * 4u]);
    let ws2_1_p1 = vs2_1_1 + vs2_1_4;
    let ws2_1_m1 = vs2_1_1 - vs2_1_4;
    let ws2_1_p2 = vs2_1_2 + vs2_1_3;
    let ws2_1_m2 = vs2_1_2 - vs2_1_3;
    let ws2_1_c1 = vs2_1_0 + ws2_1_p1 * 0.309017f + ws2_1_p2 * (-0.809017f);
    let ws2_1_s1 = ws2_1_m1 * 0.95105654f + ws2_1_m2 * 0.58778524f;
    let ws2_1_c2 = vs2_1_0 + ws2_1_p1 * (-0.809017f) + ws2_1_p2 * 0.309017f;
    let ws2_1_s2 = ws2_1_m1 * 0.58778524f + ws2_1_m2 * (-0.95105654f);
    vs2_1_0 = vs2_1_0 + ws2_1_p1 + ws2_1_p2;
    vs2_1_1 = V(ws2_1_c1.x + ws2_1_s1.y, ws2_1_c1.y - ws2_1_s1.x);
    vs2_1_4 = V(ws2_1_c1.x - ws2_1_s1.y, ws2_1_c1.y + ws2_1_s1.x);
    vs2_1_2 = V(ws2_1_c2.x + ws2_1_s2.y, ws2_1_c2.y - ws2_1_s2.x);
    vs2_1_3 = V(ws2_1_c2.x - ws2_1_s2.y, ws2_1_c2.y + ws2_1_s2.x);
  }
  if (g * 32u + ls2_0 < p.lines) {
    let ks2_0o = us2_0 % 12u;
    let os2_0 = (us2_0 - ks2_0o) * 5u + ks2_0o;
    put(g * 32u + ls2_0, os2_0 + 0u, vs2_0_0);
    put(g * 32u + ls2_0, os2_0 + 12u, vs2_0_1);
    put(g * 32u + ls2_0, os2_0 + 24u, vs2_0_2);
    put(g * 32u + ls2_0, os2_0 + 36u, vs2_0_3);
    put(g * 32u + ls2_0, os2_0 + 48u, vs2_0_4);
  }
  if (bs2_1 < 384u && g * 32u + ls2_1 < p.lines) {
    let ks2_1o = us2_1 % 12u;
    let os2_1 = (us2_1 - ks2_1o) * 5u + ks2_1o;
    put(g * 32u + ls2_1, os2_1 + 0u, vs2_1_0);
    put(g * 32u + ls2_1, os2_1 + 12u, vs2_1_1);
    put(g * 32u + ls2_1, os2_1 + 24u, vs2_1_2);
    put(g * 32u + ls2_1, os2_1 + 36u, vs2_1_3);
    put(g * 32u + ls2_1, os2_1 + 48u, vs2_1_4);
  }
}
