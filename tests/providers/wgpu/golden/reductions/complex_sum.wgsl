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
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read> b0: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> b1: array<vec2<f32>>;
var<workgroup> shared_0_vec2f32: array<vec2<f32>, 256>;

fn neg_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ 0x80000000u); }

fn c_conj_f32(z: vec2<f32>) -> vec2<f32> { return vec2<f32>(z.x, neg_f32(z.y)); }

fn opaque_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p.zero); }

fn c_mul_f32(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  let real = opaque_f32(a.x * b.x) - opaque_f32(a.y * b.y);
  return vec2<f32>(real, opaque_f32(a.x * b.y) + opaque_f32(a.y * b.x));
}


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
  var acc_1: vec2<f32> = vec2<f32>(bitcast<f32>(p.zero), bitcast<f32>(p.zero));
  var at_2 = begin + row;
  for (; at_2 + 1792u < stop; at_2 += 2048u) {
    let q_3 = at_2 + 0u;
    let at0_4 = p.o0 + q_3 + here * p.s0_1;
    let v0_5 = b0[at0_4];
    let v1_6 = c_conj_f32(v0_5);
    let v2_7 = c_mul_f32(v1_6, v0_5);
    let q_8 = at_2 + 256u;
    let at0_9 = p.o0 + q_8 + here * p.s0_1;
    let v0_10 = b0[at0_9];
    let v1_11 = c_conj_f32(v0_10);
    let v2_12 = c_mul_f32(v1_11, v0_10);
    let q_13 = at_2 + 512u;
    let at0_14 = p.o0 + q_13 + here * p.s0_1;
    let v0_15 = b0[at0_14];
    let v1_16 = c_conj_f32(v0_15);
    let v2_17 = c_mul_f32(v1_16, v0_15);
    let q_18 = at_2 + 768u;
    let at0_19 = p.o0 + q_18 + here * p.s0_1;
    let v0_20 = b0[at0_19];
    let v1_21 = c_conj_f32(v0_20);
    let v2_22 = c_mul_f32(v1_21, v0_20);
    let q_23 = at_2 + 1024u;
    let at0_24 = p.o0 + q_23 + here * p.s0_1;
    let v0_25 = b0[at0_24];
    let v1_26 = c_conj_f32(v0_25);
    let v2_27 = c_mul_f32(v1_26, v0_25);
    let q_28 = at_2 + 1280u;
    let at0_29 = p.o0 + q_28 + here * p.s0_1;
    let v0_30 = b0[at0_29];
    let v1_31 = c_conj_f32(v0_30);
    let v2_32 = c_mul_f32(v1_31, v0_30);
    let q_33 = at_2 + 1536u;
    let at0_34 = p.o0 + q_33 + here * p.s0_1;
    let v0_35 = b0[at0_34];
    let v1_36 = c_conj_f32(v0_35);
    let v2_37 = c_mul_f32(v1_36, v0_35);
    let q_38 = at_2 + 1792u;
    let at0_39 = p.o0 + q_38 + here * p.s0_1;
    let v0_40 = b0[at0_39];
    let v1_41 = c_conj_f32(v0_40);
    let v2_42 = c_mul_f32(v1_41, v0_40);
    let s_43 = (v2_7 + v2_12);
    let s_44 = (v2_17 + v2_22);
    let s_45 = (v2_27 + v2_32);
    let s_46 = (v2_37 + v2_42);
    let s_47 = (s_43 + s_44);
    let s_48 = (s_45 + s_46);
    let s_49 = (s_47 + s_48);
    acc_1 = (acc_1 + s_49);
  }
  for (; at_2 < stop; at_2 += 256u) {
    let at0_50 = p.o0 + at_2 + here * p.s0_1;
    let v0_51 = b0[at0_50];
    let v1_52 = c_conj_f32(v0_51);
    let v2_53 = c_mul_f32(v1_52, v0_51);
    acc_1 = (acc_1 + v2_53);
  }
  shared_0_vec2f32[thread] = acc_1;
  workgroupBarrier();
  for (var s = 128u; s > 0u; s = s >> 1u) {
    if (row < s && row + s < filled) {
      let there = thread + s;
      shared_0_vec2f32[thread] = (shared_0_vec2f32[thread] + shared_0_vec2f32[there]);
    }
    workgroupBarrier();
  }
  let first_54 = thread - row;
  let whole_55 = shared_0_vec2f32[first_54];
  let r_56 = whole_55;
  if (alive && row == 0u) {
    let at1_57 = p.o1 + here;
    b1[at1_57] = r_56;
  }
  workgroupBarrier();
}
