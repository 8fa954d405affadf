struct P {
  zero: u32,
  o0: u32,
  s0_0: u32,
  e0: u32,
  e1: u32,
  o1: u32,
  s1_1: u32,
  o2: u32,
  s2_1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b1: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> b2: array<vec4<f32>>;
var<workgroup> tile0: array<f32, 1056>;


@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local_invocation_index: u32) {
  let group = workgroup_id;
  let first0 = group.x * 32u;
  let first1 = group.y * 32u;
  for (var turn = local_invocation_index; turn < 256u; turn += 256u) {
    let near = (turn % 8u) * 4u;
    let far = turn / 8u;
    let i1 = first1 + near;
    let i0 = first0 + far;
    if (i0 < p.e0 && i1 < p.e1) {
      let at0_1 = p.o0 + i0 * p.s0_0 + i1;
      let w_2 = b0[(at0_1 >> 2u)];
      let v0_0 = w_2.x;
      let v0_1 = w_2.y;
      let v0_2 = w_2.z;
      let v0_3 = w_2.w;
      tile0[(near + 0u) * 33u + far] = v0_0;
      tile0[(near + 1u) * 33u + far] = v0_1;
      tile0[(near + 2u) * 33u + far] = v0_2;
      tile0[(near + 3u) * 33u + far] = v0_3;
    }
  }
  workgroupBarrier();
  for (var turn = local_invocation_index; turn < 256u; turn += 256u) {
    let near = (turn % 8u) * 4u;
    let far = turn / 8u;
    let i0 = first0 + near;
    let i1 = first1 + far;
    if (i0 < p.e0 && i1 < p.e1) {
      let c_3 = tile0[far * 33u + near + 0u];
      let c_4 = tile0[far * 33u + near + 1u];
      let c_5 = tile0[far * 33u + near + 2u];
      let c_6 = tile0[far * 33u + near + 3u];
      let at1_7 = p.o1 + i0 + i1 * p.s1_1;
      let w_8 = b1[(at1_7 >> 2u)];
      let v1_0 = w_8.x;
      let v1_1 = w_8.y;
      let v1_2 = w_8.z;
      let v1_3 = w_8.w;
      let v2_0 = (v1_0 + c_3);
      let v2_1 = (v1_1 + c_4);
      let v2_2 = (v1_2 + c_5);
      let v2_3 = (v1_3 + c_6);
      let at2_9 = p.o2 + i0 + i1 * p.s2_1;
      if ((p.e0 - i0) >= 4u) {
        b2[(at2_9 >> 2u)] = vec4(v2_0, v2_1, v2_2, v2_3);
      } else {
        b2[(at2_9) >> 2u][(at2_9) & 3u] = v2_0;
        if ((p.e0 - i0) > 1u) { b2[(at2_9 + 1u) >> 2u][(at2_9 + 1u) & 3u] = v2_1; }
        if ((p.e0 - i0) > 2u) { b2[(at2_9 + 2u) >> 2u][(at2_9 + 2u) & 3u] = v2_2; }
        if ((p.e0 - i0) > 3u) { b2[(at2_9 + 3u) >> 2u][(at2_9 + 3u) & 3u] = v2_3; }
      }
    }
  }
}
