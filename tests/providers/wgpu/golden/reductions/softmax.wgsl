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
  s1_1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> b1: array<vec4<f32>>;
var<workgroup> shared_0_f32: array<f32, 256>;

struct Expansion_f32 { r: f32, tail: f32, power: i32 }

const log2_e_f32: f32 = 1.442695f;

fn opaque_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p.zero); }

const ln2_high_f32: f32 = 0.69311523f;

const ln2_low_f32: f32 = 3.1946183e-05f;

// (e^r - 1 - r - r^2 / 2) / r^3 for |r| <= ln(2) / 2.
fn exp_tail_f32(z: f32) -> f32 {
  return 0.16666515f + z * (0.041666377f + z * (0.008369388f + z * 0.0013942999f));
}

// Of x + more, where `more` is small against one and |x| below 2^10.
fn expansion_f32(x: f32, more: f32) -> Expansion_f32 {
  let count = floor(x * log2_e_f32 + 0.5f);
  let start = opaque_f32(x - count * ln2_high_f32);
  let offset = opaque_f32(count * ln2_low_f32);
  let r = opaque_f32(start - offset);
  let rest = opaque_f32(opaque_f32(start - r) - offset) + more;
  let square = r * r;
  let tail = opaque_f32(0.5f * square + square * r * exp_tail_f32(r));
  return Expansion_f32(r, opaque_f32(tail + rest * (1.0f + (r + tail))), i32(count));
}

const exp_lowest_f32: f32 = -104.5f;

const exp_highest_f32: f32 = 89.0f;

// 2^power for the powers of normal numbers.
fn power_of_two_f32(power: i32) -> f32 { return bitcast<f32>(u32(power + 127i) << 23u); }

// x 2^power, rounded once, for powers of twice the range of normal numbers.
fn scaled_f32(x: f32, power: i32) -> f32 {
  let first = power >> 1u;
  return opaque_f32(x * power_of_two_f32(first)) * power_of_two_f32(power - first);
}

// All bits but the sign.
fn size_bits_f32(x: f32) -> u32 { return bitcast<u32>(x) & 0x7fffffffu; }

fn isnan_f32(x: f32) -> bool { return size_bits_f32(x) > 0x7f800000u; }

fn exp_any_f32(x: f32) -> f32 {
  let e = expansion_f32(clamp(x, exp_lowest_f32, exp_highest_f32), 0.0f);
  return select(scaled_f32(1.0f + opaque_f32(e.r + e.tail), e.power), x, isnan_f32(x));
}

fn exp_f32(x: f32) -> f32 { return exp_any_f32(x); }

fn max_f32(x: f32, y: f32) -> f32 { return select(select(y, x, x > y), x, isnan_f32(y)); }


