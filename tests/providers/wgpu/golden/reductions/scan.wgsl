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
var<workgroup> totals1: array<f32, 272>;
var<workgroup> teams_of1: array<f32, 17>;
var<workgroup> whole_of1: array<f32, 1>;


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
    totals1[thread + thread / 16u] = s_49;
    workgroupBarrier();
    if (thread < 16u) {
       {
        let own_81 = totals1[thread * 17u + 0u];
        let own_82 = totals1[thread * 17u + 1u];
        let own_83 = totals1[thread * 17u + 2u];
        let own_84 = totals1[thread * 17u + 3u];
        let own_85 = totals1[thread * 17u + 4u];
        let own_86 = totals1[thread * 17u + 5u];
        let own_87 = totals1[thread * 17u + 6u];
        let own_88 = totals1[thread * 17u + 7u];
        let own_89 = totals1[thread * 17u + 8u];
        let own_90 = totals1[thread * 17u + 9u];
        let own_91 = totals1[thread * 17u + 10u];
        let own_92 = totals1[thread * 17u + 11u];
        let own_93 = totals1[thread * 17u + 12u];
        let own_94 = totals1[thread * 17u + 13u];
        let own_95 = totals1[thread * 17u + 14u];
        let own_96 = totals1[thread * 17u + 15u];
        let all_97 = (own_81 + own_82);
        let all_98 = (all_97 + own_83);
        let all_99 = (all_98 + own_84);
        let all_100 = (all_99 + own_85);
        let all_101 = (all_100 + own_86);
        let all_102 = (all_101 + own_87);
        let all_103 = (all_102 + own_88);
        let all_104 = (all_103 + own_89);
        let all_105 = (all_104 + own_90);
        let all_106 = (all_105 + own_91);
        let all_107 = (all_106 + own_92);
        let all_108 = (all_107 + own_93);
        let all_109 = (all_108 + own_94);
        let all_110 = (all_109 + own_95);
        let all_111 = (all_110 + own_96);
        totals1[thread * 17u + 0u] = bitcast<f32>(p.zero);
        totals1[thread * 17u + 1u] = own_81;
        totals1[thread * 17u + 2u] = all_97;
        totals1[thread * 17u + 3u] = all_98;
        totals1[thread * 17u + 4u] = all_99;
        totals1[thread * 17u + 5u] = all_100;
        totals1[thread * 17u + 6u] = all_101;
        totals1[thread * 17u + 7u] = all_102;
        totals1[thread * 17u + 8u] = all_103;
        totals1[thread * 17u + 9u] = all_104;
        totals1[thread * 17u + 10u] = all_105;
        totals1[thread * 17u + 11u] = all_106;
        totals1[thread * 17u + 12u] = all_107;
        totals1[thread * 17u + 13u] = all_108;
        totals1[thread * 17u + 14u] = all_109;
        totals1[thread * 17u + 15u] = all_110;
        teams_of1[thread + thread / 16u] = all_111;
      }
    }
    workgroupBarrier();
    if (thread < 1u) {
       {
        let own_50 = teams_of1[thread * 17u + 0u];
        let own_51 = teams_of1[thread * 17u + 1u];
        let own_52 = teams_of1[thread * 17u + 2u];
        let own_53 = teams_of1[thread * 17u + 3u];
        let own_54 = teams_of1[thread * 17u + 4u];
        let own_55 = teams_of1[thread * 17u + 5u];
        let own_56 = teams_of1[thread * 17u + 6u];
        let own_57 = teams_of1[thread * 17u + 7u];
        let own_58 = teams_of1[thread * 17u + 8u];
        let own_59 = teams_of1[thread * 17u + 9u];
        let own_60 = teams_of1[thread * 17u + 10u];
        let own_61 = teams_of1[thread * 17u + 11u];
        let own_62 = teams_of1[thread * 17u + 12u];
        let own_63 = teams_of1[thread * 17u + 13u];
        let own_64 = teams_of1[thread * 17u + 14u];
        let own_65 = teams_of1[thread * 17u + 15u];
        let all_66 = (own_50 + own_51);
        let all_67 = (all_66 + own_52);
        let all_68 = (all_67 + own_53);
        let all_69 = (all_68 + own_54);
        let all_70 = (all_69 + own_55);
        let all_71 = (all_70 + own_56);
        let all_72 = (all_71 + own_57);
        let all_73 = (all_72 + own_58);
        let all_74 = (all_73 + own_59);
        let all_75 = (all_74 + own_60);
        let all_76 = (all_75 + own_61);
        let all_77 = (all_76 + own_62);
        let all_78 = (all_77 + own_63);
        let all_79 = (all_78 + own_64);
        let all_80 = (all_79 + own_65);
        teams_of1[thread * 17u + 0u] = bitcast<f32>(p.zero);
        teams_of1[thread * 17u + 1u] = own_50;
        teams_of1[thread * 17u + 2u] = all_66;
        teams_of1[thread * 17u + 3u] = all_67;
        teams_of1[thread * 17u + 4u] = all_68;
        teams_of1[thread * 17u + 5u] = all_69;
        teams_of1[thread * 17u + 6u] = all_70;
        teams_of1[thread * 17u + 7u] = all_71;
        teams_of1[thread * 17u + 8u] = all_72;
        teams_of1[thread * 17u + 9u] = all_73;
        teams_of1[thread * 17u + 10u] = all_74;
        teams_of1[thread * 17u + 11u] = all_75;
        teams_of1[thread * 17u + 12u] = all_76;
        teams_of1[thread * 17u + 13u] = all_77;
        teams_of1[thread * 17u + 14u] = all_78;
        teams_of1[thread * 17u + 15u] = all_79;
        whole_of1[thread] = all_80;
      }
    }
    workgroupBarrier();
    let teams1 = teams_of1[(thread / 16u) + (thread / 16u) / 16u];
    let mates1 = totals1[thread + thread / 16u];
    let whole1 = whole_of1[thread / 256u];
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
var<workgroup> totals1: array<f32, 272>;
var<workgroup> teams_of1: array<f32, 17>;
var<workgroup> whole_of1: array<f32, 1>;


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
    totals1[thread + thread / 16u] = s_49;
    workgroupBarrier();
    if (thread < 16u) {
       {
        let own_81 = totals1[thread * 17u + 0u];
        let own_82 = totals1[thread * 17u + 1u];
        let own_83 = totals1[thread * 17u + 2u];
        let own_84 = totals1[thread * 17u + 3u];
        let own_85 = totals1[thread * 17u + 4u];
        let own_86 = totals1[thread * 17u + 5u];
        let own_87 = totals1[thread * 17u + 6u];
        let own_88 = totals1[thread * 17u + 7u];
        let own_89 = totals1[thread * 17u + 8u];
        let own_90 = totals1[thread * 17u + 9u];
        let own_91 = totals1[thread * 17u + 10u];
        let own_92 = totals1[thread * 17u + 11u];
        let own_93 = totals1[thread * 17u + 12u];
        let own_94 = totals1[thread * 17u + 13u];
        let own_95 = totals1[thread * 17u + 14u];
        let own_96 = totals1[thread * 17u + 15u];
        let all_97 = (own_81 + own_82);
        let all_98 = (all_97 + own_83);
        let all_99 = (all_98 + own_84);
        let all_100 = (all_99 + own_85);
        let all_101 = (all_100 + own_86);
        let all_102 = (all_101 + own_87);
        let all_103 = (all_102 + own_88);
        let all_104 = (all_103 + own_89);
        let all_105 = (all_104 + own_90);
        let all_106 = (all_105 + own_91);
        let all_107 = (all_106 + own_92);
        let all_108 = (all_107 + own_93);
        let all_109 = (all_108 + own_94);
        let all_110 = (all_109 + own_95);
        let all_111 = (all_110 + own_96);
        totals1[thread * 17u + 0u] = bitcast<f32>(p.zero);
        totals1[thread * 17u + 1u] = own_81;
        totals1[thread * 17u + 2u] = all_97;
        totals1[thread * 17u + 3u] = all_98;
        totals1[thread * 17u + 4u] = all_99;
        totals1[thread * 17u + 5u] = all_100;
        totals1[thread * 17u + 6u] = all_101;
        totals1[thread * 17u + 7u] = all_102;
        totals1[thread * 17u + 8u] = all_103;
        totals1[thread * 17u + 9u] = all_104;
        totals1[thread * 17u + 10u] = all_105;
        totals1[thread * 17u + 11u] = all_106;
        totals1[thread * 17u + 12u] = all_107;
        totals1[thread * 17u + 13u] = all_108;
        totals1[thread * 17u + 14u] = all_109;
        totals1[thread * 17u + 15u] = all_110;
        teams_of1[thread + thread / 16u] = all_111;
      }
    }
    workgroupBarrier();
    if (thread < 1u) {
       {
        let own_50 = teams_of1[thread * 17u + 0u];
        let own_51 = teams_of1[thread * 17u + 1u];
        let own_52 = teams_of1[thread * 17u + 2u];
        let own_53 = teams_of1[thread * 17u + 3u];
        let own_54 = teams_of1[thread * 17u + 4u];
        let own_55 = teams_of1[thread * 17u + 5u];
        let own_56 = teams_of1[thread * 17u + 6u];
        let own_57 = teams_of1[thread * 17u + 7u];
        let own_58 = teams_of1[thread * 17u + 8u];
        let own_59 = teams_of1[thread * 17u + 9u];
        let own_60 = teams_of1[thread * 17u + 10u];
        let own_61 = teams_of1[thread * 17u + 11u];
        let own_62 = teams_of1[thread * 17u + 12u];
        let own_63 = teams_of1[thread * 17u + 13u];
        let own_64 = teams_of1[thread * 17u + 14u];
        let own_65 = teams_of1[thread * 17u + 15u];
        let all_66 = (own_50 + own_51);
        let all_67 = (all_66 + own_52);
        let all_68 = (all_67 + own_53);
        let all_69 = (all_68 + own_54);
        let all_70 = (all_69 + own_55);
        let all_71 = (all_70 + own_56);
        let all_72 = (all_71 + own_57);
        let all_73 = (all_72 + own_58);
        let all_74 = (all_73 + own_59);
        let all_75 = (all_74 + own_60);
        let all_76 = (all_75 + own_61);
        let all_77 = (all_76 + own_62);
        let all_78 = (all_77 + own_63);
        let all_79 = (all_78 + own_64);
        let all_80 = (all_79 + own_65);
        teams_of1[thread * 17u + 0u] = bitcast<f32>(p.zero);
        teams_of1[thread * 17u + 1u] = own_50;
        teams_of1[thread * 17u + 2u] = all_66;
        teams_of1[thread * 17u + 3u] = all_67;
        teams_of1[thread * 17u + 4u] = all_68;
        teams_of1[thread * 17u + 5u] = all_69;
        teams_of1[thread * 17u + 6u] = all_70;
        teams_of1[thread * 17u + 7u] = all_71;
        teams_of1[thread * 17u + 8u] = all_72;
        teams_of1[thread * 17u + 9u] = all_73;
        teams_of1[thread * 17u + 10u] = all_74;
        teams_of1[thread * 17u + 11u] = all_75;
        teams_of1[thread * 17u + 12u] = all_76;
        teams_of1[thread * 17u + 13u] = all_77;
        teams_of1[thread * 17u + 14u] = all_78;
        teams_of1[thread * 17u + 15u] = all_79;
        whole_of1[thread] = all_80;
      }
    }
    workgroupBarrier();
    let teams1 = teams_of1[(thread / 16u) + (thread / 16u) / 16u];
    let mates1 = totals1[thread + thread / 16u];
    let whole1 = whole_of1[thread / 256u];
    let whole_112 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_34)))));
    let r_113 = whole_112;
    let whole_114 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_35)))));
    let r_115 = whole_114;
    let whole_116 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_36)))));
    let r_117 = whole_116;
    let whole_118 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_37)))));
    let r_119 = whole_118;
    if (q_2 < stop) {
      let at1_120 = p.o1 + i0_3;
      b1[(at1_120 >> 2u)] = vec4(r_113, r_115, r_117, r_119);
    }
    let whole_121 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_38)))));
    let r_122 = whole_121;
    let whole_123 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_39)))));
    let r_124 = whole_123;
    let whole_125 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_40)))));
    let r_126 = whole_125;
    let whole_127 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_41)))));
    let r_128 = whole_127;
    if (q_10 < stop) {
      let at1_129 = p.o1 + i0_11;
      b1[(at1_129 >> 2u)] = vec4(r_122, r_124, r_126, r_128);
    }
    let whole_130 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_42)))));
    let r_131 = whole_130;
    let whole_132 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_43)))));
    let r_133 = whole_132;
    let whole_134 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_44)))));
    let r_135 = whole_134;
    let whole_136 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_45)))));
    let r_137 = whole_136;
    if (q_18 < stop) {
      let at1_138 = p.o1 + i0_19;
      b1[(at1_138 >> 2u)] = vec4(r_131, r_133, r_135, r_137);
    }
    let whole_139 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_46)))));
    let r_140 = whole_139;
    let whole_141 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_47)))));
    let r_142 = whole_141;
    let whole_143 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_48)))));
    let r_144 = whole_143;
    let whole_145 = (ahead0 + (within0 + (carry_1 + (teams1 + (mates1 + s_49)))));
    let r_146 = whole_145;
    if (q_26 < stop) {
      let at1_147 = p.o1 + i0_27;
      b1[(at1_147 >> 2u)] = vec4(r_140, r_142, r_144, r_146);
    }
    carry_1 = (carry_1 + whole1);
    started = true;
    workgroupBarrier();
  }
}
