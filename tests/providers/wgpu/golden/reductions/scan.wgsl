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
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> scratch0: array<f32>;
var<workgroup> totals1: array<f32, 256>;
var<workgroup> teams_of1: array<f32, 16>;


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
  var carry_1: f32 = bitcast<f32>(p.zero);
  var started = false;
  for (var base = begin; base < begin + p.length; base += 1024u) {
    let q_2 = base + row * 4u + 0u;
    let i0_3 = q_2 * 4u;
    let at0_4 = p.o0 + i0_3;
    let w_5 = b0[(at0_4 >> 2u)];
    let v0_6 = w_5.x;
    let v0_7 = w_5.y;
    let v0_8 = w_5.z;
    let v0_9 = w_5.w;
    let q_10 = base + row * 4u + 1u;
    let i0_11 = q_10 * 4u;
    let at0_12 = p.o0 + i0_11;
    let w_13 = b0[(at0_12 >> 2u)];
    let v0_14 = w_13.x;
    let v0_15 = w_13.y;
    let v0_16 = w_13.z;
    let v0_17 = w_13.w;
    let q_18 = base + row * 4u + 2u;
    let i0_19 = q_18 * 4u;
    let at0_20 = p.o0 + i0_19;
    let w_21 = b0[(at0_20 >> 2u)];
    let v0_22 = w_21.x;
    let v0_23 = w_21.y;
    let v0_24 = w_21.z;
    let v0_25 = w_21.w;
    let q_26 = base + row * 4u + 3u;
    let i0_27 = q_26 * 4u;
    let at0_28 = p.o0 + i0_27;
    let w_29 = b0[(at0_28 >> 2u)];
    let v0_30 = w_29.x;
    let v0_31 = w_29.y;
    let v0_32 = w_29.z;
    let v0_33 = w_29.w;
    let s_34 = v0_6;
    let s_35 = (s_34 + v0_7);
    let s_36 = (s_35 + v0_8);
    let s_37 = (s_36 + v0_9);
    let s_38 = (s_37 + v0_14);
    let s_39 = (s_38 + v0_15);
    let s_40 = (s_39 + v0_16);
    let s_41 = (s_40 + v0_17);
    let s_42 = (s_41 + v0_22);
    let s_43 = (s_42 + v0_23);
    let s_44 = (s_43 + v0_24);
    let s_45 = (s_44 + v0_25);
    let s_46 = (s_45 + v0_30);
    let s_47 = (s_46 + v0_31);
    let s_48 = (s_47 + v0_32);
    let s_49 = (s_48 + v0_33);
    totals1[thread] = s_49;
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
    carry_1 = (carry_1 + whole1);
    started = true;
    workgroupBarrier();
  }
  if (alive && row == 0u) {
    scratch0[part * p.units + unit] = carry_1;
  }
}

struct P {
  zero: u32,
  parts: u32,
  slices: u32,
  splits: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> scratch0: array<f32>;
@group(0) @binding(1) var<storage, read_write> scratch1: array<f32>;
var<workgroup> sums1: array<f32, 128>;


@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) local_invocation_index: u32, @builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let thread = local_invocation_index;
  let row = thread / 1u;
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let slice = group * 1u + thread % 1u;
  let run = p.parts;
  let begin = row * run;
  let alive = slice < p.slices;
  let stop = select(0u, min(begin + run, p.splits), alive);
  var started = false;
  var sum1: f32 = bitcast<f32>(p.zero);
  for (var q = begin; q < stop; q += 1u) {
    let part = scratch0[q * p.slices + slice];
    sum1 = (sum1 + part);
    started = true;
  }
  sums1[thread] = sum1;
  workgroupBarrier();
  started = false;
  sum1 = bitcast<f32>(p.zero);
  for (var r = 0u; r < row; r += 1u) {
    sum1 = (sum1 + sums1[r * 1u + thread % 1u]);
    started = true;
  }
  if (begin < stop) {
    scratch1[(p.splits + row) * p.slices + slice] = sum1;
  }
  started = false;
  sum1 = bitcast<f32>(p.zero);
  for (var q = begin; q < stop; q += 1u) {
    let part = scratch0[q * p.slices + slice];
    scratch1[q * p.slices + slice] = sum1;
    sum1 = (sum1 + part);
    started = true;
  }
}

