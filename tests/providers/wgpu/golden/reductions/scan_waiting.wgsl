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
  o0: u32,
  o1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read_write> scratch0: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> b1: array<vec4<f32>>;
var<workgroup> ticket: u32;
var<workgroup> batches1: array<f32, 1056>;
var<workgroup> totals1: array<f32, 272>;
var<workgroup> teams_of1: array<f32, 17>;
var<workgroup> whole_of1: array<f32, 1>;
var<workgroup> seen_near1: array<f32, 33>;
var<workgroup> seen_far1: array<f32, 33>;


fn tell_1(at: u32, s: f32) {
  atomicStore(&scratch0[at + 0u], 0x10000u | (bitcast<u32>(s) & 0xffffu));
  atomicStore(&scratch0[at + 1u], 0x10000u | (bitcast<u32>(s) >> 16u));
}
fn await_1(at: u32) -> f32 {
  var w0 = 0u;
  var w1 = 0u;
  loop {
    w0 = atomicLoad(&scratch0[at + 0u]);
    w1 = atomicLoad(&scratch0[at + 1u]);
    if (w0 >= 0x10000u && w1 >= 0x10000u) { break; }
  }
  w0 &= 0xffffu;
  w1 &= 0xffffu;
  return bitcast<f32>(w0 | (w1 << 16u));
}
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local_invocation_index: u32, @builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let thread = local_invocation_index;
  let row = thread % 256u;
  let column = thread / 256u;
  if (thread == 0u) {
    ticket = atomicAdd(&scratch0[0], 1u);
  }
  workgroupBarrier();
  let group = ticket;
  let unit = (group % p.tiles + p.tile0) * 1u + column;
  let part = group / p.tiles + p.part0;
  let alive = unit < p.units && part < p.splits;
  let here = min(unit, p.units - 1u);
  let begin = part * p.length;
  let stop = select(0u, min(begin + p.length, p.steps), alive);
  let share = max(stop, begin) - begin;
  let run = (share + 255u) / 256u;
  let filled = (share + run - 1u) / max(run, 1u);
  let q_1 = begin + row;
  let i0_2 = q_1 * 4u;
  let at0_3 = p.o0 + i0_2;
  let w_4 = b0[(at0_3 >> 2u)];
  let v0_5 = w_4.x;
  let v0_6 = w_4.y;
  let v0_7 = w_4.z;
  let v0_8 = w_4.w;
  let q_9 = begin + row + 256u;
  let i0_10 = q_9 * 4u;
  let at0_11 = p.o0 + i0_10;
  let w_12 = b0[(at0_11 >> 2u)];
  let v0_13 = w_12.x;
  let v0_14 = w_12.y;
  let v0_15 = w_12.z;
  let v0_16 = w_12.w;
  let q_17 = begin + row + 512u;
  let i0_18 = q_17 * 4u;
  let at0_19 = p.o0 + i0_18;
  let w_20 = b0[(at0_19 >> 2u)];
  let v0_21 = w_20.x;
  let v0_22 = w_20.y;
  let v0_23 = w_20.z;
  let v0_24 = w_20.w;
  let q_25 = begin + row + 768u;
  let i0_26 = q_25 * 4u;
  let at0_27 = p.o0 + i0_26;
  let w_28 = b0[(at0_27 >> 2u)];
  let v0_29 = w_28.x;
  let v0_30 = w_28.y;
  let v0_31 = w_28.z;
  let v0_32 = w_28.w;
  let s_33 = v0_5;
  let s_34 = (s_33 + v0_6);
  let s_35 = (s_34 + v0_7);
  let s_36 = (s_35 + v0_8);
  let s_37 = v0_13;
  let s_38 = (s_37 + v0_14);
  let s_39 = (s_38 + v0_15);
  let s_40 = (s_39 + v0_16);
  let s_41 = v0_21;
  let s_42 = (s_41 + v0_22);
  let s_43 = (s_42 + v0_23);
  let s_44 = (s_43 + v0_24);
  let s_45 = v0_29;
  let s_46 = (s_45 + v0_30);
  let s_47 = (s_46 + v0_31);
  let s_48 = (s_47 + v0_32);
  batches1[(row) + ((row) >> 5u)] = s_36;
  batches1[(row + 256u) + ((row + 256u) >> 5u)] = s_40;
  batches1[(row + 512u) + ((row + 512u) >> 5u)] = s_44;
  batches1[(row + 768u) + ((row + 768u) >> 5u)] = s_48;
  workgroupBarrier();
  let run_49 = batches1[(row * 4u + 0u) + ((row * 4u + 0u) >> 5u)];
  let run_50 = (run_49 + batches1[(row * 4u + 1u) + ((row * 4u + 1u) >> 5u)]);
  let run_51 = (run_50 + batches1[(row * 4u + 2u) + ((row * 4u + 2u) >> 5u)]);
  let run_52 = (run_51 + batches1[(row * 4u + 3u) + ((row * 4u + 3u) >> 5u)]);
  totals1[thread + thread / 16u] = run_52;
  workgroupBarrier();
  if (thread < 16u) {
     {
      let own_88 = totals1[thread * 17u + 0u];
      let own_89 = totals1[thread * 17u + 1u];
      let own_90 = totals1[thread * 17u + 2u];
      let own_91 = totals1[thread * 17u + 3u];
      let own_92 = totals1[thread * 17u + 4u];
      let own_93 = totals1[thread * 17u + 5u];
      let own_94 = totals1[thread * 17u + 6u];
      let own_95 = totals1[thread * 17u + 7u];
      let own_96 = totals1[thread * 17u + 8u];
      let own_97 = totals1[thread * 17u + 9u];
      let own_98 = totals1[thread * 17u + 10u];
      let own_99 = totals1[thread * 17u + 11u];
      let own_100 = totals1[thread * 17u + 12u];
      let own_101 = totals1[thread * 17u + 13u];
      let own_102 = totals1[thread * 17u + 14u];
      let own_103 = totals1[thread * 17u + 15u];
      let all_104 = (own_88 + own_89);
      let all_105 = (all_104 + own_90);
      let all_106 = (all_105 + own_91);
      let all_107 = (all_106 + own_92);
      let all_108 = (all_107 + own_93);
      let all_109 = (all_108 + own_94);
      let all_110 = (all_109 + own_95);
      let all_111 = (all_110 + own_96);
      let all_112 = (all_111 + own_97);
      let all_113 = (all_112 + own_98);
      let all_114 = (all_113 + own_99);
      let all_115 = (all_114 + own_100);
      let all_116 = (all_115 + own_101);
      let all_117 = (all_116 + own_102);
      let all_118 = (all_117 + own_103);
      totals1[thread * 17u + 0u] = bitcast<f32>(p.zero);
      totals1[thread * 17u + 1u] = own_88;
      totals1[thread * 17u + 2u] = all_104;
      totals1[thread * 17u + 3u] = all_105;
      totals1[thread * 17u + 4u] = all_106;
      totals1[thread * 17u + 5u] = all_107;
      totals1[thread * 17u + 6u] = all_108;
      totals1[thread * 17u + 7u] = all_109;
      totals1[thread * 17u + 8u] = all_110;
      totals1[thread * 17u + 9u] = all_111;
      totals1[thread * 17u + 10u] = all_112;
      totals1[thread * 17u + 11u] = all_113;
      totals1[thread * 17u + 12u] = all_114;
      totals1[thread * 17u + 13u] = all_115;
      totals1[thread * 17u + 14u] = all_116;
      totals1[thread * 17u + 15u] = all_117;
      teams_of1[thread + thread / 16u] = all_118;
    }
  }
  workgroupBarrier();
  if (thread < 1u) {
     {
      let own_57 = teams_of1[thread * 17u + 0u];
      let own_58 = teams_of1[thread * 17u + 1u];
      let own_59 = teams_of1[thread * 17u + 2u];
      let own_60 = teams_of1[thread * 17u + 3u];
      let own_61 = teams_of1[thread * 17u + 4u];
      let own_62 = teams_of1[thread * 17u + 5u];
      let own_63 = teams_of1[thread * 17u + 6u];
      let own_64 = teams_of1[thread * 17u + 7u];
      let own_65 = teams_of1[thread * 17u + 8u];
      let own_66 = teams_of1[thread * 17u + 9u];
      let own_67 = teams_of1[thread * 17u + 10u];
      let own_68 = teams_of1[thread * 17u + 11u];
      let own_69 = teams_of1[thread * 17u + 12u];
      let own_70 = teams_of1[thread * 17u + 13u];
      let own_71 = teams_of1[thread * 17u + 14u];
      let own_72 = teams_of1[thread * 17u + 15u];
      let all_73 = (own_57 + own_58);
      let all_74 = (all_73 + own_59);
      let all_75 = (all_74 + own_60);
      let all_76 = (all_75 + own_61);
      let all_77 = (all_76 + own_62);
      let all_78 = (all_77 + own_63);
      let all_79 = (all_78 + own_64);
      let all_80 = (all_79 + own_65);
      let all_81 = (all_80 + own_66);
      let all_82 = (all_81 + own_67);
      let all_83 = (all_82 + own_68);
      let all_84 = (all_83 + own_69);
      let all_85 = (all_84 + own_70);
      let all_86 = (all_85 + own_71);
      let all_87 = (all_86 + own_72);
      teams_of1[thread * 17u + 0u] = bitcast<f32>(p.zero);
      teams_of1[thread * 17u + 1u] = own_57;
      teams_of1[thread * 17u + 2u] = all_73;
      teams_of1[thread * 17u + 3u] = all_74;
      teams_of1[thread * 17u + 4u] = all_75;
      teams_of1[thread * 17u + 5u] = all_76;
      teams_of1[thread * 17u + 6u] = all_77;
      teams_of1[thread * 17u + 7u] = all_78;
      teams_of1[thread * 17u + 8u] = all_79;
      teams_of1[thread * 17u + 9u] = all_80;
      teams_of1[thread * 17u + 10u] = all_81;
      teams_of1[thread * 17u + 11u] = all_82;
      teams_of1[thread * 17u + 12u] = all_83;
      teams_of1[thread * 17u + 13u] = all_84;
      teams_of1[thread * 17u + 14u] = all_85;
      teams_of1[thread * 17u + 15u] = all_86;
      whole_of1[thread] = all_87;
    }
  }
  workgroupBarrier();
  let teams1 = teams_of1[(thread / 16u) + (thread / 16u) / 16u];
  let mates1 = totals1[thread + thread / 16u];
  let whole1 = whole_of1[thread / 256u];
  if (alive && thread == 0u) {
    tell_1(1u + (unit * p.splits + part) * 2u, whole1);
  }
   {
    let run_53 = batches1[(row * 4u + 0u) + ((row * 4u + 0u) >> 5u)];
    batches1[(row * 4u + 0u) + ((row * 4u + 0u) >> 5u)] = bitcast<f32>(p.zero);
    let run_54 = (run_53 + batches1[(row * 4u + 1u) + ((row * 4u + 1u) >> 5u)]);
    batches1[(row * 4u + 1u) + ((row * 4u + 1u) >> 5u)] = run_53;
    let run_55 = (run_54 + batches1[(row * 4u + 2u) + ((row * 4u + 2u) >> 5u)]);
    batches1[(row * 4u + 2u) + ((row * 4u + 2u) >> 5u)] = run_54;
    batches1[(row * 4u + 3u) + ((row * 4u + 3u) >> 5u)] = run_55;
  }
  let team = part >> 5u;
  let league = team >> 5u;
  let teams = (p.splits + 31u) >> 5u;
  let leagues = (teams + 31u) >> 5u;
  let team0 = p.units * p.splits + unit * teams;
  let league0 = p.units * (p.splits + teams) + unit * leagues;
  let tiles = select(0u, part & 31u, alive);
  let others = select(0u, team & 31u, alive);
  let older = select(0u, 1u, alive && league > 0u);
  if (thread < 32u) {
    if (thread < tiles) {
      let at = unit * p.splits + part - tiles + thread;
      seen_near1[thread] = await_1(1u + (at) * 2u);
    } else {
      seen_near1[thread] = bitcast<f32>(p.zero);
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    let all_119 = (seen_near1[0] + seen_near1[1]);
    let all_120 = (all_119 + seen_near1[2]);
    let all_121 = (all_120 + seen_near1[3]);
    let all_122 = (all_121 + seen_near1[4]);
    let all_123 = (all_122 + seen_near1[5]);
    let all_124 = (all_123 + seen_near1[6]);
    let all_125 = (all_124 + seen_near1[7]);
    let all_126 = (all_125 + seen_near1[8]);
    let all_127 = (all_126 + seen_near1[9]);
    let all_128 = (all_127 + seen_near1[10]);
    let all_129 = (all_128 + seen_near1[11]);
    let all_130 = (all_129 + seen_near1[12]);
    let all_131 = (all_130 + seen_near1[13]);
    let all_132 = (all_131 + seen_near1[14]);
    let all_133 = (all_132 + seen_near1[15]);
    let all_134 = (all_133 + seen_near1[16]);
    let all_135 = (all_134 + seen_near1[17]);
    let all_136 = (all_135 + seen_near1[18]);
    let all_137 = (all_136 + seen_near1[19]);
    let all_138 = (all_137 + seen_near1[20]);
    let all_139 = (all_138 + seen_near1[21]);
    let all_140 = (all_139 + seen_near1[22]);
    let all_141 = (all_140 + seen_near1[23]);
    let all_142 = (all_141 + seen_near1[24]);
    let all_143 = (all_142 + seen_near1[25]);
    let all_144 = (all_143 + seen_near1[26]);
    let all_145 = (all_144 + seen_near1[27]);
    let all_146 = (all_145 + seen_near1[28]);
    let all_147 = (all_146 + seen_near1[29]);
    let all_148 = (all_147 + seen_near1[30]);
    let all_149 = (all_148 + seen_near1[31]);
    seen_near1[32] = all_149;
    if (tiles == 31u) {
      let near1 = seen_near1[32];
      let whole_180 = (near1 + whole1);
      tell_1(1u + (team0 + team) * 2u, whole_180);
    }
  }
  if (thread < 32u) {
    if ((thread == 0u && older > 0u) || (thread > 0u && thread <= others)) {
      var at = team0 + (league << 5u) + thread - 1u;
      if (thread == 0u) { at = league0 + league - 1u; }
      seen_far1[thread] = await_1(1u + (at) * 2u);
    } else {
      seen_far1[thread] = bitcast<f32>(p.zero);
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    let all_150 = (seen_far1[1] + seen_far1[2]);
    let all_151 = (all_150 + seen_far1[3]);
    let all_152 = (all_151 + seen_far1[4]);
    let all_153 = (all_152 + seen_far1[5]);
    let all_154 = (all_153 + seen_far1[6]);
    let all_155 = (all_154 + seen_far1[7]);
    let all_156 = (all_155 + seen_far1[8]);
    let all_157 = (all_156 + seen_far1[9]);
    let all_158 = (all_157 + seen_far1[10]);
    let all_159 = (all_158 + seen_far1[11]);
    let all_160 = (all_159 + seen_far1[12]);
    let all_161 = (all_160 + seen_far1[13]);
    let all_162 = (all_161 + seen_far1[14]);
    let all_163 = (all_162 + seen_far1[15]);
    let all_164 = (all_163 + seen_far1[16]);
    let all_165 = (all_164 + seen_far1[17]);
    let all_166 = (all_165 + seen_far1[18]);
    let all_167 = (all_166 + seen_far1[19]);
    let all_168 = (all_167 + seen_far1[20]);
    let all_169 = (all_168 + seen_far1[21]);
    let all_170 = (all_169 + seen_far1[22]);
    let all_171 = (all_170 + seen_far1[23]);
    let all_172 = (all_171 + seen_far1[24]);
    let all_173 = (all_172 + seen_far1[25]);
    let all_174 = (all_173 + seen_far1[26]);
    let all_175 = (all_174 + seen_far1[27]);
    let all_176 = (all_175 + seen_far1[28]);
    let all_177 = (all_176 + seen_far1[29]);
    let all_178 = (all_177 + seen_far1[30]);
    let all_179 = (all_178 + seen_far1[31]);
    seen_far1[32] = all_179;
    if (tiles == 31u && others == 31u) {
      let near1 = seen_near1[32];
      let far1 = seen_far1[32];
      let old_far1 = seen_far1[0];
      let whole_181 = (old_far1 + (far1 + (near1 + whole1)));
      tell_1(1u + (league0 + league) * 2u, whole_181);
    }
  }
  workgroupBarrier();
  let near1 = seen_near1[32];
  let far1 = seen_far1[32];
  let old_far1 = seen_far1[0];
  let batch_182 = row;
  let owner_183 = batch_182 / 4u;
  let start_184 = batches1[(batch_182) + ((batch_182) >> 5u)];
  let start_185 = totals1[owner_183 + owner_183 / 16u];
  let start_186 = teams_of1[(owner_183 / 16u) + (owner_183 / 16u) / 16u];
  let whole_187 = (old_far1 + (far1 + (near1 + (start_186 + (start_185 + (start_184 + s_33))))));
  let r_188 = whole_187;
  let whole_189 = (old_far1 + (far1 + (near1 + (start_186 + (start_185 + (start_184 + s_34))))));
  let r_190 = whole_189;
  let whole_191 = (old_far1 + (far1 + (near1 + (start_186 + (start_185 + (start_184 + s_35))))));
  let r_192 = whole_191;
  let whole_193 = (old_far1 + (far1 + (near1 + (start_186 + (start_185 + (start_184 + s_36))))));
  let r_194 = whole_193;
  if (q_1 < stop) {
    let at1_195 = p.o1 + i0_2;
    b1[(at1_195 >> 2u)] = vec4(r_188, r_190, r_192, r_194);
  }
  let batch_196 = row + 256u;
  let owner_197 = batch_196 / 4u;
  let start_198 = batches1[(batch_196) + ((batch_196) >> 5u)];
  let start_199 = totals1[owner_197 + owner_197 / 16u];
  let start_200 = teams_of1[(owner_197 / 16u) + (owner_197 / 16u) / 16u];
  let whole_201 = (old_far1 + (far1 + (near1 + (start_200 + (start_199 + (start_198 + s_37))))));
  let r_202 = whole_201;
  let whole_203 = (old_far1 + (far1 + (near1 + (start_200 + (start_199 + (start_198 + s_38))))));
  let r_204 = whole_203;
  let whole_205 = (old_far1 + (far1 + (near1 + (start_200 + (start_199 + (start_198 + s_39))))));
  let r_206 = whole_205;
  let whole_207 = (old_far1 + (far1 + (near1 + (start_200 + (start_199 + (start_198 + s_40))))));
  let r_208 = whole_207;
  if (q_9 < stop) {
    let at1_209 = p.o1 + i0_10;
    b1[(at1_209 >> 2u)] = vec4(r_202, r_204, r_206, r_208);
  }
  let batch_210 = row + 512u;
  let owner_211 = batch_210 / 4u;
  let start_212 = batches1[(batch_210) + ((batch_210) >> 5u)];
  let start_213 = totals1[owner_211 + owner_211 / 16u];
  let start_214 = teams_of1[(owner_211 / 16u) + (owner_211 / 16u) / 16u];
  let whole_215 = (old_far1 + (far1 + (near1 + (start_214 + (start_213 + (start_212 + s_41))))));
  let r_216 = whole_215;
  let whole_217 = (old_far1 + (far1 + (near1 + (start_214 + (start_213 + (start_212 + s_42))))));
  let r_218 = whole_217;
  let whole_219 = (old_far1 + (far1 + (near1 + (start_214 + (start_213 + (start_212 + s_43))))));
  let r_220 = whole_219;
  let whole_221 = (old_far1 + (far1 + (near1 + (start_214 + (start_213 + (start_212 + s_44))))));
  let r_222 = whole_221;
  if (q_17 < stop) {
    let at1_223 = p.o1 + i0_18;
    b1[(at1_223 >> 2u)] = vec4(r_216, r_218, r_220, r_222);
  }
  let batch_224 = row + 768u;
  let owner_225 = batch_224 / 4u;
  let start_226 = batches1[(batch_224) + ((batch_224) >> 5u)];
  let start_227 = totals1[owner_225 + owner_225 / 16u];
  let start_228 = teams_of1[(owner_225 / 16u) + (owner_225 / 16u) / 16u];
  let whole_229 = (old_far1 + (far1 + (near1 + (start_228 + (start_227 + (start_226 + s_45))))));
  let r_230 = whole_229;
  let whole_231 = (old_far1 + (far1 + (near1 + (start_228 + (start_227 + (start_226 + s_46))))));
  let r_232 = whole_231;
  let whole_233 = (old_far1 + (far1 + (near1 + (start_228 + (start_227 + (start_226 + s_47))))));
  let r_234 = whole_233;
  let whole_235 = (old_far1 + (far1 + (near1 + (start_228 + (start_227 + (start_226 + s_48))))));
  let r_236 = whole_235;
  if (q_25 < stop) {
    let at1_237 = p.o1 + i0_26;
    b1[(at1_237 >> 2u)] = vec4(r_230, r_232, r_234, r_236);
  }
}
