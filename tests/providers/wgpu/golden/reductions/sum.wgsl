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
var<workgroup> shared_0_f32: array<f32, 256>;


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
  var acc_1: f32 = bitcast<f32>(p.zero);
  var at_2 = begin + row;
  for (; at_2 + 768u < stop; at_2 += 1024u) {
    let q_3 = at_2 + 0u;
    let i0_4 = q_3 * 4u;
    let at0_5 = p.o0 + i0_4;
    let w_6 = b0[(at0_5 >> 2u)];
    let v0_7 = w_6.x;
    let v0_8 = w_6.y;
    let v0_9 = w_6.z;
    let v0_10 = w_6.w;
    let q_11 = at_2 + 256u;
    let i0_12 = q_11 * 4u;
    let at0_13 = p.o0 + i0_12;
    let w_14 = b0[(at0_13 >> 2u)];
    let v0_15 = w_14.x;
    let v0_16 = w_14.y;
    let v0_17 = w_14.z;
    let v0_18 = w_14.w;
    let q_19 = at_2 + 512u;
    let i0_20 = q_19 * 4u;
    let at0_21 = p.o0 + i0_20;
    let w_22 = b0[(at0_21 >> 2u)];
    let v0_23 = w_22.x;
    let v0_24 = w_22.y;
    let v0_25 = w_22.z;
    let v0_26 = w_22.w;
    let q_27 = at_2 + 768u;
    let i0_28 = q_27 * 4u;
    let at0_29 = p.o0 + i0_28;
    let w_30 = b0[(at0_29 >> 2u)];
    let v0_31 = w_30.x;
    let v0_32 = w_30.y;
    let v0_33 = w_30.z;
    let v0_34 = w_30.w;
    let s_35 = (v0_7 + v0_8);
    let s_36 = (v0_9 + v0_10);
    let s_37 = (v0_15 + v0_16);
    let s_38 = (v0_17 + v0_18);
    let s_39 = (v0_23 + v0_24);
    let s_40 = (v0_25 + v0_26);
    let s_41 = (v0_31 + v0_32);
    let s_42 = (v0_33 + v0_34);
    let s_43 = (s_35 + s_36);
    let s_44 = (s_37 + s_38);
    let s_45 = (s_39 + s_40);
    let s_46 = (s_41 + s_42);
    let s_47 = (s_43 + s_44);
    let s_48 = (s_45 + s_46);
    let s_49 = (s_47 + s_48);
    acc_1 = (acc_1 + s_49);
  }
  for (; at_2 < stop; at_2 += 256u) {
    let i0_50 = at_2 * 4u;
    let at0_51 = p.o0 + i0_50;
    let w_52 = b0[(at0_51 >> 2u)];
    let v0_53 = w_52.x;
    let v0_54 = w_52.y;
    let v0_55 = w_52.z;
    let v0_56 = w_52.w;
    let s_57 = (v0_53 + v0_54);
    let s_58 = (v0_55 + v0_56);
    let s_59 = (s_57 + s_58);
    acc_1 = (acc_1 + s_59);
  }
  shared_0_f32[thread] = acc_1;
  workgroupBarrier();
  for (var s = 128u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s;
      shared_0_f32[thread] = (shared_0_f32[thread] + shared_0_f32[there]);
    }
    workgroupBarrier();
  }
  let first_60 = thread - row;
  if (alive && row == 0u) {
    scratch0[part * p.units + unit] = shared_0_f32[first_60];
  }
}

struct P {
  zero: u32,
  tile0: u32,
  slices: u32,
  splits: u32,
  o1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> scratch0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
var<workgroup> shared_0_f32: array<f32, 256>;


@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local_invocation_index: u32, @builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let thread = local_invocation_index;
  let column = thread % 1u;
  let row = thread / 1u;
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let slice = (group + p.tile0) * 1u + column;
  let here = min(slice, p.slices - 1u);
  let run = (p.splits + 255u) / 256u;
  let filled = (p.splits + run - 1u) / run;
  let unit = slice; let alive = slice < p.slices;
  var acc_1: f32 = bitcast<f32>(p.zero);
  var started = false;
  for (var q = row * run; q < min((row + 1u) * run, p.splits); q += 1u) {
    let part = scratch0[q * p.slices + here];
    acc_1 = (acc_1 + part);
    started = true;
  }
  shared_0_f32[thread] = acc_1;
  workgroupBarrier();
  for (var s = 128u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s;
      shared_0_f32[thread] = (shared_0_f32[thread] + shared_0_f32[there]);
    }
    workgroupBarrier();
  }
  let first_2 = thread - row;
  let whole_3 = shared_0_f32[first_2];
  let r_4 = whole_3;
  if (alive && row == 0u) {
    let at1_5 = p.o1;
    b1[at1_5] = r_4;
  }
}
