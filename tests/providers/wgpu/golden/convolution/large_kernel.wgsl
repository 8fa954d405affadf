struct P {
  zero: u32, first: u32, last: u32, more: u32,
  nx: i32, ny: i32, nz: i32, pages: u32,
  mx: i32, my: i32, mz: i32, turned: i32,
  px: u32, py: u32, pz: u32, spare: u32,
  sx: i32, sy: i32, sz: i32, rest: i32,
}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> a: array<f64>;
@group(0) @binding(1) var<storage, read> b: array<f64>;
@group(0) @binding(2) var<storage, read_write> c: array<f64>;
fn finite(x: f64) -> bool {
  return (bitcast<u64>(x) & 0x7ff0000000000000lu) != 0x7ff0000000000000lu;
}
var<workgroup> met_by: array<f64, 2769>;
var<workgroup> taps: array<f64, 64>;
var<workgroup> odd: atomic<u32>;
fn inside(x: i32, y: i32, z: i32) -> bool {
  return x >= 0 && x < p.nx && y >= 0 && y < p.ny && z >= 0 && z < p.nz;
}
fn element(x: i32, y: i32, z: i32, page: u32) -> f64 {
  if (!inside(x, y, z)) { return f64(0); }
  return a[((page * u32(p.nz) + u32(z)) * u32(p.ny) + u32(y)) * u32(p.nx) + u32(x)];
}
fn met(x: i32, y: i32, z: i32, page: u32, tap: f64) -> f64 {
  if (!inside(x, y, z)) { return f64(0); }
  return element(x, y, z, page) * tap;
}
fn put(x: u32, y: u32, z: u32, page: u32, sum: f64) {
  if (x >= p.px || y >= p.py || page >= p.pages) { return; }
  let at = ((page * p.pz + z) * p.py + y) * p.px + x;
  if (p.more == 1u) { c[at] += sum; } else { c[at] = sum; }
}
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
  var g = wg.y * groups.x + wg.x;
  let tall = (p.px + 31u) / 32u;
  let broad = (p.py + 63u) / 64u;
  let x0 = (g % tall) * 32u;
  g = g / tall;
  let y0 = (g % broad) * 64u;
  g = g / broad;
  let z = g % p.pz;
  let page = g / p.pz;
  if (page >= p.pages) { return; }
  let across = (u32(p.mx) + 7u) / 8u;
  let along = (u32(p.my) + 7u) / 8u;
  var s0 = f64(0);
  var s1 = f64(0);
  var s2 = f64(0);
  var s3 = f64(0);
  var s4 = f64(0);
  var s5 = f64(0);
  var s6 = f64(0);
  var s7 = f64(0);
  for (var number = p.first; number < p.last; number++) {
    let jx0 = i32(number % across) * 8;
    let jy0 = i32((number / across) % along) * 8;
    let jz = i32(number / (across * along));
    let left_x = min(p.mx - jx0, 8);
    let left_y = min(p.my - jy0, 8);
    let az = i32(z) + p.sz - jz;
    workgroupBarrier();
    if (t == 0u) { atomicStore(&odd, 0u); }
    workgroupBarrier();
    for (var e = t; e < 64u; e += 256u) {
      let jx = jx0 + i32(e % 8u);
      let jy = jy0 + i32(e / 8u);
      var tap = f64(0);
      if (jx < p.mx && jy < p.my) {
        let j = (jz * p.my + jy) * p.mx + jx;
        tap = b[select(j, p.mx * p.my * p.mz - 1 - j, p.turned == 1)];
        if (!finite(tap)) { atomicOr(&odd, 1u); }
      }
      taps[e] = tap;
    }
    let ax0 = i32(x0) + p.sx - jx0 - 7;
    let ay0 = i32(y0) + p.sy - jy0 - 7;
    for (var e = t; e < 2769u; e += 256u) {
      met_by[e] = element(ax0 + i32(e % 39u), ay0 + i32(e / 39u), az, page);
    }
    workgroupBarrier();
    if (atomicLoad(&odd) == 1u) {
      for (var jy = jy0; jy < jy0 + left_y; jy++) {
        for (var jx = jx0; jx < jx0 + left_x; jx++) {
          let tap = taps[(jy - jy0) * 8 + jx - jx0];
          s0 += met(i32(x0 + t % 32u) + p.sx - jx, i32(y0 + 8u * (t / 32u) + 0u) + p.sy - jy, az, page, tap);
          s1 += met(i32(x0 + t % 32u) + p.sx - jx, i32(y0 + 8u * (t / 32u) + 1u) + p.sy - jy, az, page, tap);
          s2 += met(i32(x0 + t % 32u) + p.sx - jx, i32(y0 + 8u * (t / 32u) + 2u) + p.sy - jy, az, page, tap);
          s3 += met(i32(x0 + t % 32u) + p.sx - jx, i32(y0 + 8u * (t / 32u) + 3u) + p.sy - jy, az, page, tap);
          s4 += met(i32(x0 + t % 32u) + p.sx - jx, i32(y0 + 8u * (t / 32u) + 4u) + p.sy - jy, az, page, tap);
          s5 += met(i32(x0 + t % 32u) + p.sx - jx, i32(y0 + 8u * (t / 32u) + 5u) + p.sy - jy, az, page, tap);
          s6 += met(i32(x0 + t % 32u) + p.sx - jx, i32(y0 + 8u * (t / 32u) + 6u) + p.sy - jy, az, page, tap);
          s7 += met(i32(x0 + t % 32u) + p.sx - jx, i32(y0 + 8u * (t / 32u) + 7u) + p.sy - jy, az, page, tap);
        }
      }
      continue;
    }
    var r0 = f64(0);
    var r1 = f64(0);
    var r2 = f64(0);
    var r3 = f64(0);
    var r4 = f64(0);
    var r5 = f64(0);
    var r6 = f64(0);
    var r7 = f64(0);
    for (var k = 0; k < left_x; k++) {
      let at = 8u * (t / 32u) * 39u + t % 32u + u32(7 - k);
      let w0 = met_by[at + 0u];
      let w1 = met_by[at + 39u];
      let w2 = met_by[at + 78u];
      let w3 = met_by[at + 117u];
      let w4 = met_by[at + 156u];
      let w5 = met_by[at + 195u];
      let w6 = met_by[at + 234u];
      let w7 = met_by[at + 273u];
      let w8 = met_by[at + 312u];
      let w9 = met_by[at + 351u];
      let w10 = met_by[at + 390u];
      let w11 = met_by[at + 429u];
      let w12 = met_by[at + 468u];
      let w13 = met_by[at + 507u];
      let w14 = met_by[at + 546u];
      let b0 = taps[k + 0];
      let b1 = taps[k + 8];
      let b2 = taps[k + 16];
      let b3 = taps[k + 24];
      let b4 = taps[k + 32];
      let b5 = taps[k + 40];
      let b6 = taps[k + 48];
      let b7 = taps[k + 56];
      if (left_y > 0) {
        r0 += w7 * b0;
        r1 += w8 * b0;
        r2 += w9 * b0;
        r3 += w10 * b0;
        r4 += w11 * b0;
        r5 += w12 * b0;
        r6 += w13 * b0;
        r7 += w14 * b0;
      }
      if (left_y > 1) {
        r0 += w6 * b1;
        r1 += w7 * b1;
        r2 += w8 * b1;
        r3 += w9 * b1;
        r4 += w10 * b1;
        r5 += w11 * b1;
        r6 += w12 * b1;
        r7 += w13 * b1;
      }
      if (left_y > 2) {
        r0 += w5 * b2;
        r1 += w6 * b2;
        r2 += w7 * b2;
        r3 += w8 * b2;
        r4 += w9 * b2;
        r5 += w10 * b2;
        r6 += w11 * b2;
        r7 += w12 * b2;
      }
      if (left_y > 3) {
        r0 += w4 * b3;
        r1 += w5 * b3;
        r2 += w6 * b3;
        r3 += w7 * b3;
        r4 += w8 * b3;
        r5 += w9 * b3;
        r6 += w10 * b3;
        r7 += w11 * b3;
      }
      if (left_y > 4) {
        r0 += w3 * b4;
        r1 += w4 * b4;
        r2 += w5 * b4;
        r3 += w6 * b4;
        r4 += w7 * b4;
        r5 += w8 * b4;
        r6 += w9 * b4;
        r7 += w10 * b4;
      }
      if (left_y > 5) {
        r0 += w2 * b5;
        r1 += w3 * b5;
        r2 += w4 * b5;
        r3 += w5 * b5;
        r4 += w6 * b5;
        r5 += w7 * b5;
        r6 += w8 * b5;
        r7 += w9 * b5;
      }
      if (left_y > 6) {
        r0 += w1 * b6;
        r1 += w2 * b6;
        r2 += w3 * b6;
        r3 += w4 * b6;
        r4 += w5 * b6;
        r5 += w6 * b6;
        r6 += w7 * b6;
        r7 += w8 * b6;
      }
      if (left_y > 7) {
        r0 += w0 * b7;
        r1 += w1 * b7;
        r2 += w2 * b7;
        r3 += w3 * b7;
        r4 += w4 * b7;
        r5 += w5 * b7;
        r6 += w6 * b7;
        r7 += w7 * b7;
      }
    }
    s0 += r0;
    s1 += r1;
    s2 += r2;
    s3 += r3;
    s4 += r4;
    s5 += r5;
    s6 += r6;
    s7 += r7;
  }
  put(x0 + t % 32u, y0 + 8u * (t / 32u) + 0u, z, page, s0);
  put(x0 + t % 32u, y0 + 8u * (t / 32u) + 1u, z, page, s1);
  put(x0 + t % 32u, y0 + 8u * (t / 32u) + 2u, z, page, s2);
  put(x0 + t % 32u, y0 + 8u * (t / 32u) + 3u, z, page, s3);
  put(x0 + t % 32u, y0 + 8u * (t / 32u) + 4u, z, page, s4);
  put(x0 + t % 32u, y0 + 8u * (t / 32u) + 5u, z, page, s5);
  put(x0 + t % 32u, y0 + 8u * (t / 32u) + 6u, z, page, s6);
  put(x0 + t % 32u, y0 + 8u * (t / 32u) + 7u, z, page, s7);
}
