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
  for (; at_3 + 48u < stop; at_3 += 64u) {
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
    let q_20 = at_3 + 32u;
    let i0_21 = q_20 * 4u;
    let at0_22 = p.o0 + i0_21 + here * p.s0_1;
    let w_23 = b0[(at0_22 >> 2u)];
    let v0_24 = w_23.x;
    let v0_25 = w_23.y;
    let v0_26 = w_23.z;
    let v0_27 = w_23.w;
    let q_28 = at_3 + 48u;
    let i0_29 = q_28 * 4u;
    let at0_30 = p.o0 + i0_29 + here * p.s0_1;
    let w_31 = b0[(at0_30 >> 2u)];
    let v0_32 = w_31.x;
    let v0_33 = w_31.y;
    let v0_34 = w_31.z;
    let v0_35 = w_31.w;
    let s_36 = join_r1(v0_8, v0_9);
    let s_37 = join_r1(v0_10, v0_11);
    let s_38 = join_r1(v0_16, v0_17);
    let s_39 = join_r1(v0_18, v0_19);
    let s_40 = join_r1(v0_24, v0_25);
    let s_41 = join_r1(v0_26, v0_27);
    let s_42 = join_r1(v0_32, v0_33);
    let s_43 = join_r1(v0_34, v0_35);
    let s_44 = join_r1(s_36, s_37);
    let s_45 = join_r1(s_38, s_39);
    let s_46 = join_r1(s_40, s_41);
    let s_47 = join_r1(s_42, s_43);
    let s_48 = join_r1(s_44, s_45);
    let s_49 = join_r1(s_46, s_47);
    let s_50 = join_r1(s_48, s_49);
    acc_2 = join_r1(acc_2, s_50);
  }
  for (; at_3 < stop; at_3 += 16u) {
    let i0_51 = at_3 * 4u;
    let at0_52 = p.o0 + i0_51 + here * p.s0_1;
    let w_53 = b0[(at0_52 >> 2u)];
    let v0_54 = w_53.x;
    let v0_55 = w_53.y;
    let v0_56 = w_53.z;
    let v0_57 = w_53.w;
    let s_58 = join_r1(v0_54, v0_55);
    let s_59 = join_r1(v0_56, v0_57);
    let s_60 = join_r1(s_58, s_59);
    acc_2 = join_r1(acc_2, s_60);
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
  let first_61 = thread - row;
  let whole_62 = shared_0_f32[first_61];
  let r_63 = whole_62;
  workgroupBarrier();
  var acc_64: f32 = bitcast<f32>(p.zero);
  var at_65 = begin + row;
  for (; at_65 + 48u < stop; at_65 += 64u) {
    let q_66 = at_65 + 0u;
    let i0_67 = q_66 * 4u;
    let at0_68 = p.o0 + i0_67 + here * p.s0_1;
    let w_69 = b0[(at0_68 >> 2u)];
    let v0_70 = w_69.x;
    let v0_71 = w_69.y;
    let v0_72 = w_69.z;
    let v0_73 = w_69.w;
    let v2_74 = (v0_70 - r_63);
    let v2_75 = (v0_71 - r_63);
    let v2_76 = (v0_72 - r_63);
    let v2_77 = (v0_73 - r_63);
    let v3_78 = exp_f32(v2_74);
    let v3_79 = exp_f32(v2_75);
    let v3_80 = exp_f32(v2_76);
    let v3_81 = exp_f32(v2_77);
    let q_82 = at_65 + 16u;
    let i0_83 = q_82 * 4u;
    let at0_84 = p.o0 + i0_83 + here * p.s0_1;
    let w_85 = b0[(at0_84 >> 2u)];
    let v0_86 = w_85.x;
    let v0_87 = w_85.y;
    let v0_88 = w_85.z;
    let v0_89 = w_85.w;
    let v2_90 = (v0_86 - r_63);
    let v2_91 = (v0_87 - r_63);
    let v2_92 = (v0_88 - r_63);
    let v2_93 = (v0_89 - r_63);
    let v3_94 = exp_f32(v2_90);
    let v3_95 = exp_f32(v2_91);
    let v3_96 = exp_f32(v2_92);
    let v3_97 = exp_f32(v2_93);
    let q_98 = at_65 + 32u;
    let i0_99 = q_98 * 4u;
    let at0_100 = p.o0 + i0_99 + here * p.s0_1;
    let w_101 = b0[(at0_100 >> 2u)];
    let v0_102 = w_101.x;
    let v0_103 = w_101.y;
    let v0_104 = w_101.z;
    let v0_105 = w_101.w;
    let v2_106 = (v0_102 - r_63);
    let v2_107 = (v0_103 - r_63);
    let v2_108 = (v0_104 - r_63);
    let v2_109 = (v0_105 - r_63);
    let v3_110 = exp_f32(v2_106);
    let v3_111 = exp_f32(v2_107);
    let v3_112 = exp_f32(v2_108);
    let v3_113 = exp_f32(v2_109);
    let q_114 = at_65 + 48u;
    let i0_115 = q_114 * 4u;
    let at0_116 = p.o0 + i0_115 + here * p.s0_1;
    let w_117 = b0[(at0_116 >> 2u)];
    let v0_118 = w_117.x;
    let v0_119 = w_117.y;
    let v0_120 = w_117.z;
    let v0_121 = w_117.w;
    let v2_122 = (v0_118 - r_63);
    let v2_123 = (v0_119 - r_63);
    let v2_124 = (v0_120 - r_63);
    let v2_125 = (v0_121 - r_63);
    let v3_126 = exp_f32(v2_122);
    let v3_127 = exp_f32(v2_123);
    let v3_128 = exp_f32(v2_124);
    let v3_129 = exp_f32(v2_125);
    let s_130 = (v3_78 + v3_79);
    let s_131 = (v3_80 + v3_81);
    let s_132 = (v3_94 + v3_95);
    let s_133 = (v3_96 + v3_97);
    let s_134 = (v3_110 + v3_111);
    let s_135 = (v3_112 + v3_113);
    let s_136 = (v3_126 + v3_127);
    let s_137 = (v3_128 + v3_129);
    let s_138 = (s_130 + s_131);
    let s_139 = (s_132 + s_133);
    let s_140 = (s_134 + s_135);
    let s_141 = (s_136 + s_137);
    let s_142 = (s_138 + s_139);
    let s_143 = (s_140 + s_141);
    let s_144 = (s_142 + s_143);
    acc_64 = (acc_64 + s_144);
  }
  for (; at_65 < stop; at_65 += 16u) {
    let i0_145 = at_65 * 4u;
    let at0_146 = p.o0 + i0_145 + here * p.s0_1;
    let w_147 = b0[(at0_146 >> 2u)];
    let v0_148 = w_147.x;
    let v0_149 = w_147.y;
    let v0_150 = w_147.z;
    let v0_151 = w_147.w;
    let v2_152 = (v0_148 - r_63);
    let v2_153 = (v0_149 - r_63);
    let v2_154 = (v0_150 - r_63);
    let v2_155 = (v0_151 - r_63);
    let v3_156 = exp_f32(v2_152);
    let v3_157 = exp_f32(v2_153);
    let v3_158 = exp_f32(v2_154);
    let v3_159 = exp_f32(v2_155);
    let s_160 = (v3_156 + v3_157);
    let s_161 = (v3_158 + v3_159);
    let s_162 = (s_160 + s_161);
    acc_64 = (acc_64 + s_162);
  }
  shared_0_f32[thread] = acc_64;
  workgroupBarrier();
  for (var s = 8u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s;
      shared_0_f32[thread] = (shared_0_f32[thread] + shared_0_f32[there]);
    }
    workgroupBarrier();
  }
  let first_163 = thread - row;
  let whole_164 = shared_0_f32[first_163];
  let r_165 = whole_164;
  workgroupBarrier();
  var at_166 = begin + row;
  for (; at_166 + 48u < stop; at_166 += 64u) {
    let q_167 = at_166 + 0u;
    let i0_168 = q_167 * 4u;
    let at0_169 = p.o0 + i0_168 + here * p.s0_1;
    let w_170 = b0[(at0_169 >> 2u)];
    let v0_171 = w_170.x;
    let v0_172 = w_170.y;
    let v0_173 = w_170.z;
    let v0_174 = w_170.w;
    let v2_175 = (v0_171 - r_63);
    let v2_176 = (v0_172 - r_63);
    let v2_177 = (v0_173 - r_63);
    let v2_178 = (v0_174 - r_63);
    let v3_179 = exp_f32(v2_175);
    let v3_180 = exp_f32(v2_176);
    let v3_181 = exp_f32(v2_177);
    let v3_182 = exp_f32(v2_178);
    let v5_183 = (v3_179 / r_165);
    let v5_184 = (v3_180 / r_165);
    let v5_185 = (v3_181 / r_165);
    let v5_186 = (v3_182 / r_165);
    let q_187 = at_166 + 16u;
    let i0_188 = q_187 * 4u;
    let at0_189 = p.o0 + i0_188 + here * p.s0_1;
    let w_190 = b0[(at0_189 >> 2u)];
    let v0_191 = w_190.x;
    let v0_192 = w_190.y;
    let v0_193 = w_190.z;
    let v0_194 = w_190.w;
    let v2_195 = (v0_191 - r_63);
    let v2_196 = (v0_192 - r_63);
    let v2_197 = (v0_193 - r_63);
    let v2_198 = (v0_194 - r_63);
    let v3_199 = exp_f32(v2_195);
    let v3_200 = exp_f32(v2_196);
    let v3_201 = exp_f32(v2_197);
    let v3_202 = exp_f32(v2_198);
    let v5_203 = (v3_199 / r_165);
    let v5_204 = (v3_200 / r_165);
    let v5_205 = (v3_201 / r_165);
    let v5_206 = (v3_202 / r_165);
    let q_207 = at_166 + 32u;
    let i0_208 = q_207 * 4u;
    let at0_209 = p.o0 + i0_208 + here * p.s0_1;
    let w_210 = b0[(at0_209 >> 2u)];
    let v0_211 = w_210.x;
    let v0_212 = w_210.y;
    let v0_213 = w_210.z;
    let v0_214 = w_210.w;
    let v2_215 = (v0_211 - r_63);
    let v2_216 = (v0_212 - r_63);
    let v2_217 = (v0_213 - r_63);
    let v2_218 = (v0_214 - r_63);
    let v3_219 = exp_f32(v2_215);
    let v3_220 = exp_f32(v2_216);
    let v3_221 = exp_f32(v2_217);
    let v3_222 = exp_f32(v2_218);
    let v5_223 = (v3_219 / r_165);
    let v5_224 = (v3_220 / r_165);
    let v5_225 = (v3_221 / r_165);
    let v5_226 = (v3_222 / r_165);
    let q_227 = at_166 + 48u;
    let i0_228 = q_227 * 4u;
    let at0_229 = p.o0 + i0_228 + here * p.s0_1;
    let w_230 = b0[(at0_229 >> 2u)];
    let v0_231 = w_230.x;
    let v0_232 = w_230.y;
    let v0_233 = w_230.z;
    let v0_234 = w_230.w;
    let v2_235 = (v0_231 - r_63);
    let v2_236 = (v0_232 - r_63);
    let v2_237 = (v0_233 - r_63);
    let v2_238 = (v0_234 - r_63);
    let v3_239 = exp_f32(v2_235);
    let v3_240 = exp_f32(v2_236);
    let v3_241 = exp_f32(v2_237);
    let v3_242 = exp_f32(v2_238);
    let v5_243 = (v3_239 / r_165);
    let v5_244 = (v3_240 / r_165);
    let v5_245 = (v3_241 / r_165);
    let v5_246 = (v3_242 / r_165);
    let at1_247 = p.o1 + i0_168 + here * p.s1_1;
    b1[(at1_247 >> 2u)] = vec4(v5_183, v5_184, v5_185, v5_186);
    let at1_248 = p.o1 + i0_188 + here * p.s1_1;
    b1[(at1_248 >> 2u)] = vec4(v5_203, v5_204, v5_205, v5_206);
    let at1_249 = p.o1 + i0_208 + here * p.s1_1;
    b1[(at1_249 >> 2u)] = vec4(v5_223, v5_224, v5_225, v5_226);
    let at1_250 = p.o1 + i0_228 + here * p.s1_1;
    b1[(at1_250 >> 2u)] = vec4(v5_243, v5_244, v5_245, v5_246);
  }
  for (; at_166 < stop; at_166 += 16u) {
    let i0_251 = at_166 * 4u;
    let at0_252 = p.o0 + i0_251 + here * p.s0_1;
    let w_253 = b0[(at0_252 >> 2u)];
    let v0_254 = w_253.x;
    let v0_255 = w_253.y;
    let v0_256 = w_253.z;
    let v0_257 = w_253.w;
    let v2_258 = (v0_254 - r_63);
    let v2_259 = (v0_255 - r_63);
    let v2_260 = (v0_256 - r_63);
    let v2_261 = (v0_257 - r_63);
    let v3_262 = exp_f32(v2_258);
    let v3_263 = exp_f32(v2_259);
    let v3_264 = exp_f32(v2_260);
    let v3_265 = exp_f32(v2_261);
    let v5_266 = (v3_262 / r_165);
    let v5_267 = (v3_263 / r_165);
    let v5_268 = (v3_264 / r_165);
    let v5_269 = (v3_265 / r_165);
    let at1_270 = p.o1 + i0_251 + here * p.s1_1;
    b1[(at1_270 >> 2u)] = vec4(v5_266, v5_267, v5_268, v5_269);
  }
}
