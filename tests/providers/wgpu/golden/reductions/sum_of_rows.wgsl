struct P {
  zero: u32,
  tiles: u32,
  tile0: u32,
  part0: u32,
  units: u32,
  splits: u32,
  length: u32,
  steps: u32,
  e0: u32,
  fast: u32,
  e1: u32,
  o0: u32,
  s0_1: u32,
  o1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> b1: array<vec4<f32>>;
var<workgroup> shared_0_f32: array<f32, 1024>;


@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local_invocation_index: u32, @builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let thread = local_invocation_index;
  let column = thread % 32u;
  let row = thread / 32u;
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let unit = (group % p.tiles + p.tile0) * 32u + column;
  let part = group / p.tiles + p.part0;
  let alive = unit < p.units && part < p.splits;
  let here = min(unit, p.units - 1u);
  let begin = part * p.length;
  let stop = select(0u, min(begin + p.length, p.steps), alive);
  let share = max(stop, begin) - begin;
  let filled = min(share, 8u);
  let first0 = here * 4u;
  var acc_1: f32 = bitcast<f32>(p.zero);
  var acc_2: f32 = bitcast<f32>(p.zero);
  var acc_3: f32 = bitcast<f32>(p.zero);
  var acc_4: f32 = bitcast<f32>(p.zero);
  var at_5 = begin + row;
  for (; at_5 + 24u < stop; at_5 += 32u) {
    let q_6 = at_5 + 0u;
    let at0_7 = p.o0 + first0 + q_6 * p.s0_1;
    let w_8 = b0[(at0_7 >> 2u)];
    let v0_9 = w_8.x;
    let v0_10 = w_8.y;
    let v0_11 = w_8.z;
    let v0_12 = w_8.w;
    let q_13 = at_5 + 8u;
    let at0_14 = p.o0 + first0 + q_13 * p.s0_1;
    let w_15 = b0[(at0_14 >> 2u)];
    let v0_16 = w_15.x;
    let v0_17 = w_15.y;
    let v0_18 = w_15.z;
    let v0_19 = w_15.w;
    let q_20 = at_5 + 16u;
    let at0_21 = p.o0 + first0 + q_20 * p.s0_1;
    let w_22 = b0[(at0_21 >> 2u)];
    let v0_23 = w_22.x;
    let v0_24 = w_22.y;
    let v0_25 = w_22.z;
    let v0_26 = w_22.w;
    let q_27 = at_5 + 24u;
    let at0_28 = p.o0 + first0 + q_27 * p.s0_1;
    let w_29 = b0[(at0_28 >> 2u)];
    let v0_30 = w_29.x;
    let v0_31 = w_29.y;
    let v0_32 = w_29.z;
    let v0_33 = w_29.w;
    let s_34 = (v0_9 + v0_16);
    let s_35 = (v0_23 + v0_30);
    let s_36 = (s_34 + s_35);
    acc_1 = (acc_1 + s_36);
    let s_37 = (v0_10 + v0_17);
    let s_38 = (v0_24 + v0_31);
    let s_39 = (s_37 + s_38);
    acc_2 = (acc_2 + s_39);
    let s_40 = (v0_11 + v0_18);
    let s_41 = (v0_25 + v0_32);
    let s_42 = (s_40 + s_41);
    acc_3 = (acc_3 + s_42);
    let s_43 = (v0_12 + v0_19);
    let s_44 = (v0_26 + v0_33);
    let s_45 = (s_43 + s_44);
    acc_4 = (acc_4 + s_45);
  }
  for (; at_5 < stop; at_5 += 8u) {
    let at0_46 = p.o0 + first0 + at_5 * p.s0_1;
    let w_47 = b0[(at0_46 >> 2u)];
    let v0_48 = w_47.x;
    let v0_49 = w_47.y;
    let v0_50 = w_47.z;
    let v0_51 = w_47.w;
    acc_1 = (acc_1 + v0_48);
    acc_2 = (acc_2 + v0_49);
    acc_3 = (acc_3 + v0_50);
    acc_4 = (acc_4 + v0_51);
  }
  shared_0_f32[thread * 4u + 0u] = acc_1;
  shared_0_f32[thread * 4u + 1u] = acc_2;
  shared_0_f32[thread * 4u + 2u] = acc_3;
  shared_0_f32[thread * 4u + 3u] = acc_4;
  workgroupBarrier();
  for (var s = 4u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s * 32u;
      shared_0_f32[thread * 4u + 0u] = (shared_0_f32[thread * 4u + 0u] + shared_0_f32[there * 4u + 0u]);
      shared_0_f32[thread * 4u + 1u] = (shared_0_f32[thread * 4u + 1u] + shared_0_f32[there * 4u + 1u]);
      shared_0_f32[thread * 4u + 2u] = (shared_0_f32[thread * 4u + 2u] + shared_0_f32[there * 4u + 2u]);
      shared_0_f32[thread * 4u + 3u] = (shared_0_f32[thread * 4u + 3u] + shared_0_f32[there * 4u + 3u]);
    }
    workgroupBarrier();
  }
  let first_52 = thread - row * 32u;
  let whole_53 = shared_0_f32[first_52 * 4u + 0u];
  let whole_54 = shared_0_f32[first_52 * 4u + 1u];
  let whole_55 = shared_0_f32[first_52 * 4u + 2u];
  let whole_56 = shared_0_f32[first_52 * 4u + 3u];
  let r_57 = whole_53;
  let r_58 = whole_54;
  let r_59 = whole_55;
  let r_60 = whole_56;
  if (alive && row == 0u) {
    let at1_61 = p.o1 + first0;
    b1[(at1_61 >> 2u)] = vec4(r_57, r_58, r_59, r_60);
  }
  workgroupBarrier();
}
