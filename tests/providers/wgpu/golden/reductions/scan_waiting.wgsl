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
var<workgroup> before_teams1: array<f32, 16>;
var<workgroup> totals1: array<f32, 256>;
var<workgroup> teams_of1: array<f32, 16>;
var<workgroup> seen_near1: array<f32, 32>;
var<workgroup> seen_far1: array<f32, 32>;


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
  totals1[thread] = run_52;
  workgroupBarrier();
  var mates1: f32 = bitcast<f32>(p.zero);
  var team1 = mates1;
  for (var k = 0u; k < 16u; k++) {
    if (k == thread % 16u) { mates1 = team1; }
    team1 = (team1 + totals1[(thread / 16u) * 16u + k]);
  }
  if (row % 16u == 0u) {
    teams_of1[thread / 16u] = team1;
  }
  workgroupBarrier();
  var teams1: f32 = bitcast<f32>(p.zero);
  var whole1 = teams1;
  for (var k = 0u; k < 16u; k++) {
    if (k == (thread / 16u) % 16u) { teams1 = whole1; }
    whole1 = (whole1 + teams_of1[((thread / 16u) / 16u) * 16u + k]);
  }
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
  totals1[thread] = mates1;
  if (row % 16u == 0u) {
    before_teams1[row / 16u] = teams1;
  }
  let team = part >> 5u;
  let league = team >> 5u;
  let teams = (p.splits + 31u) >> 5u;
  let leagues = (teams + 31u) >> 5u;
  let team0 = p.units * p.splits + unit * teams;
  let league0 = p.units * (p.splits + teams) + unit * leagues;
  let tiles = select(0u, part & 31u, alive);
  let older = select(0u, 1u, alive && league > 0u);
  let others = select(0u, (team & 31u) + older, alive);
  if (thread < tiles) {
    let at = unit * p.splits + part - tiles + thread;
    seen_near1[thread] = await_1(1u + (at) * 2u);
  }
  workgroupBarrier();
  var near1: f32 = bitcast<f32>(p.zero);
  for (var k = 0u; k < tiles; k++) {
    near1 = (near1 + seen_near1[k]);
  }
  if (thread == 0u && tiles == 31u) {
    let whole_57 = (near1 + whole1);
    tell_1(1u + (team0 + team) * 2u, whole_57);
  }
  workgroupBarrier();
  if (thread < others) {
    var at = team0 + (league << 5u) + thread - older;
    if (thread < older) { at = league0 + league - 1u; }
    seen_far1[thread] = await_1(1u + (at) * 2u);
  }
  workgroupBarrier();
  var far1: f32 = bitcast<f32>(p.zero);
  var old_far1 = far1;
  if (older > 0u) { old_far1 = seen_far1[0]; }
  for (var k = older; k < others; k++) {
    far1 = (far1 + seen_far1[k]);
  }
  if (thread == 0u && tiles == 31u && (team & 31u) == 31u) {
    let whole_58 = (old_far1 + (far1 + (near1 + whole1)));
    tell_1(1u + (league0 + league) * 2u, whole_58);
  }
  let batch_59 = row;
  let owner_60 = batch_59 / 4u;
  let start_61 = batches1[(batch_59) + ((batch_59) >> 5u)];
  let start_62 = totals1[owner_60];
  let start_63 = before_teams1[owner_60 / 16u];
  let whole_64 = (old_far1 + (far1 + (near1 + (start_63 + (start_62 + (start_61 + s_33))))));
  let r_65 = whole_64;
  let whole_66 = (old_far1 + (far1 + (near1 + (start_63 + (start_62 + (start_61 + s_34))))));
  let r_67 = whole_66;
  let whole_68 = (old_far1 + (far1 + (near1 + (start_63 + (start_62 + (start_61 + s_35))))));
  let r_69 = whole_68;
  let whole_70 = (old_far1 + (far1 + (near1 + (start_63 + (start_62 + (start_61 + s_36))))));
  let r_71 = whole_70;
  if (q_1 < stop) {
    let at1_72 = p.o1 + i0_2;
    b1[(at1_72 >> 2u)] = vec4(r_65, r_67, r_69, r_71);
  }
  let batch_73 = row + 256u;
  let owner_74 = batch_73 / 4u;
  let start_75 = batches1[(batch_73) + ((batch_73) >> 5u)];
  let start_76 = totals1[owner_74];
  let start_77 = before_teams1[owner_74 / 16u];
  let whole_78 = (old_far1 + (far1 + (near1 + (start_77 + (start_76 + (start_75 + s_37))))));
  let r_79 = whole_78;
  let whole_80 = (old_far1 + (far1 + (near1 + (start_77 + (start_76 + (start_75 + s_38))))));
  let r_81 = whole_80;
  let whole_82 = (old_far1 + (far1 + (near1 + (start_77 + (start_76 + (start_75 + s_39))))));
  let r_83 = whole_82;
  let whole_84 = (old_far1 + (far1 + (near1 + (start_77 + (start_76 + (start_75 + s_40))))));
  let r_85 = whole_84;
  if (q_9 < stop) {
    let at1_86 = p.o1 + i0_10;
    b1[(at1_86 >> 2u)] = vec4(r_79, r_81, r_83, r_85);
  }
  let batch_87 = row + 512u;
  let owner_88 = batch_87 / 4u;
  let start_89 = batches1[(batch_87) + ((batch_87) >> 5u)];
  let start_90 = totals1[owner_88];
  let start_91 = before_teams1[owner_88 / 16u];
  let whole_92 = (old_far1 + (far1 + (near1 + (start_91 + (start_90 + (start_89 + s_41))))));
  let r_93 = whole_92;
  let whole_94 = (old_far1 + (far1 + (near1 + (start_91 + (start_90 + (start_89 + s_42))))));
  let r_95 = whole_94;
  let whole_96 = (old_far1 + (far1 + (near1 + (start_91 + (start_90 + (start_89 + s_43))))));
  let r_97 = whole_96;
  let whole_98 = (old_far1 + (far1 + (near1 + (start_91 + (start_90 + (start_89 + s_44))))));
  let r_99 = whole_98;
  if (q_17 < stop) {
    let at1_100 = p.o1 + i0_18;
    b1[(at1_100 >> 2u)] = vec4(r_93, r_95, r_97, r_99);
  }
  let batch_101 = row + 768u;
  let owner_102 = batch_101 / 4u;
  let start_103 = batches1[(batch_101) + ((batch_101) >> 5u)];
  let start_104 = totals1[owner_102];
  let start_105 = before_teams1[owner_102 / 16u];
  let whole_106 = (old_far1 + (far1 + (near1 + (start_105 + (start_104 + (start_103 + s_45))))));
  let r_107 = whole_106;
  let whole_108 = (old_far1 + (far1 + (near1 + (start_105 + (start_104 + (start_103 + s_46))))));
  let r_109 = whole_108;
  let whole_110 = (old_far1 + (far1 + (near1 + (start_105 + (start_104 + (start_103 + s_47))))));
  let r_111 = whole_110;
  let whole_112 = (old_far1 + (far1 + (near1 + (start_105 + (start_104 + (start_103 + s_48))))));
  let r_113 = whole_112;
  if (q_25 < stop) {
    let at1_114 = p.o1 + i0_26;
    b1[(at1_114 >> 2u)] = vec4(r_107, r_109, r_111, r_113);
  }
}
