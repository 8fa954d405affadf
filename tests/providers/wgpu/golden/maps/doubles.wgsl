struct P {
  zero: u32,
  e0: u32,
  wide: u32,
  o0: u32,
  o1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec2<f64>>;
@group(0) @binding(1) var<storage, read_write> b1: array<vec2<f64>>;


@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) global_invocation_id: vec3<u32>) {
  let gid = global_invocation_id;
  let i0 = (gid.x + gid.y * p.wide) * 2u;
  if (i0 >= p.e0) { return; }
  let valid = p.e0 - i0;
  let at0_1 = p.o0 + i0;
  let w_2 = b0[(at0_1 >> 1u)];
  let v0_0 = w_2.x;
  let v0_1 = w_2.y;
  let v2_0 = (v0_0 * 2.0lf);
  let v2_1 = (v0_1 * 2.0lf);
  let at1_3 = p.o1 + i0;
  if (valid >= 2u) {
    b1[(at1_3 >> 1u)] = vec2(v2_0, v2_1);
  } else {
    b1[(at1_3) >> 1u][(at1_3) & 1u] = v2_0;
    if (valid > 1u) { b1[(at1_3 + 1u) >> 1u][(at1_3 + 1u) & 1u] = v2_1; }
  }
}
