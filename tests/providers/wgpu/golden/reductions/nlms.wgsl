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
  a0: f32,
  a1: u32,
  a2: u32,
  a3: u32,
  a4: u32,
  o0: u32,
  s0_1: u32,
  s0_2: u32,
  e2: u32,
  o1: u32,
  o2: u32,
  s2_1: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read_write> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<vec4<f32>>;
var<workgroup> shared_0_f32: array<f32, 32>;
var<workgroup> shared_1_f32: array<f32, 32>;

fn opaque_f32(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ p.zero); }

fn product_wide(a: u32, b: u32) -> vec2<u32> {
  let whole = u64(a) * u64(b);
  return vec2<u32>(u32(whole), u32(whole >> 32u));
}

fn round_wide(c: vec4<u32>, k: vec2<u32>) -> vec4<u32> {
  let first = product_wide(c.x, 0xd2511f53u);
  let second = product_wide(c.z, 0xcd9e8d57u);
  return vec4<u32>(second.y ^ c.y ^ k.x, second.x, first.y ^ c.w ^ k.y, first.x);
}

fn philox_wide(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
  var c = counter;
  c = round_wide(c, key);
  c = round_wide(c, key + vec2<u32>(0x9e3779b9u, 0xbb67ae85u));
  c = round_wide(c, key + vec2<u32>(0x3c6ef372u, 0x76cf5d0au));
  c = round_wide(c, key + vec2<u32>(0xdaa66d2bu, 0x32370b8fu));
  c = round_wide(c, key + vec2<u32>(0x78dde6e4u, 0xed9eba14u));
  c = round_wide(c, key + vec2<u32>(0x1715609du, 0xa9066899u));
  c = round_wide(c, key + vec2<u32>(0xb54cda56u, 0x646e171eu));
  c = round_wide(c, key + vec2<u32>(0x5384540fu, 0x1fd5c5a3u));
  c = round_wide(c, key + vec2<u32>(0xf1bbcdc8u, 0xdb3d7428u));
  c = round_wide(c, key + vec2<u32>(0x8ff34781u, 0x96a522adu));
  return c;
}

fn uniform_f32(word: u32) -> f32 {
  return bitcast<f32>((word >> 9u) | 0x3f800000u) - 0.99999994f;
}


fn draw_uniform_f32_4(at: vec2<u32>, key: vec2<u32>) -> vec4<f32> {
  let first = vec2<u32>((at.x >> 2u) | (at.y << 30u), at.y >> 2u);
  let askew = at.x & 3u;
  let block0 = philox_wide(vec4<u32>(first, 0u, 0u), key);
  if (askew == 0u) { return vec4<f32>(uniform_f32(block0.x), uniform_f32(block0.y), uniform_f32(block0.z), uniform_f32(block0.w)); }
  let block1 = philox_wide(vec4<u32>(pair_add(first, vec2<u32>(1u, 0u)), 0u, 0u), key);
  if (askew == 1u) { return vec4<f32>(uniform_f32(block0.y), uniform_f32(block0.z), uniform_f32(block0.w), uniform_f32(block1.x)); }
  if (askew == 2u) { return vec4<f32>(uniform_f32(block0.z), uniform_f32(block0.w), uniform_f32(block1.x), uniform_f32(block1.y)); }
  return vec4<f32>(uniform_f32(block0.w), uniform_f32(block1.x), uniform_f32(block1.y), uniform_f32(block1.z));
}

fn pair_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn pair_mul(a: vec2<u32>, b: u32) -> vec2<u32> {
  let low = u64(a.x) * u64(b);
  return vec2<u32>(u32(low), u32(low >> 32u) + a.y * b);
}

