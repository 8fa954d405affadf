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
  o0: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> scratch0: array<f32>;


@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local_invocation_index: u32, @builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let thread = local_invocation_index;
  let column = thread % 1u;
  let row = thread / 1u;
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let unit = (group % p.tiles + p.tile0) * 1u + column;
  let part = (group / p.tiles + p.part0) * 256u + row;
  let alive = unit < p.units && part < p.splits;
  let here = min(unit, p.units - 1u);
  let begin = part * p.length;
  let stop = select(0u, min(begin + p.length, p.steps), alive);
  let share = max(stop, begin) - begin;
  let run = (share + 255u) / 256u;
  let filled = (share + run - 1u) / max(run, 1u);
  var carry_1: f32 = bitcast<f32>(p.zero);
  var started = false;
  var at = begin;
  for (; at < stop; at += 1u) {
    let q_2 = at + 0u;
    let at0_3 = p.o0 + q_2;
    let v0_4 = b0[at0_3];
    let s_5 = v0_4;
    carry_1 = (carry_1 + s_5);
    let whole_6 = carry_1;
    let r_7 = whole_6;
    started = true;
  }
  if (alive) {
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
var<workgroup> sums1: array<f32, 64>;


@compute @workgroup_size(64)
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
  o0: u32,
  o1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> scratch1: array<f32>;
@group(0) @binding(1) var<storage, read> b0: array<f32>;
@group(0) @binding(2) var<storage, read_write> b1: array<f32>;


@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local_invocation_index: u32, @builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let thread = local_invocation_index;
  let column = thread % 1u;
  let row = thread / 1u;
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let unit = (group % p.tiles + p.tile0) * 1u + column;
  let part = (group / p.tiles + p.part0) * 256u + row;
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
  var at = begin;
  for (; at < stop; at += 1u) {
    let q_2 = at + 0u;
    let at0_3 = p.o0 + q_2;
    let v0_4 = b0[at0_3];
    let s_5 = v0_4;
    carry_1 = (carry_1 + s_5);
    let whole_6 = (ahead0 + (within0 + carry_1));
    let r_7 = whole_6;
    started = true;
    let at1_8 = p.o1 + q_2;
    b1[at1_8] = r_7;
  }
}