struct P {
  zero: u32,
  tiles: u32,
  tile0: u32,
  part0: u32,
  units: u32,
  splits: u32,
  length: u32,
  steps: u32,
  parts: u32,
  e0: u32,
  fast: u32,
  o0: u32,
  o1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> scratch1: array<f32>;
@group(0) @binding(1) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> b1: array<vec4<f32>>;
var<workgroup> totals1: array<f32, 256>;
var<workgroup> teams_of1: array<f32, 16>;


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
  var carry_1: f32 = bitcast<f32>(p.zero);
  var started = false;
  let bounded = min(part, p.splits - 1u);
  let runs = bounded / p.parts;
  let within0 = scratch1[bounded * (p.units * 1u) + here];
  let ahead0 = scratch1[(p.splits + runs) * (p.units * 1u) + here];
  for (var base = begin; base < begin + p.length; base += 1024u) {
    let q_2 = base + row * 4u + 0u;
    let i0_3 = q_2 * 4u;
    let at0_4 = p.o0 + i0_3;
    let w_5 = b0[(at0_4 >> 2u)];
    let v0_6 = w_5.x;
    let v0_7 = w_5.y;
    let v0_8 = w_5.z;
    let v0_9 = w_5.w;
    let q_10 = base + row * 4u + 1u;
    let i0_11 = q_10 * 4u;
    let at0_12 = p.o0 + i0_11;
    let w_13 = b0[(at0_12 >> 2u)];
    let v0_14 = w_13.x;
    let v0_15 = w_13.y;
    let v0_16 = w_13.z;
    let v0_17 = w_13.w;
    let q_18 = base + row * 4u + 2u;
    let i0_19 = q_18 * 4u;
    let at0_20 = p.o0 + i0_19;
    let w_21 = b0[(at0_20 >> 2u)];
    let v0_22 = w_21.x;
    let v0_23 = w_21.y;
    let v0_24 = w_21.z;
    let v0_25 = w_21.w;
    let q_26 = base + row * 4u + 3u;
    let i0_27 = q_26 * 4u;
    let at0_28 = p.o0 + i0_27;
    let w_29 = b0[(at0_28 >> 2u)];
    let v0_30 = w_29.x;
    let v0_31 = w_29.y;
    let v0_32 = w_29.z;
    let v0_33 = w_29.w;
    let s_34 = v0_6;
    let s_35 = (s_34 + v0_7);
    let s_36 = (s_35 + v0_8);
    let s_37 = (s_36 + v0_9);
    let s_38 = (s_37 + v0_14);
    let s_39 = (s_38 + v0_15);
    let s_40 = (s_39 + v0_16);
    let s_41 = (s_40 + v0_17);
    let s_42 = (s_41 + v0_22);
    let s_43 = (s_42 + v0_23);
    let s_44 = (s_43 + v0_24);
    let s_45 = (s_44 + v0_25);
    let s_46 = (s_45 + v0_30);
    let s_47 = (s_46 + v0_31);
    let s_48 = (s_47 + v0_32);
    let s_49 = (s_48 + v0_33);
    totals1[thread] = s_49;
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
    let whole_50 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_34)))));
    let r_51 = whole_50;
    let whole_52 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_35)))));
    let r_53 = whole_52;
    let whole_54 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_36)))));
    let r_55 = whole_54;
    let whole_56 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_37)))));
    let r_57 = whole_56;
    if (q_2 < stop) {
      let at1_58 = p.o1 + i0_3;
      b1[(at1_58 >> 2u)] = vec4(r_51, r_53, r_55, r_57);
    }
    let whole_59 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_38)))));
    let r_60 = whole_59;
    let whole_61 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_39)))));
    let r_62 = whole_61;
    let whole_63 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_40)))));
    let r_64 = whole_63;
    let whole_65 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_41)))));
    let r_66 = whole_65;
    if (q_10 < stop) {
      let at1_67 = p.o1 + i0_11;
      b1[(at1_67 >> 2u)] = vec4(r_60, r_62, r_64, r_66);
    }
    let whole_68 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_42)))));
    let r_69 = whole_68;
    let whole_70 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_43)))));
    let r_71 = whole_70;
    let whole_72 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_44)))));
    let r_73 = whole_72;
    let whole_74 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_45)))));
    let r_75 = whole_74;
    if (q_18 < stop) {
      let at1_76 = p.o1 + i0_19;
      b1[(at1_76 >> 2u)] = vec4(r_69, r_71, r_73, r_75);
    }
    let whole_77 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_46)))));
    let r_78 = whole_77;
    let whole_79 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_47)))));
    let r_80 = whole_79;
    let whole_81 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_48)))));
    let r_82 = whole_81;
    let whole_83 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_49)))));
    let r_84 = whole_83;
    if (q_26 < stop) {
      let at1_85 = p.o1 + i0_27;
      b1[(at1_85 >> 2u)] = vec4(r_78, r_80, r_82, r_84);
    }
    carry_1 = (carry_1 + whole1);
    started = true;
    workgroupBarrier();
  }
}