fn join_r1(a: f32, b: f32) -> f32 {
  let f2_1 = max_f32(a, b);
  return f2_1;
}
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local_invocation_index: u32, @builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let thread = local_invocation_index;
  let row = thread % 16u;
  let column = thread / 16u;
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let unit = (group % p.tiles + p.tile0) * 16u + column;
  let part = group / p.tiles + p.part0;
  let alive = unit < p.units && part < p.splits;
  let here = min(unit, p.units - 1u);
  let begin = part * p.length;
  let stop = select(0u, min(begin + p.length, p.steps), alive);
  let share = max(stop, begin) - begin;
  let filled = min(share, 16u);
  var acc_2: f32 = bitcast<f32>(0x7fc00000u | p.zero);
  var at_3 = begin + row;
  for (; at_3 + 16u < stop; at_3 += 32u) {
    let q_4 = at_3 + 0u;
    let i0_5 = q_4 * 4u;
    let at0_6 = p.o0 + i0_5 + here * p.s0_1;
    let w_7 = b0[(at0_6 >> 2u)];
    let v0_8 = w_7.x;
    let v0_9 = w_7.y;
    let v0_10 = w_7.z;
    let v0_11 = w_7.w;
    let q_12 = at_3 + 16u;
    let i0_13 = q_12 * 4u;
    let at0_14 = p.o0 + i0_13 + here * p.s0_1;
    let w_15 = b0[(at0_14 >> 2u)];
    let v0_16 = w_15.x;
    let v0_17 = w_15.y;
    let v0_18 = w_15.z;
    let v0_19 = w_15.w;
    let s_20 = join_r1(v0_8, v0_9);
    let s_21 = join_r1(v0_10, v0_11);
    let s_22 = join_r1(v0_16, v0_17);
    let s_23 = join_r1(v0_18, v0_19);
    let s_24 = join_r1(s_20, s_21);
    let s_25 = join_r1(s_22, s_23);
    let s_26 = join_r1(s_24, s_25);
    acc_2 = join_r1(acc_2, s_26);
  }
  for (; at_3 < stop; at_3 += 16u) {
    let i0_27 = at_3 * 4u;
    let at0_28 = p.o0 + i0_27 + here * p.s0_1;
    let w_29 = b0[(at0_28 >> 2u)];
    let v0_30 = w_29.x;
    let v0_31 = w_29.y;
    let v0_32 = w_29.z;
    let v0_33 = w_29.w;
    let s_34 = join_r1(v0_30, v0_31);
    let s_35 = join_r1(v0_32, v0_33);
    let s_36 = join_r1(s_34, s_35);
    acc_2 = join_r1(acc_2, s_36);
  }
  shared_0_f32[thread] = acc_2;
  workgroupBarrier();
  for (var s = 8u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s;
      shared_0_f32[thread] = join_r1(shared_0_f32[thread], shared_0_f32[there]);
    }
    workgroupBarrier();
  }
  let first_37 = thread - row;
  let whole_38 = shared_0_f32[first_37];
  let r_39 = whole_38;
  workgroupBarrier();
  var acc_40: f32 = bitcast<f32>(p.zero);
  var at_41 = begin + row;
  for (; at_41 + 16u < stop; at_41 += 32u) {
    let q_42 = at_41 + 0u;
    let i0_43 = q_42 * 4u;
    let at0_44 = p.o0 + i0_43 + here * p.s0_1;
    let w_45 = b0[(at0_44 >> 2u)];
    let v0_46 = w_45.x;
    let v0_47 = w_45.y;
    let v0_48 = w_45.z;
    let v0_49 = w_45.w;
    let v2_50 = (v0_46 - r_39);
    let v2_51 = (v0_47 - r_39);
    let v2_52 = (v0_48 - r_39);
    let v2_53 = (v0_49 - r_39);
    let v3_54 = exp_f32(v2_50);
    let v3_55 = exp_f32(v2_51);
    let v3_56 = exp_f32(v2_52);
    let v3_57 = exp_f32(v2_53);
    let q_58 = at_41 + 16u;
    let i0_59 = q_58 * 4u;
    let at0_60 = p.o0 + i0_59 + here * p.s0_1;
    let w_61 = b0[(at0_60 >> 2u)];
    let v0_62 = w_61.x;
    let v0_63 = w_61.y;
    let v0_64 = w_61.z;
    let v0_65 = w_61.w;
    let v2_66 = (v0_62 - r_39);
    let v2_67 = (v0_63 - r_39);
    let v2_68 = (v0_64 - r_39);
    let v2_69 = (v0_65 - r_39);
    let v3_70 = exp_f32(v2_66);
    let v3_71 = exp_f32(v2_67);
    let v3_72 = exp_f32(v2_68);
    let v3_73 = exp_f32(v2_69);
    let s_74 = (v3_54 + v3_55);
    let s_75 = (v3_56 + v3_57);
    let s_76 = (v3_70 + v3_71);
    let s_77 = (v3_72 + v3_73);
    let s_78 = (s_74 + s_75);
    let s_79 = (s_76 + s_77);
    let s_80 = (s_78 + s_79);
    acc_40 = (acc_40 + s_80);
  }
  for (; at_41 < stop; at_41 += 16u) {
    let i0_81 = at_41 * 4u;
    let at0_82 = p.o0 + i0_81 + here * p.s0_1;
    let w_83 = b0[(at0_82 >> 2u)];
    let v0_84 = w_83.x;
    let v0_85 = w_83.y;
    let v0_86 = w_83.z;
    let v0_87 = w_83.w;
    let v2_88 = (v0_84 - r_39);
    let v2_89 = (v0_85 - r_39);
    let v2_90 = (v0_86 - r_39);
    let v2_91 = (v0_87 - r_39);
    let v3_92 = exp_f32(v2_88);
    let v3_93 = exp_f32(v2_89);
    let v3_94 = exp_f32(v2_90);
    let v3_95 = exp_f32(v2_91);
    let s_96 = (v3_92 + v3_93);
    let s_97 = (v3_94 + v3_95);
    let s_98 = (s_96 + s_97);
    acc_40 = (acc_40 + s_98);
  }
  shared_0_f32[thread] = acc_40;
  workgroupBarrier();
  for (var s = 8u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s;
      shared_0_f32[thread] = (shared_0_f32[thread] + shared_0_f32[there]);
    }
    workgroupBarrier();
  }
  let first_99 = thread - row;
  let whole_100 = shared_0_f32[first_99];
  let r_101 = whole_100;
  workgroupBarrier();
  var at_102 = begin + row;
  for (; at_102 + 16u < stop; at_102 += 32u) {
    let q_103 = at_102 + 0u;
    let i0_104 = q_103 * 4u;
    let at0_105 = p.o0 + i0_104 + here * p.s0_1;
    let w_106 = b0[(at0_105 >> 2u)];
    let v0_107 = w_106.x;
    let v0_108 = w_106.y;
    let v0_109 = w_106.z;
    let v0_110 = w_106.w;
    let v2_111 = (v0_107 - r_39);
    let v2_112 = (v0_108 - r_39);
    let v2_113 = (v0_109 - r_39);
    let v2_114 = (v0_110 - r_39);
    let v3_115 = exp_f32(v2_111);
    let v3_116 = exp_f32(v2_112);
    let v3_117 = exp_f32(v2_113);
    let v3_118 = exp_f32(v2_114);
    let v5_119 = (v3_115 / r_101);
    let v5_120 = (v3_116 / r_101);
    let v5_121 = (v3_117 / r_101);
    let v5_122 = (v3_118 / r_101);
    let q_123 = at_102 + 16u;
    let i0_124 = q_123 * 4u;
    let at0_125 = p.o0 + i0_124 + here * p.s0_1;
    let w_126 = b0[(at0_125 >> 2u)];
    let v0_127 = w_126.x;
    let v0_128 = w_126.y;
    let v0_129 = w_126.z;
    let v0_130 = w_126.w;
    let v2_131 = (v0_127 - r_39);
    let v2_132 = (v0_128 - r_39);
    let v2_133 = (v0_129 - r_39);
    let v2_134 = (v0_130 - r_39);
    let v3_135 = exp_f32(v2_131);
    let v3_136 = exp_f32(v2_132);
    let v3_137 = exp_f32(v2_133);
    let v3_138 = exp_f32(v2_134);
    let v5_139 = (v3_135 / r_101);
    let v5_140 = (v3_136 / r_101);
    let v5_141 = (v3_137 / r_101);
    let v5_142 = (v3_138 / r_101);
    let at1_143 = p.o1 + i0_104 + here * p.s1_1;
    b1[(at1_143 >> 2u)] = vec4(v5_119, v5_120, v5_121, v5_122);
    let at1_144 = p.o1 + i0_124 + here * p.s1_1;
    b1[(at1_144 >> 2u)] = vec4(v5_139, v5_140, v5_141, v5_142);
  }
  for (; at_102 < stop; at_102 += 16u) {
    let i0_145 = at_102 * 4u;
    let at0_146 = p.o0 + i0_145 + here * p.s0_1;
    let w_147 = b0[(at0_146 >> 2u)];
    let v0_148 = w_147.x;
    let v0_149 = w_147.y;
    let v0_150 = w_147.z;
    let v0_151 = w_147.w;
    let v2_152 = (v0_148 - r_39);
    let v2_153 = (v0_149 - r_39);
    let v2_154 = (v0_150 - r_39);
    let v2_155 = (v0_151 - r_39);
    let v3_156 = exp_f32(v2_152);
    let v3_157 = exp_f32(v2_153);
    let v3_158 = exp_f32(v2_154);
    let v3_159 = exp_f32(v2_155);
    let v5_160 = (v3_156 / r_101);
    let v5_161 = (v3_157 / r_101);
    let v5_162 = (v3_158 / r_101);
    let v5_163 = (v3_159 / r_101);
    let at1_164 = p.o1 + i0_145 + here * p.s1_1;
    b1[(at1_164 >> 2u)] = vec4(v5_160, v5_161, v5_162, v5_163);
  }
}
