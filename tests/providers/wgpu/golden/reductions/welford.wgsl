struct P {
  zero: u32,
  tiles: u32,
  tile0: u32,
  part0: u32,
  units: u32,
  splits: u32,
  length: u32,
  steps: u32,
  full: u32,
  e0: u32,
  fast: u32,
  o0: u32,
  o1: u32,
  o2: u32,
  o3: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
@group(0) @binding(2) var<storage, read_write> b2: array<f32>;
@group(0) @binding(3) var<storage, read_write> b3: array<f32>;
var<workgroup> shared_0_State_r1: array<State_r1, 256>;

// All bits but the sign.
fn size_bits_f32(x: f32) -> u32 { return bitcast<u32>(x) & 0x7fffffffu; }

fn isnan_f32(x: f32) -> bool { return size_bits_f32(x) > 0x7f800000u; }

fn max_f32(x: f32, y: f32) -> f32 { return select(select(y, x, x > y), x, isnan_f32(y)); }

fn opaque_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p.zero); }


struct State_r1 { s0: f32, s1: f32, s2: f32 }
fn join_r1(a: State_r1, b: State_r1) -> State_r1 {
  let f6_1 = (a.s0 + b.s0);
  let f7_2 = (b.s1 - a.s1);
  let f9_3 = max_f32(f6_1, 1.0f);
  let f10_4 = (b.s0 / f9_3);
  let f11_5 = (f7_2 * f10_4);
  let f12_6 = (a.s1 + f11_5);
  let f13_7 = (a.s2 + b.s2);
  let f14_8 = (f7_2 * f7_2);
  let f15_9 = (f14_8 * a.s0);
  let f16_10 = (f15_9 * f10_4);
  let f17_11 = (f13_7 + f16_10);
  return State_r1(f6_1, f12_6, f17_11);
}
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local_invocation_index: u32, @builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let thread = local_invocation_index;
  let row = thread % 256u;
  let column = thread / 256u;
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let unit = (group % p.tiles + p.tile0) * 1u + column;
  let part = group / p.tiles + p.part0;
  let alive = unit < p.units && part < p.splits;
  let here = min(unit, p.units - 1u);
  let begin = part * p.length;
  let stop = select(0u, min(begin + p.length, p.steps), alive);
  let share = max(stop, begin) - begin;
  let filled = min(share, 256u);
  var acc_12: State_r1 = State_r1(bitcast<f32>(p.zero), bitcast<f32>(p.zero), bitcast<f32>(p.zero));
  var started_13 = false;
  var at_14 = begin + row;
  let whole_15 = min(stop, p.full);
  for (; at_14 + 768u < whole_15; at_14 += 1024u) {
    let q_16 = at_14 + 0u;
    let i0_17 = q_16 * 4u;
    let at0_18 = p.o0 + i0_17;
    let w_19 = b0[(at0_18 >> 2u)];
    let v0_20 = w_19.x;
    let v0_21 = w_19.y;
    let v0_22 = w_19.z;
    let v0_23 = w_19.w;
    let q_24 = at_14 + 256u;
    let i0_25 = q_24 * 4u;
    let at0_26 = p.o0 + i0_25;
    let w_27 = b0[(at0_26 >> 2u)];
    let v0_28 = w_27.x;
    let v0_29 = w_27.y;
    let v0_30 = w_27.z;
    let v0_31 = w_27.w;
    let q_32 = at_14 + 512u;
    let i0_33 = q_32 * 4u;
    let at0_34 = p.o0 + i0_33;
    let w_35 = b0[(at0_34 >> 2u)];
    let v0_36 = w_35.x;
    let v0_37 = w_35.y;
    let v0_38 = w_35.z;
    let v0_39 = w_35.w;
    let q_40 = at_14 + 768u;
    let i0_41 = q_40 * 4u;
    let at0_42 = p.o0 + i0_41;
    let w_43 = b0[(at0_42 >> 2u)];
    let v0_44 = w_43.x;
    let v0_45 = w_43.y;
    let v0_46 = w_43.z;
    let v0_47 = w_43.w;
    let mean_48 = opaque_f32(((((v0_20 + v0_21) + (v0_22 + v0_23)) + ((v0_28 + v0_29) + (v0_30 + v0_31))) + (((v0_36 + v0_37) + (v0_38 + v0_39)) + ((v0_44 + v0_45) + (v0_46 + v0_47)))) * 0.0625f);
    let d_49 = v0_20 - mean_48;
    let d_50 = v0_21 - mean_48;
    let d_51 = v0_22 - mean_48;
    let d_52 = v0_23 - mean_48;
    let d_53 = v0_28 - mean_48;
    let d_54 = v0_29 - mean_48;
    let d_55 = v0_30 - mean_48;
    let d_56 = v0_31 - mean_48;
    let d_57 = v0_36 - mean_48;
    let d_58 = v0_37 - mean_48;
    let d_59 = v0_38 - mean_48;
    let d_60 = v0_39 - mean_48;
    let d_61 = v0_44 - mean_48;
    let d_62 = v0_45 - mean_48;
    let d_63 = v0_46 - mean_48;
    let d_64 = v0_47 - mean_48;
    let t_65 = State_r1(16.0f, mean_48, ((((d_49 * d_49 + d_50 * d_50) + (d_51 * d_51 + d_52 * d_52)) + ((d_53 * d_53 + d_54 * d_54) + (d_55 * d_55 + d_56 * d_56))) + (((d_57 * d_57 + d_58 * d_58) + (d_59 * d_59 + d_60 * d_60)) + ((d_61 * d_61 + d_62 * d_62) + (d_63 * d_63 + d_64 * d_64)))));
    if (started_13) { acc_12 = join_r1(acc_12, t_65); } else { acc_12 = t_65; }
    started_13 = true;
  }
  for (; at_14 < stop; at_14 += 256u) {
    let i0_66 = at_14 * 4u;
    let valid_67 = p.e0 - i0_66;
    let at0_68 = p.o0 + i0_66;
    let w_69 = b0[(at0_68 >> 2u)];
    let v0_70 = w_69.x;
    let v0_71 = w_69.y;
    let v0_72 = w_69.z;
    let v0_73 = w_69.w;
      let s_74 = State_r1(1.0f, v0_70, bitcast<f32>(p.zero));
      if (started_13) { acc_12 = join_r1(acc_12, s_74); } else { acc_12 = s_74; }
    if (valid_67 > 1u) {
      let s_75 = State_r1(1.0f, v0_71, bitcast<f32>(p.zero));
      acc_12 = join_r1(acc_12, s_75);
    }
    if (valid_67 > 2u) {
      let s_76 = State_r1(1.0f, v0_72, bitcast<f32>(p.zero));
      acc_12 = join_r1(acc_12, s_76);
    }
    if (valid_67 > 3u) {
      let s_77 = State_r1(1.0f, v0_73, bitcast<f32>(p.zero));
      acc_12 = join_r1(acc_12, s_77);
    }
    started_13 = true;
  }
  shared_0_State_r1[thread] = acc_12;
  workgroupBarrier();
  for (var s = 128u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s;
      shared_0_State_r1[thread] = join_r1(shared_0_State_r1[thread], shared_0_State_r1[there]);
    }
    workgroupBarrier();
  }
  let first_78 = thread - row;
  let whole_79 = shared_0_State_r1[first_78];
  let r_80 = whole_79.s0;
  let r_81 = whole_79.s1;
  let r_82 = whole_79.s2;
  if (alive && row == 0u) {
    let at1_83 = p.o1;
    b1[at1_83] = r_80;
    let at2_84 = p.o2;
    b2[at2_84] = r_81;
    let at3_85 = p.o3;
    b3[at3_85] = r_82;
  }
  workgroupBarrier();
}
