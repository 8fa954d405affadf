struct P {
  zero: u32, lines: u32, inner: u32, apart: u32, before: u32,
  kept: u32, from_: u32, to_: u32, n: u32, spare: u32, scale: f32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> x: array<f32>;
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
  var v = V(x[at], f32(0));
  return v;
}
fn put(line: u32, j: u32, given: V) {
  let row = line / p.inner;
  let in_ = line - row * p.inner;
  let outer = row / p.apart;
  let i = row - outer * p.apart;
  let low = i % p.before;
  let k = (i - low) * 49u + low + j * p.before;
  let at = (outer * p.to_ + k) * p.inner + in_;
  var v = given * p.scale;
  if (2u * k > p.n) { return; }
  if (k == 0u || 2u * k == p.n) { y[at] = V(v.x, f32(0)); return; }
  y[at] = v;
  y[(outer * p.to_ + p.n - k) * p.inner + in_] = V(v.x, -v.y);
}
var<workgroup> held: array<V, 1617>;
var<workgroup> roots: array<V, 49>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  let g = wg.y * groups.x + wg.x;
  for (var k = t; k < 49u; k += 256u) { roots[k] = turn(k, 49u); }
  // 7 points of each 7
  let bs0_0 = t + 0u;
  let ls0_0 = bs0_0 % 32u;
  let us0_0 = bs0_0 / 32u;
  var vs0_0_0: V;
  var vs0_0_1: V;
  var vs0_0_2: V;
  var vs0_0_3: V;
  var vs0_0_4: V;
  var vs0_0_5: V;
  var vs0_0_6: V;
  if (bs0_0 < 224u && g * 32u + ls0_0 < p.lines) {
    vs0_0_0 = fetch(g * 32u + ls0_0, us0_0 + 0u);
    vs0_0_1 = fetch(g * 32u + ls0_0, us0_0 + 7u);
    vs0_0_2 = fetch(g * 32u + ls0_0, us0_0 + 14u);
    vs0_0_3 = fetch(g * 32u + ls0_0, us0_0 + 21u);
    vs0_0_4 = fetch(g * 32u + ls0_0, us0_0 + 28u);
    vs0_0_5 = fetch(g * 32u + ls0_0, us0_0 + 35u);
    vs0_0_6 = fetch(g * 32u + ls0_0, us0_0 + 42u);
    let ws0_0_p1 = vs0_0_1 + vs0_0_6;
    let ws0_0_m1 = vs0_0_1 - vs0_0_6;
    let ws0_0_p2 = vs0_0_2 + vs0_0_5;
    let ws0_0_m2 = vs0_0_2 - vs0_0_5;
    let ws0_0_p3 = vs0_0_3 + vs0_0_4;
    let ws0_0_m3 = vs0_0_3 - vs0_0_4;
    let ws0_0_c1 = vs0_0_0 + ws0_0_p1 * 0.6234898f + ws0_0_p2 * (-0.22252093f) + ws0_0_p3 * (-0.90096885f);
    let ws0_0_s1 = ws0_0_m1 * 0.7818315f + ws0_0_m2 * 0.9749279f + ws0_0_m3 * 0.43388373f;
    let ws0_0_c2 = vs0_0_0 + ws0_0_p1 * (-0.22252093f) + ws0_0_p2 * (-0.90096885f) + ws0_0_p3 * 0.6234898f;
    let ws0_0_s2 = ws0_0_m1 * 0.9749279f + ws0_0_m2 * (-0.43388373f) + ws0_0_m3 * (-0.7818315f);
    let ws0_0_c3 = vs0_0_0 + ws0_0_p1 * (-0.90096885f) + ws0_0_p2 * 0.6234898f + ws0_0_p3 * (-0.22252093f);
    let ws0_0_s3 = ws0_0_m1 * 0.43388373f + ws0_0_m2 * (-0.7818315f) + ws0_0_m3 * 0.9749279f;
    vs0_0_0 = vs0_0_0 + ws0_0_p1 + ws0_0_p2 + ws0_0_p3;
    vs0_0_1 = V(ws0_0_c1.x + ws0_0_s1.y, ws0_0_c1.y - ws0_0_s1.x);
    vs0_0_6 = V(ws0_0_c1.x - ws0_0_s1.y, ws0_0_c1.y + ws0_0_s1.x);
    vs0_0_2 = V(ws0_0_c2.x + ws0_0_s2.y, ws0_0_c2.y - ws0_0_s2.x);
    vs0_0_5 = V(ws0_0_c2.x - ws0_0_s2.y, ws0_0_c2.y + ws0_0_s2.x);
    vs0_0_3 = V(ws0_0_c3.x + ws0_0_s3.y, ws0_0_c3.y - ws0_0_s3.x);
    vs0_0_4 = V(ws0_0_c3.x - ws0_0_s3.y, ws0_0_c3.y + ws0_0_s3.x);
  }
  if (bs0_0 < 224u) {
    let ks0_0o = us0_0 % 1u;
    let os0_0 = (us0_0 - ks0_0o) * 7u + ks0_0o;
    held[(os0_0 + 0u) * 33u + ls0_0] = vs0_0_0;
    held[(os0_0 + 1u) * 33u + ls0_0] = vs0_0_1;
    held[(os0_0 + 2u) * 33u + ls0_0] = vs0_0_2;
    held[(os0_0 + 3u) * 33u + ls0_0] = vs0_0_3;
    held[(os0_0 + 4u) * 33u + ls0_0] = vs0_0_4;
    held[(os0_0 + 5u) * 33u + ls0_0] = vs0_0_5;
    held[(os0_0 + 6u) * 33u + ls0_0] = vs0_0_6;
  }
  workgroupBarrier();
  // 7 points of each 49
  let bs1_0 = t + 0u;
  let ls1_0 = bs1_0 % 32u;
  let us1_0 = bs1_0 / 32u;
  var vs1_0_0: V;
  var vs1_0_1: V;
  var vs1_0_2: V;
  var vs1_0_3: V;
  var vs1_0_4: V;
  var vs1_0_5: V;
  var vs1_0_6: V;
  if (bs1_0 < 224u) {
    let ks1_0 = us1_0 % 7u;
    vs1_0_0 = held[(us1_0 + 0u) * 33u + ls1_0];
    vs1_0_1 = times(held[(us1_0 + 7u) * 33u + ls1_0], roots[ks1_0 * 1u]);
    vs1_0_2 = times(held[(us1_0 + 14u) * 33u + ls1_0], roots[ks1_0 * 2u]);
    vs1_0_3 = times(held[(us1_0 + 21u) * 33u + ls1_0], roots[ks1_0 * 3u]);
    vs1_0_4 = times(held[(us1_0 + 28u) * 33u + ls1_0], roots[ks1_0 * 4u]);
    vs1_0_5 = times(held[(us1_0 + 35u) * 33u + ls1_0], roots[ks1_0 * 5u]);
    vs1_0_6 = times(held[(us1_0 + 42u) * 33u + ls1_0], roots[ks1_0 * 6u]);
    let ws1_0_p1 = vs1_0_1 + vs1_0_6;
    let ws1_0_m1 = vs1_0_1 - vs1_0_6;
    let ws1_0_p2 = vs1_0_2 + vs1_0_5;
    let ws1_0_m2 = vs1_0_2 - vs1_0_5;
    let ws1_0_p3 = vs1_0_3 + vs1_0_4;
    let ws1_0_m3 = vs1_0_3 - vs1_0_4;
    let ws1_0_c1 = vs1_0_0 + ws1_0_p1 * 0.6234898f + ws1_0_p2 * (-0.22252093f) + ws1_0_p3 * (-0.90096885f);
    let ws1_0_s1 = ws1_0_m1 * 0.7818315f + ws1_0_m2 * 0.9749279f + ws1_0_m3 * 0.43388373f;
    let ws1_0_c2 = vs1_0_0 + ws1_0_p1 * (-0.22252093f) + ws1_0_p2 * (-0.90096885f) + ws1_0_p3 * 0.6234898f;
    let ws1_0_s2 = ws1_0_m1 * 0.9749279f + ws1_0_m2 * (-0.43388373f) + ws1_0_m3 * (-0.7818315f);
    let ws1_0_c3 = vs1_0_0 + ws1_0_p1 * (-0.90096885f) + ws1_0_p2 * 0.6234898f + ws1_0_p3 * (-0.22252093f);
    let ws1_0_s3 = ws1_0_m1 * 0.43388373f + ws1_0_m2 * (-0.7818315f) + ws1_0_m3 * 0.9749279f;
    vs1_0_0 = vs1_0_0 + ws1_0_p1 + ws1_0_p2 + ws1_0_p3;
    vs1_0_1 = V(ws1_0_c1.x + ws1_0_s1.y, ws1_0_c1.y - ws1_0_s1.x);
    vs1_0_6 = V(ws1_0_c1.x - ws1_0_s1.y, ws1_0_c1.y + ws1_0_s1.x);
    vs1_0_2 = V(ws1_0_c2.x + ws1_0_s2.y, ws1_0_c2.y - ws1_0_s2.x);
    vs1_0_5 = V(ws1_0_c2.x - ws1_0_s2.y, ws1_0_c2.y + ws1_0_s2.x);
    vs1_0_3 = V(ws1_0_c3.x + ws1_0_s3.y, ws1_0_c3.y - ws1_0_s3.x);
    vs1_0_4 = V(ws1_0_c3.x - ws1_0_s3.y, ws1_0_c3.y + ws1_0_s3.x);
  }
  if (bs1_0 < 224u && g * 32u + ls1_0 < p.lines) {
    let ks1_0o = us1_0 % 7u;
    let os1_0 = (us1_0 - ks1_0o) * 7u + ks1_0o;
    put(g * 32u + ls1_0, os1_0 + 0u, vs1_0_0);
    put(g * 32u + ls1_0, os1_0 + 7u, vs1_0_1);
    put(g * 32u + ls1_0, os1_0 + 14u, vs1_0_2);
    put(g * 32u + ls1_0, os1_0 + 21u, vs1_0_3);
    put(g * 32u + ls1_0, os1_0 + 28u, vs1_0_4);
    put(g * 32u + ls1_0, os1_0 + 35u, vs1_0_5);
    put(g * 32u + ls1_0, os1_0 + 42u, vs1_0_6);
  }
}