@compute @workgroup_size(128)
fn main(@builtin(subgroup_id) subgroup_id: u32, @builtin(subgroup_size) subgroup_size: u32, @builtin(subgroup_invocation_id) subgroup_invocation_id: u32, @builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>) {
  let thread = subgroup_id * subgroup_size + subgroup_invocation_id;
  let row = thread % 32u;
  let column = thread / 32u;
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let unit = (group % p.tiles + p.tile0) * 4u + column;
  let part = group / p.tiles + p.part0;
  let alive = unit < p.units && part < p.splits;
  let here = min(unit, p.units - 1u);
  let begin = part * p.length;
  let stop = select(0u, min(begin + p.length, p.steps), alive);
  let share = max(stop, begin) - begin;
  let filled = min(share, 32u);
  let q_1 = row + 0u;
  let i0_2 = q_1 * 4u;
  var s1_3: f32 = p.a0;
  var s1_4: f32 = p.a0;
  var s1_5: f32 = p.a0;
  var s1_6: f32 = p.a0;
  var s20_7: f32;
  var s20_8: f32;
  var s20_9: f32;
  var s20_10: f32;
  var s21_11: f32;
  var s21_12: f32;
  var s21_13: f32;
  var s21_14: f32;
  var s24_15: f32;
  for (var trip = 0u; trip < p.e2; trip++) {
    let at0_16 = p.o0 + i0_2 + here * p.s0_1 + trip * p.s0_2;
    let z_17 = draw_uniform_f32_4(pair_add(vec2<u32>(p.a3, p.a4), vec2<u32>(at0_16, 0u)), vec2<u32>(p.a1, p.a2));
    let v8_18 = (z_17.x * z_17.x);
    let v8_19 = (z_17.y * z_17.y);
    let v8_20 = (z_17.z * z_17.z);
    let v8_21 = (z_17.w * z_17.w);
    let v10_22 = (z_17.x * s1_3);
    let v10_23 = (z_17.y * s1_4);
    let v10_24 = (z_17.z * s1_5);
    let v10_25 = (z_17.w * s1_6);
    let s_27 = (v8_18 + v8_19);
    let s_28 = (v8_20 + v8_21);
    let s_29 = (s_27 + s_28);
    var acc_26: f32 = s_29;
    let s_31 = (v10_22 + v10_23);
    let s_32 = (v10_24 + v10_25);
    let s_33 = (s_31 + s_32);
    var acc_30: f32 = s_33;
    let other_34 = subgroupShuffleXor(acc_26, 1u);
    acc_26 = (acc_26 + other_34);
    let other_35 = subgroupShuffleXor(acc_30, 1u);
    acc_30 = (acc_30 + other_35);
    let other_36 = subgroupShuffleXor(acc_26, 2u);
    acc_26 = (acc_26 + other_36);
    let other_37 = subgroupShuffleXor(acc_30, 2u);
    acc_30 = (acc_30 + other_37);
    if (subgroup_size > 4u) {
      let other_38 = subgroupShuffleXor(acc_26, 4u);
      acc_26 = (acc_26 + other_38);
      let other_39 = subgroupShuffleXor(acc_30, 4u);
      acc_30 = (acc_30 + other_39);
    }
    if (subgroup_size > 8u) {
      let other_40 = subgroupShuffleXor(acc_26, 8u);
      acc_26 = (acc_26 + other_40);
      let other_41 = subgroupShuffleXor(acc_30, 8u);
      acc_30 = (acc_30 + other_41);
    }
    if (subgroup_size > 16u) {
      let other_42 = subgroupShuffleXor(acc_26, 16u);
      acc_26 = (acc_26 + other_42);
      let other_43 = subgroupShuffleXor(acc_30, 16u);
      acc_30 = (acc_30 + other_43);
    }
    if (subgroup_size < 32u) {
      if (subgroup_invocation_id == 0u) {
        shared_0_f32[thread / subgroup_size] = acc_26;
        shared_1_f32[thread / subgroup_size] = acc_30;
      }
      workgroupBarrier();
      let first = (thread - row) / subgroup_size;
      acc_26 = shared_0_f32[first];
      acc_30 = shared_1_f32[first];
      for (var k = 1u; k < 32u / subgroup_size; k++) {
        if (k * subgroup_size < filled) {
          acc_26 = (acc_26 + shared_0_f32[(first + k)]);
          acc_30 = (acc_30 + shared_1_f32[(first + k)]);
        }
      }
      workgroupBarrier();
    }
    let whole_44 = acc_26;
    let r_45 = whole_44;
    let whole_46 = acc_30;
    let r_47 = whole_46;
    let v12_48 = (r_45 - r_47);
    let v16_49 = (r_45 + 0.001f);
    let v17_50 = (v12_48 / v16_49);
    let v14_51 = (0.5f * z_17.x);
    let v14_52 = (0.5f * z_17.y);
    let v14_53 = (0.5f * z_17.z);
    let v14_54 = (0.5f * z_17.w);
    let v18_55 = (opaque_f32(v14_51) * opaque_f32(v17_50));
    let v18_56 = (opaque_f32(v14_52) * opaque_f32(v17_50));
    let v18_57 = (opaque_f32(v14_53) * opaque_f32(v17_50));
    let v18_58 = (opaque_f32(v14_54) * opaque_f32(v17_50));
    let v19_59 = (opaque_f32(s1_3) + v18_55);
    let v19_60 = (opaque_f32(s1_4) + v18_56);
    let v19_61 = (opaque_f32(s1_5) + v18_57);
    let v19_62 = (opaque_f32(s1_6) + v18_58);
    let next_63 = z_17.x;
    let next_64 = z_17.y;
    let next_65 = z_17.z;
    let next_66 = z_17.w;
    let next_67 = v19_59;
    let next_68 = v19_60;
    let next_69 = v19_61;
    let next_70 = v19_62;
    let next_71 = r_45;
    let next_72 = v19_59;
    let next_73 = v19_60;
    let next_74 = v19_61;
    let next_75 = v19_62;
    s20_7 = next_63;
    s20_8 = next_64;
    s20_9 = next_65;
    s20_10 = next_66;
    s21_11 = next_67;
    s21_12 = next_68;
    s21_13 = next_69;
    s21_14 = next_70;
    s24_15 = next_71;
    s1_3 = next_72;
    s1_4 = next_73;
    s1_5 = next_74;
    s1_6 = next_75;
  }
  let v22_76 = (s20_7 * s21_11);
  let v22_77 = (s20_8 * s21_12);
  let v22_78 = (s20_9 * s21_13);
  let v22_79 = (s20_10 * s21_14);
  let s_81 = (v22_76 + v22_77);
  let s_82 = (v22_78 + v22_79);
  let s_83 = (s_81 + s_82);
  var acc_80: f32 = s_83;
  let other_84 = subgroupShuffleXor(acc_80, 1u);
  acc_80 = (acc_80 + other_84);
  let other_85 = subgroupShuffleXor(acc_80, 2u);
  acc_80 = (acc_80 + other_85);
  if (subgroup_size > 4u) {
    let other_86 = subgroupShuffleXor(acc_80, 4u);
    acc_80 = (acc_80 + other_86);
  }
  if (subgroup_size > 8u) {
    let other_87 = subgroupShuffleXor(acc_80, 8u);
    acc_80 = (acc_80 + other_87);
  }
  if (subgroup_size > 16u) {
    let other_88 = subgroupShuffleXor(acc_80, 16u);
    acc_80 = (acc_80 + other_88);
  }
  if (subgroup_size < 32u) {
    if (subgroup_invocation_id == 0u) {
      shared_0_f32[thread / subgroup_size] = acc_80;
    }
    workgroupBarrier();
    let first = (thread - row) / subgroup_size;
    acc_80 = shared_0_f32[first];
    for (var k = 1u; k < 32u / subgroup_size; k++) {
      if (k * subgroup_size < filled) {
        acc_80 = (acc_80 + shared_0_f32[(first + k)]);
      }
    }
    workgroupBarrier();
  }
  let whole_89 = acc_80;
  let r_90 = whole_89;
  let v25_91 = (s24_15 - r_90);
  if (alive && row == 0u) {
    let at1_92 = p.o1 + here;
    b0[at1_92] = v25_91;
  }
  if (alive) {
    let at2_93 = p.o2 + i0_2 + here * p.s2_1;
    b1[(at2_93 >> 2u)] = vec4(s21_11, s21_12, s21_13, s21_14);
  }
}
