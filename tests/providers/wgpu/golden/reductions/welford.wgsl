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
  var acc_12_from: f32 = 0;
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
    if (!started_13) { acc_12_from = v0_20; }
    let d_48 = v0_20 - acc_12_from;
    let d_49 = v0_21 - acc_12_from;
    let d_50 = v0_22 - acc_12_from;
    let d_51 = v0_23 - acc_12_from;
    let d_52 = v0_28 - acc_12_from;
    let d_53 = v0_29 - acc_12_from;
    let d_54 = v0_30 - acc_12_from;
    let d_55 = v0_31 - acc_12_from;
    let d_56 = v0_36 - acc_12_from;
    let d_57 = v0_37 - acc_12_from;
    let d_58 = v0_38 - acc_12_from;
    let d_59 = v0_39 - acc_12_from;
    let d_60 = v0_44 - acc_12_from;
    let d_61 = v0_45 - acc_12_from;
    let d_62 = v0_46 - acc_12_from;
    let d_63 = v0_47 - acc_12_from;
    acc_12.s0 = acc_12.s0 + 16.0f;
    acc_12.s1 = acc_12.s1 + ((((d_48 + d_49) + (d_50 + d_51)) + ((d_52 + d_53) + (d_54 + d_55))) + (((d_56 + d_57) + (d_58 + d_59)) + ((d_60 + d_61) + (d_62 + d_63))));
    acc_12.s2 = acc_12.s2 + ((((d_48 * d_48 + d_49 * d_49) + (d_50 * d_50 + d_51 * d_51)) + ((d_52 * d_52 + d_53 * d_53) + (d_54 * d_54 + d_55 * d_55))) + (((d_56 * d_56 + d_57 * d_57) + (d_58 * d_58 + d_59 * d_59)) + ((d_60 * d_60 + d_61 * d_61) + (d_62 * d_62 + d_63 * d_63))));
    started_13 = true;
  }
  for (; at_14 < stop; at_14 += 256u) {
    let i0_64 = at_14 * 4u;
    let valid_65 = p.e0 - i0_64;
    let at0_66 = p.o0 + i0_64;
    let w_67 = b0[(at0_66 >> 2u)];
    let v0_68 = w_67.x;
    let v0_69 = w_67.y;
    let v0_70 = w_67.z;
    let v0_71 = w_67.w;
    if (!started_13) { acc_12_from = v0_68; }
      let d_72 = v0_68 - acc_12_from;
      acc_12.s0 = acc_12.s0 + 1.0f;
      acc_12.s1 = acc_12.s1 + d_72;
      acc_12.s2 = acc_12.s2 + d_72 * d_72;
    if (valid_65 > 1u) {
      let d_73 = v0_69 - acc_12_from;
      acc_12.s0 = acc_12.s0 + 1.0f;
      acc_12.s1 = acc_12.s1 + d_73;
      acc_12.s2 = acc_12.s2 + d_73 * d_73;
    }
    if (valid_65 > 2u) {
      let d_74 = v0_70 - acc_12_from;
      acc_12.s0 = acc_12.s0 + 1.0f;
      acc_12.s1 = acc_12.s1 + d_74;
      acc_12.s2 = acc_12.s2 + d_74 * d_74;
    }
    if (valid_65 > 3u) {
      let d_75 = v0_71 - acc_12_from;
      acc_12.s0 = acc_12.s0 + 1.0f;
      acc_12.s1 = acc_12.s1 + d_75;
      acc_12.s2 = acc_12.s2 + d_75 * d_75;
    }
    started_13 = true;
  }
  if (acc_12.s0 > 0) {
    let off = acc_12.s1 / acc_12.s0;
    let rest = acc_12.s2 - acc_12.s1 * off;
    acc_12 = State_r1(acc_12.s0, acc_12_from + off, select(rest, 0, rest < 0));
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
  let first_76 = thread - row;
  let whole_77 = shared_0_State_r1[first_76];
  let r_78 = whole_77.s0;
  let r_79 = whole_77.s1;
  let r_80 = whole_77.s2;
  if (alive && row == 0u) {
    let at1_81 = p.o1;
    b1[at1_81] = r_78;
    let at2_82 = p.o2;
    b2[at2_82] = r_79;
    let at3_83 = p.o3;
    b3[at3_83] = r_80;
  }
  workgroupBarrier();
}
