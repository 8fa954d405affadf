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
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
var<workgroup> shared_0_State_r1: array<State_r1, 256>;


struct State_r1 { s0: f32, s1: f32 }
fn join_r1(a: State_r1, b: State_r1) -> State_r1 {
  let f4_1 = (a.s0 * b.s0);
  let f5_2 = (a.s1 * b.s0);
  let f6_3 = (f5_2 + b.s1);
  return State_r1(f4_1, f6_3);
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
  let run = (share + 255u) / 256u;
  let filled = (share + run - 1u) / max(run, 1u);
  var acc_4: State_r1 = State_r1(1.0f, bitcast<f32>(p.zero));
  var started_5 = false;
  let end_7 = min(begin + (row + 1u) * run, stop);
  var at_6 = begin + row * run;
  let whole_8 = min(end_7, p.full);
  for (; at_6 + 3u < whole_8; at_6 += 4u) {
    let q_9 = at_6 + 0u;
    let i0_10 = q_9 * 4u;
    let at0_11 = p.o0 + i0_10;
    let w_12 = b0[(at0_11 >> 2u)];
    let v0_13 = w_12.x;
    let v0_14 = w_12.y;
    let v0_15 = w_12.z;
    let v0_16 = w_12.w;
    let q_17 = at_6 + 1u;
    let i0_18 = q_17 * 4u;
    let at0_19 = p.o0 + i0_18;
    let w_20 = b0[(at0_19 >> 2u)];
    let v0_21 = w_20.x;
    let v0_22 = w_20.y;
    let v0_23 = w_20.z;
    let v0_24 = w_20.w;
    let q_25 = at_6 + 2u;
    let i0_26 = q_25 * 4u;
    let at0_27 = p.o0 + i0_26;
    let w_28 = b0[(at0_27 >> 2u)];
    let v0_29 = w_28.x;
    let v0_30 = w_28.y;
    let v0_31 = w_28.z;
    let v0_32 = w_28.w;
    let q_33 = at_6 + 3u;
    let i0_34 = q_33 * 4u;
    let at0_35 = p.o0 + i0_34;
    let w_36 = b0[(at0_35 >> 2u)];
    let v0_37 = w_36.x;
    let v0_38 = w_36.y;
    let v0_39 = w_36.z;
    let v0_40 = w_36.w;
    let f3_41 = (v0_13 * bitcast<f32>(p.zero));
    let f5_42 = (f3_41 + 0.9f);
    let f3_43 = (v0_14 * bitcast<f32>(p.zero));
    let f5_44 = (f3_43 + 0.9f);
    let f3_45 = (v0_15 * bitcast<f32>(p.zero));
    let f5_46 = (f3_45 + 0.9f);
    let f3_47 = (v0_16 * bitcast<f32>(p.zero));
    let f5_48 = (f3_47 + 0.9f);
    let f3_49 = (v0_21 * bitcast<f32>(p.zero));
    let f5_50 = (f3_49 + 0.9f);
    let f3_51 = (v0_22 * bitcast<f32>(p.zero));
    let f5_52 = (f3_51 + 0.9f);
    let f3_53 = (v0_23 * bitcast<f32>(p.zero));
    let f5_54 = (f3_53 + 0.9f);
    let f3_55 = (v0_24 * bitcast<f32>(p.zero));
    let f5_56 = (f3_55 + 0.9f);
    let f3_57 = (v0_29 * bitcast<f32>(p.zero));
    let f5_58 = (f3_57 + 0.9f);
    let f3_59 = (v0_30 * bitcast<f32>(p.zero));
    let f5_60 = (f3_59 + 0.9f);
    let f3_61 = (v0_31 * bitcast<f32>(p.zero));
    let f5_62 = (f3_61 + 0.9f);
    let f3_63 = (v0_32 * bitcast<f32>(p.zero));
    let f5_64 = (f3_63 + 0.9f);
    let f3_65 = (v0_37 * bitcast<f32>(p.zero));
    let f5_66 = (f3_65 + 0.9f);
    let f3_67 = (v0_38 * bitcast<f32>(p.zero));
    let f5_68 = (f3_67 + 0.9f);
    let f3_69 = (v0_39 * bitcast<f32>(p.zero));
    let f5_70 = (f3_69 + 0.9f);
    let f3_71 = (v0_40 * bitcast<f32>(p.zero));
    let f5_72 = (f3_71 + 0.9f);
    let s_73 = join_r1(State_r1(f5_42, v0_13), State_r1(f5_44, v0_14));
    let s_74 = join_r1(State_r1(f5_46, v0_15), State_r1(f5_48, v0_16));
    let s_75 = join_r1(State_r1(f5_50, v0_21), State_r1(f5_52, v0_22));
    let s_76 = join_r1(State_r1(f5_54, v0_23), State_r1(f5_56, v0_24));
    let s_77 = join_r1(State_r1(f5_58, v0_29), State_r1(f5_60, v0_30));
    let s_78 = join_r1(State_r1(f5_62, v0_31), State_r1(f5_64, v0_32));
    let s_79 = join_r1(State_r1(f5_66, v0_37), State_r1(f5_68, v0_38));
    let s_80 = join_r1(State_r1(f5_70, v0_39), State_r1(f5_72, v0_40));
    let s_81 = join_r1(s_73, s_74);
    let s_82 = join_r1(s_75, s_76);
    let s_83 = join_r1(s_77, s_78);
    let s_84 = join_r1(s_79, s_80);
    let s_85 = join_r1(s_81, s_82);
    let s_86 = join_r1(s_83, s_84);
    let s_87 = join_r1(s_85, s_86);
    if (started_5) { acc_4 = join_r1(acc_4, s_87); } else { acc_4 = s_87; }
    started_5 = true;
  }
  for (; at_6 < end_7; at_6 += 1u) {
    let i0_88 = at_6 * 4u;
    let valid_89 = p.e0 - i0_88;
    let at0_90 = p.o0 + i0_88;
    let w_91 = b0[(at0_90 >> 2u)];
    let v0_92 = w_91.x;
    let v0_93 = w_91.y;
    let v0_94 = w_91.z;
    let v0_95 = w_91.w;
      let f3_96 = (v0_92 * bitcast<f32>(p.zero));
      let f5_97 = (f3_96 + 0.9f);
      let s_98 = State_r1(f5_97, v0_92);
      if (started_5) { acc_4 = join_r1(acc_4, s_98); } else { acc_4 = s_98; }
    if (valid_89 > 1u) {
      let f3_99 = (v0_93 * bitcast<f32>(p.zero));
      let f5_100 = (f3_99 + 0.9f);
      let s_101 = State_r1(f5_100, v0_93);
      acc_4 = join_r1(acc_4, s_101);
    }
    if (valid_89 > 2u) {
      let f3_102 = (v0_94 * bitcast<f32>(p.zero));
      let f5_103 = (f3_102 + 0.9f);
      let s_104 = State_r1(f5_103, v0_94);
      acc_4 = join_r1(acc_4, s_104);
    }
    if (valid_89 > 3u) {
      let f3_105 = (v0_95 * bitcast<f32>(p.zero));
      let f5_106 = (f3_105 + 0.9f);
      let s_107 = State_r1(f5_106, v0_95);
      acc_4 = join_r1(acc_4, s_107);
    }
    started_5 = true;
  }
  shared_0_State_r1[thread] = acc_4;
  workgroupBarrier();
  for (var s = 1u; s < 256u; s = s << 1u) {
    if ((row & (2u * s - 1u)) == 0u && row + s < filled) {
      let there = thread + s;
      shared_0_State_r1[thread] = join_r1(shared_0_State_r1[thread], shared_0_State_r1[there]);
    }
    workgroupBarrier();
  }
  let first_108 = thread - row;
  let whole_109 = shared_0_State_r1[first_108];
  let r_110 = whole_109.s1;
  if (alive && row == 0u) {
    let at1_111 = p.o1;
    b1[at1_111] = r_110;
  }
  workgroupBarrier();
}
