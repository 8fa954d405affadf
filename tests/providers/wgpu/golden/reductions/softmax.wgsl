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
  let f2_9 = max_f32(a, b);
  return f2_9;
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
  let q_1 = row + 0u;
  let i0_2 = q_1 * 4u;
  let at0_3 = p.o0 + i0_2 + here * p.s0_1;
  let w_4 = b0[(at0_3 >> 2u)];
  let v0_5 = w_4.x;
  let v0_6 = w_4.y;
  let v0_7 = w_4.z;
  let v0_8 = w_4.w;
  let s_11 = join_r1(v0_5, v0_6);
  let s_12 = join_r1(v0_7, v0_8);
  let s_13 = join_r1(s_11, s_12);
  var acc_10: f32 = s_13;
  shared_0_f32[thread] = acc_10;
  workgroupBarrier();
  for (var s = 8u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s;
      shared_0_f32[thread] = join_r1(shared_0_f32[thread], shared_0_f32[there]);
    }
    workgroupBarrier();
  }
  let first_14 = thread - row;
  let whole_15 = shared_0_f32[first_14];
  let r_16 = whole_15;
  workgroupBarrier();
  let v2_17 = (v0_5 - r_16);
  let v2_18 = (v0_6 - r_16);
  let v2_19 = (v0_7 - r_16);
  let v2_20 = (v0_8 - r_16);
  let v3_21 = exp_f32(v2_17);
  let v3_22 = exp_f32(v2_18);
  let v3_23 = exp_f32(v2_19);
  let v3_24 = exp_f32(v2_20);
  let s_26 = (v3_21 + v3_22);
  let s_27 = (v3_23 + v3_24);
  let s_28 = (s_26 + s_27);
  var acc_25: f32 = s_28;
  shared_0_f32[thread] = acc_25;
  workgroupBarrier();
  for (var s = 8u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s;
      shared_0_f32[thread] = (shared_0_f32[thread] + shared_0_f32[there]);
    }
    workgroupBarrier();
  }
  let first_29 = thread - row;
  let whole_30 = shared_0_f32[first_29];
  let r_31 = whole_30;
  workgroupBarrier();
  let v5_32 = (v3_21 / r_31);
  let v5_33 = (v3_22 / r_31);
  let v5_34 = (v3_23 / r_31);
  let v5_35 = (v3_24 / r_31);
  if (alive) {
    let at1_36 = p.o1 + i0_2 + here * p.s1_1;
    b1[(at1_36 >> 2u)] = vec4(v5_32, v5_33, v5_34, v5_35);
  }
}
