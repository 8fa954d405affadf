struct P {
  zero: u32,
  e0: u32,
  wide: u32,
  o0: u32,
  n1: u32,
  o2: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<i32>>;
@group(0) @binding(1) var<storage, read> b1: array<f32>;
@group(0) @binding(2) var<storage, read_write> b2: array<vec4<f32>>;


@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) global_invocation_id: vec3<u32>) {
  let gid = global_invocation_id;
  let i0 = (gid.x + gid.y * p.wide) * 4u;
  if (i0 >= p.e0) { return; }
  let valid = p.e0 - i0;
  let at0_1 = p.o0 + i0;
  let w_2 = b0[(at0_1 >> 2u)];
  let v0_0 = w_2.x;
  let v0_1 = w_2.y;
  let v0_2 = w_2.z;
  let v0_3 = w_2.w;
  let g_3 = vec2<u32>(bitcast<u32>(v0_0), bitcast<u32>(v0_0 >> 31u));
  let t_4 = g_3.y == 0u && g_3.x < p.n1;
  let t_5 = b1[select(0u, g_3.x, t_4)];
  let v2_0 = select(bitcast<f32>(p.zero), t_5, t_4);
  let g_6 = vec2<u32>(bitcast<u32>(v0_1), bitcast<u32>(v0_1 >> 31u));
  let t_7 = g_6.y == 0u && g_6.x < p.n1;
  let t_8 = b1[select(0u, g_6.x, t_7)];
  let v2_1 = select(bitcast<f32>(p.zero), t_8, t_7);
  let g_9 = vec2<u32>(bitcast<u32>(v0_2), bitcast<u32>(v0_2 >> 31u));
  let t_10 = g_9.y == 0u && g_9.x < p.n1;
  let t_11 = b1[select(0u, g_9.x, t_10)];
  let v2_2 = select(bitcast<f32>(p.zero), t_11, t_10);
  let g_12 = vec2<u32>(bitcast<u32>(v0_3), bitcast<u32>(v0_3 >> 31u));
  let t_13 = g_12.y == 0u && g_12.x < p.n1;
  let t_14 = b1[select(0u, g_12.x, t_13)];
  let v2_3 = select(bitcast<f32>(p.zero), t_14, t_13);
  let at2_15 = p.o2 + i0;
  if (valid >= 4u) {
    b2[(at2_15 >> 2u)] = vec4(v2_0, v2_1, v2_2, v2_3);
  } else {
    b2[(at2_15) >> 2u][(at2_15) & 3u] = v2_0;
    if (valid > 1u) { b2[(at2_15 + 1u) >> 2u][(at2_15 + 1u) & 3u] = v2_1; }
    if (valid > 2u) { b2[(at2_15 + 2u) >> 2u][(at2_15 + 2u) & 3u] = v2_2; }
    if (valid > 3u) { b2[(at2_15 + 3u) >> 2u][(at2_15 + 3u) & 3u] = v2_3; }
  }
}
