struct P {
  zero: u32,
  e0: u32,
  e1: u32,
  o1: u32,
  s1_1: u32,
  tiles: u32,
  tiles_n: u32,
  panel: u32,
  tiles_m: u32,
  k: u32,
  ld_a: u32,
  outer_a: u32,
  ld_b: u32,
  outer_b: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read_write> b1: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b2: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> b3: array<vec4<f32>>;
var<workgroup> tile_a: array<array<vec4<f32>, 4>, 8>;
var<workgroup> tile_b: array<array<vec4<f32>, 5>, 8>;


fn put(i: u32, j: u32, v: vec4<f32>) {
  if (i >= p.e0 || j >= p.e1) { return; }
  let at1_1 = p.o1 + i + j * p.s1_1;
  b1[(at1_1 >> 2u)] = vec4(v.x, v.y, v.z, v.w);
}

@compute @workgroup_size(16)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(num_workgroups) num_workgroups: vec3<u32>, @builtin(local_invocation_index) local_invocation_index: u32) {
  let t = local_invocation_index;
  let number = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  if (number >= p.tiles) { return; }
  let above = number / (p.panel * p.tiles_n) * p.panel;
  let rows = min(p.panel, p.tiles_m - above);
  let within = number - above * p.tiles_n;
  let down = above + within % rows;
  let right = within / rows;
  let first_a = down * 16u;
  let first_b = right * 16u;
  let first = 0u;
  let last = p.k;
  let x = t % 4u;
  let y = t / 4u;
  let t_a = t;
  let side_a = t_a % 4u;
  let row_a = t_a / 4u;
  let at_a = min((first_a + side_a * 4u) / 4u, p.ld_a - 1u);
  var a_0_0 = vec4<f32>();
  var a_1_0 = vec4<f32>();
  let t_b = 15u - t;
  let side_b = t_b % 2u;
  let row_b = t_b / 2u;
  let outer_b_0_0 = min(first_b + (row_b + 0u) * 4u + 0u, p.outer_b - 1u);
  let at_b_0_0 = outer_b_0_0 * p.ld_b;
  let outer_b_0_1 = min(first_b + (row_b + 0u) * 4u + 1u, p.outer_b - 1u);
  let at_b_0_1 = outer_b_0_1 * p.ld_b;
  let outer_b_0_2 = min(first_b + (row_b + 0u) * 4u + 2u, p.outer_b - 1u);
  let at_b_0_2 = outer_b_0_2 * p.ld_b;
  let outer_b_0_3 = min(first_b + (row_b + 0u) * 4u + 3u, p.outer_b - 1u);
  let at_b_0_3 = outer_b_0_3 * p.ld_b;
  var b_0_0 = vec4<f32>();
  var b_0_1 = vec4<f32>();
  var b_0_2 = vec4<f32>();
  var b_0_3 = vec4<f32>();
  var c0_0 = vec4<f32>();
  var c0_1 = vec4<f32>();
  var c0_2 = vec4<f32>();
  var c0_3 = vec4<f32>();
  if (first + 8u <= last) {
    a_0_0 = b2[(first + row_a + 0u) * p.ld_a + at_a];
    a_1_0 = b2[(first + row_a + 4u) * p.ld_a + at_a];
    if (t_b < 8u) {
      b_0_0 = b3[at_b_0_0 + first / 4u + side_b];
      b_0_1 = b3[at_b_0_1 + first / 4u + side_b];
      b_0_2 = b3[at_b_0_2 + first / 4u + side_b];
      b_0_3 = b3[at_b_0_3 + first / 4u + side_b];
    }
  }
  var l = first;
  for (; l + 8u <= last; l += 8u) {
    tile_a[row_a + 0u][side_a] = a_0_0;
    tile_a[row_a + 4u][side_a] = a_1_0;
    if (t_b < 8u) {
      tile_b[side_b * 4u + 0u][row_b + 0u] = vec4<f32>(b_0_0.x, b_0_1.x, b_0_2.x, b_0_3.x);
      tile_b[side_b * 4u + 1u][row_b + 0u] = vec4<f32>(b_0_0.y, b_0_1.y, b_0_2.y, b_0_3.y);
      tile_b[side_b * 4u + 2u][row_b + 0u] = vec4<f32>(b_0_0.z, b_0_1.z, b_0_2.z, b_0_3.z);
      tile_b[side_b * 4u + 3u][row_b + 0u] = vec4<f32>(b_0_0.w, b_0_1.w, b_0_2.w, b_0_3.w);
    }
    workgroupBarrier();
    let next = l + 8u;
    if (next + 8u <= last) {
      a_0_0 = b2[(next + row_a + 0u) * p.ld_a + at_a];
      a_1_0 = b2[(next + row_a + 4u) * p.ld_a + at_a];
      if (t_b < 8u) {
        b_0_0 = b3[at_b_0_0 + next / 4u + side_b];
        b_0_1 = b3[at_b_0_1 + next / 4u + side_b];
        b_0_2 = b3[at_b_0_2 + next / 4u + side_b];
        b_0_3 = b3[at_b_0_3 + next / 4u + side_b];
      }
    }
    {
      let fa0 = tile_a[0][x];
      let fb0 = tile_b[0][y];
      c0_0 += fa0 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c0_2 += fa0 * fb0.z;
      c0_3 += fa0 * fb0.w;
    }
    {
      let fa0 = tile_a[1][x];
      let fb0 = tile_b[1][y];
      c0_0 += fa0 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c0_2 += fa0 * fb0.z;
      c0_3 += fa0 * fb0.w;
    }
    {
      let fa0 = tile_a[2][x];
      let fb0 = tile_b[2][y];
      c0_0 += fa0 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c0_2 += fa0 * fb0.z;
      c0_3 += fa0 * fb0.w;
    }
    {
      let fa0 = tile_a[3][x];
      let fb0 = tile_b[3][y];
      c0_0 += fa0 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c0_2 += fa0 * fb0.z;
      c0_3 += fa0 * fb0.w;
    }
    {
      let fa0 = tile_a[4][x];
      let fb0 = tile_b[4][y];
      c0_0 += fa0 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c0_2 += fa0 * fb0.z;
      c0_3 += fa0 * fb0.w;
    }
    {
      let fa0 = tile_a[5][x];
      let fb0 = tile_b[5][y];
      c0_0 += fa0 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c0_2 += fa0 * fb0.z;
      c0_3 += fa0 * fb0.w;
    }
    {
      let fa0 = tile_a[6][x];
      let fb0 = tile_b[6][y];
      c0_0 += fa0 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c0_2 += fa0 * fb0.z;
      c0_3 += fa0 * fb0.w;
    }
    {
      let fa0 = tile_a[7][x];
      let fb0 = tile_b[7][y];
      c0_0 += fa0 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c0_2 += fa0 * fb0.z;
      c0_3 += fa0 * fb0.w;
    }
    workgroupBarrier();
  }
  if (l < last) {
    a_0_0 = b2[(min(l + row_a + 0u, last - 1u)) * p.ld_a + at_a];
    a_1_0 = b2[(min(l + row_a + 4u, last - 1u)) * p.ld_a + at_a];
    if (t_b < 8u) {
      b_0_0 = b3[at_b_0_0 + min(l / 4u + side_b, (last - 1u) / 4u)];
      b_0_1 = b3[at_b_0_1 + min(l / 4u + side_b, (last - 1u) / 4u)];
      b_0_2 = b3[at_b_0_2 + min(l / 4u + side_b, (last - 1u) / 4u)];
      b_0_3 = b3[at_b_0_3 + min(l / 4u + side_b, (last - 1u) / 4u)];
    }
    tile_a[row_a + 0u][side_a] = a_0_0;
    tile_a[row_a + 4u][side_a] = a_1_0;
    if (t_b < 8u) {
      tile_b[side_b * 4u + 0u][row_b + 0u] = vec4<f32>(b_0_0.x, b_0_1.x, b_0_2.x, b_0_3.x);
      tile_b[side_b * 4u + 1u][row_b + 0u] = vec4<f32>(b_0_0.y, b_0_1.y, b_0_2.y, b_0_3.y);
      tile_b[side_b * 4u + 2u][row_b + 0u] = vec4<f32>(b_0_0.z, b_0_1.z, b_0_2.z, b_0_3.z);
      tile_b[side_b * 4u + 3u][row_b + 0u] = vec4<f32>(b_0_0.w, b_0_1.w, b_0_2.w, b_0_3.w);
    }
    workgroupBarrier();
    for (var i = 0u; i < last - l; i++) {
      let fa0 = tile_a[i][x];
      let fb0 = tile_b[i][y];
      c0_0 += fa0 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c0_2 += fa0 * fb0.z;
      c0_3 += fa0 * fb0.w;
    }
  }
  let j0 = first_b + (y + 0u) * 4u + 0u;
  put(first_a + (x + 0u) * 4u, j0, c0_0);
  let j1 = first_b + (y + 0u) * 4u + 1u;
  put(first_a + (x + 0u) * 4u, j1, c0_1);
  let j2 = first_b + (y + 0u) * 4u + 2u;
  put(first_a + (x + 0u) * 4u, j2, c0_2);
  let j3 = first_b + (y + 0u) * 4u + 3u;
  put(first_a + (x + 0u) * 4u, j3, c0_3);
}
