struct P {
  zero: u32,
  tiles: u32,
  tile0: u32,
  part0: u32,
  units: u32,
  splits: u32,
  length: u32,
  steps: u32,
  e1: u32,
  e0: u32,
  fast: u32,
  o0: u32,
  s0_1: u32,
  o1: u32,
  o2: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
@group(0) @binding(2) var<storage, read_write> b2: array<f64>;
var<workgroup> shared_0_State_r1: array<State_r1, 256>;

// All bits but the sign.
fn size_bits_f32(x: f32) -> u32 { return bitcast<u32>(x) & 0x7fffffffu; }

fn isnan_f32(x: f32) -> bool { return size_bits_f32(x) > 0x7f800000u; }


struct State_r1 { s0: f32, s1: u32 }
fn join_r1(a: State_r1, b: State_r1) -> State_r1 {
  if (b.s1 != 0xffffffffu && (a.s1 == 0xffffffffu || ((b.s0 > a.s0) || (isnan_f32(a.s0) && !isnan_f32(b.s0))) || (!((a.s0 > b.s0) || (isnan_f32(b.s0) && !isnan_f32(a.s0))) && b.s1 < a.s1))) { return b; }
  return a;
}
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local_invocation_index: u32, @builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let thread = local_invocation_index;
  let row = thread % 128u;
  let column = thread / 128u;
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let unit = (group % p.tiles + p.tile0) * 2u + column;
  let part = group / p.tiles + p.part0;
  let alive = unit < p.units && part < p.splits;
  let here = min(unit, p.units - 1u);
  let begin = part * p.length;
  let stop = select(0u, min(begin + p.length, p.steps), alive);
  let share = max(stop, begin) - begin;
  let filled = min(share, 128u);
  var acc_1: State_r1 = State_r1(bitcast<f32>(p.zero), 0xffffffffu);
  var at_2 = begin + row;
  for (; at_2 + 384u < stop; at_2 += 512u) {
    let q_3 = at_2 + 0u;
    let i0_4 = q_3 * 4u;
    let at0_5 = p.o0 + i0_4 + here * p.s0_1;
    let w_6 = b0[(at0_5 >> 2u)];
    let v0_7 = w_6.x;
    let v0_8 = w_6.y;
    let v0_9 = w_6.z;
    let v0_10 = w_6.w;
    let q_11 = at_2 + 128u;
    let i0_12 = q_11 * 4u;
    let at0_13 = p.o0 + i0_12 + here * p.s0_1;
    let w_14 = b0[(at0_13 >> 2u)];
    let v0_15 = w_14.x;
    let v0_16 = w_14.y;
    let v0_17 = w_14.z;
    let v0_18 = w_14.w;
    let q_19 = at_2 + 256u;
    let i0_20 = q_19 * 4u;
    let at0_21 = p.o0 + i0_20 + here * p.s0_1;
    let w_22 = b0[(at0_21 >> 2u)];
    let v0_23 = w_22.x;
    let v0_24 = w_22.y;
    let v0_25 = w_22.z;
    let v0_26 = w_22.w;
    let q_27 = at_2 + 384u;
    let i0_28 = q_27 * 4u;
    let at0_29 = p.o0 + i0_28 + here * p.s0_1;
    let w_30 = b0[(at0_29 >> 2u)];
    let v0_31 = w_30.x;
    let v0_32 = w_30.y;
    let v0_33 = w_30.z;
    let v0_34 = w_30.w;
    let s_35 = join_r1(State_r1(v0_7, (q_3 * 4u + 0u)), State_r1(v0_8, (q_3 * 4u + 1u)));
    let s_36 = join_r1(State_r1(v0_9, (q_3 * 4u + 2u)), State_r1(v0_10, (q_3 * 4u + 3u)));
    let s_37 = join_r1(State_r1(v0_15, (q_11 * 4u + 0u)), State_r1(v0_16, (q_11 * 4u + 1u)));
    let s_38 = join_r1(State_r1(v0_17, (q_11 * 4u + 2u)), State_r1(v0_18, (q_11 * 4u + 3u)));
    let s_39 = join_r1(State_r1(v0_23, (q_19 * 4u + 0u)), State_r1(v0_24, (q_19 * 4u + 1u)));
    let s_40 = join_r1(State_r1(v0_25, (q_19 * 4u + 2u)), State_r1(v0_26, (q_19 * 4u + 3u)));
    let s_41 = join_r1(State_r1(v0_31, (q_27 * 4u + 0u)), State_r1(v0_32, (q_27 * 4u + 1u)));
    let s_42 = join_r1(State_r1(v0_33, (q_27 * 4u + 2u)), State_r1(v0_34, (q_27 * 4u + 3u)));
    let s_43 = join_r1(s_35, s_36);
    let s_44 = join_r1(s_37, s_38);
    let s_45 = join_r1(s_39, s_40);
    let s_46 = join_r1(s_41, s_42);
    let s_47 = join_r1(s_43, s_44);
    let s_48 = join_r1(s_45, s_46);
    let s_49 = join_r1(s_47, s_48);
    acc_1 = join_r1(acc_1, s_49);
  }
  for (; at_2 < stop; at_2 += 128u) {
    let i0_50 = at_2 * 4u;
    let at0_51 = p.o0 + i0_50 + here * p.s0_1;
    let w_52 = b0[(at0_51 >> 2u)];
    let v0_53 = w_52.x;
    let v0_54 = w_52.y;
    let v0_55 = w_52.z;
    let v0_56 = w_52.w;
    let s_57 = join_r1(State_r1(v0_53, (at_2 * 4u + 0u)), State_r1(v0_54, (at_2 * 4u + 1u)));
    let s_58 = join_r1(State_r1(v0_55, (at_2 * 4u + 2u)), State_r1(v0_56, (at_2 * 4u + 3u)));
    let s_59 = join_r1(s_57, s_58);
    acc_1 = join_r1(acc_1, s_59);
  }
  shared_0_State_r1[thread] = acc_1;
  workgroupBarrier();
  for (var s = 64u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s;
      shared_0_State_r1[thread] = join_r1(shared_0_State_r1[thread], shared_0_State_r1[there]);
    }
    workgroupBarrier();
  }
  let first_60 = thread - row;
  let whole_61 = shared_0_State_r1[first_60];
  let r_62 = whole_61.s0;
  let r_63 = select(f64(whole_61.s1), -1.0lf, whole_61.s1 == 0xffffffffu);
  if (alive && row == 0u) {
    let at1_64 = p.o1 + here;
    b1[at1_64] = r_62;
    let at2_65 = p.o2 + here;
    b2[at2_65] = r_63;
  }
  workgroupBarrier();
}
