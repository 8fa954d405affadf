struct P {
  zero: u32,
  k: u32,
  outer_a: u32,
  ld_a: u32,
  ld_to: u32,
  tiles: u32,
  tiles_m: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read_write> scratch0: array<f32>;
@group(0) @binding(1) var<storage, read> b2: array<f32>;
var<workgroup> square: array<f32, 1056>;


@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>, @builtin(local_invocation_index) local_invocation_index: u32) {
  let number = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  if (number >= p.tiles) { return; }
  let first_o = number % p.tiles_m * 32u;
  let first_l = number / p.tiles_m * 32u;
  let x = local_invocation_index % 32u;
  let y = local_invocation_index / 32u;
  let o0 = first_o + y + 0u;
  if (o0 < p.outer_a && first_l + x < p.k) {
    let at = o0 * p.ld_a + first_l + x;
    square[(y + 0u) * 33u + x] = b2[at];
  } else {
    square[(y + 0u) * 33u + x] = f32();
  }
  let o8 = first_o + y + 8u;
  if (o8 < p.outer_a && first_l + x < p.k) {
    let at = o8 * p.ld_a + first_l + x;
    square[(y + 8u) * 33u + x] = b2[at];
  } else {
    square[(y + 8u) * 33u + x] = f32();
  }
  let o16 = first_o + y + 16u;
  if (o16 < p.outer_a && first_l + x < p.k) {
    let at = o16 * p.ld_a + first_l + x;
    square[(y + 16u) * 33u + x] = b2[at];
  } else {
    square[(y + 16u) * 33u + x] = f32();
  }
  let o24 = first_o + y + 24u;
  if (o24 < p.outer_a && first_l + x < p.k) {
    let at = o24 * p.ld_a + first_l + x;
    square[(y + 24u) * 33u + x] = b2[at];
  } else {
    square[(y + 24u) * 33u + x] = f32();
  }
  workgroupBarrier();
  let l0 = first_l + y + 0u;
  if (l0 < p.k && first_o + x < p.ld_to) {
    scratch0[l0 * p.ld_to + first_o + x] = square[x * 33u + y + 0u];
  }
  let l8 = first_l + y + 8u;
  if (l8 < p.k && first_o + x < p.ld_to) {
    scratch0[l8 * p.ld_to + first_o + x] = square[x * 33u + y + 8u];
  }
  let l16 = first_l + y + 16u;
  if (l16 < p.k && first_o + x < p.ld_to) {
    scratch0[l16 * p.ld_to + first_o + x] = square[x * 33u + y + 16u];
  }
  let l24 = first_l + y + 24u;
  if (l24 < p.k && first_o + x < p.ld_to) {
    scratch0[l24 * p.ld_to + first_o + x] = square[x * 33u + y + 24u];
  }
}
