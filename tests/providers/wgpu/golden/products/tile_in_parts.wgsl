struct P {
  zero: u32,
  e0: u32,
  e1: u32,
  tiles: u32,
  tiles_n: u32,
  panel: u32,
  tiles_m: u32,
  k: u32,
  chunk: u32,
  page: u32,
  ld_a: u32,
  outer_a: u32,
  ld_b: u32,
  outer_b: u32,
}
@group(1) @binding(0) var<uniform> p: P;

@group(0) @binding(0) var<storage, read_write> scratch0: array<vec2<f64>>;
@group(0) @binding(1) var<storage, read> b2: array<vec2<f64>>;
@group(0) @binding(2) var<storage, read> b3: array<vec2<f64>>;
var<workgroup> tile_a: array<array<vec2<f64>, 9>, 4>;
var<workgroup> tile_b: array<array<vec2<f64>, 9>, 4>;


var<private> part: u32;

fn put(i: u32, j: u32, v: vec2<f64>) {
  if (i >= p.e0 || j >= p.e1) { return; }
  let at = part + j * p.e0 + i;
  scratch0[at / 2u] = v;
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
  let first = workgroup_id.z * p.chunk;
  let last = min(first + p.chunk, p.k);
  part = workgroup_id.z * p.page;
  let x = t % 4u;
  let y = t / 4u;
  let t_a = t;
  let side_a = t_a % 2u;
  let row_a = t_a / 2u;
  let outer_a_0_0 = min(first_a + (row_a + 0u) * 2u + 0u, p.outer_a - 1u);
  let at_a_0_0 = outer_a_0_0 * p.ld_a;
  let outer_a_0_1 = min(first_a + (row_a + 0u) * 2u + 1u, p.outer_a - 1u);
  let at_a_0_1 = outer_a_0_1 * p.ld_a;
  var a_0_0 = vec2<f64>();
  var a_0_1 = vec2<f64>();
  let t_b = t;
  let side_b = t_b % 2u;
  let row_b = t_b / 2u;
  let outer_b_0_0 = min(first_b + (row_b + 0u) * 2u + 0u, p.outer_b - 1u);
  let at_b_0_0 = outer_b_0_0 * p.ld_b;
  let outer_b_0_1 = min(first_b + (row_b + 0u) * 2u + 1u, p.outer_b - 1u);
  let at_b_0_1 = outer_b_0_1 * p.ld_b;
  var b_0_0 = vec2<f64>();
  var b_0_1 = vec2<f64>();
  var c0_0 = vec2<f64>();
  var c1_0 = vec2<f64>();
  var c0_1 = vec2<f64>();
  var c1_1 = vec2<f64>();
  var c0_2 = vec2<f64>();
  var c1_2 = vec2<f64>();
  var c0_3 = vec2<f64>();
  var c1_3 = vec2<f64>();
  if (first + 4u <= last) {
    a_0_0 = b2[at_a_0_0 + first / 2u + side_a];
    a_0_1 = b2[at_a_0_1 + first / 2u + side_a];
    b_0_0 = b3[at_b_0_0 + first / 2u + side_b];
    b_0_1 = b3[at_b_0_1 + first / 2u + side_b];
  }
  var l = first;
  for (; l + 4u <= last; l += 4u) {
    tile_a[side_a * 2u + 0u][row_a + 0u] = vec2<f64>(a_0_0.x, a_0_1.x);
    tile_a[side_a * 2u + 1u][row_a + 0u] = vec2<f64>(a_0_0.y, a_0_1.y);
    tile_b[side_b * 2u + 0u][row_b + 0u] = vec2<f64>(b_0_0.x, b_0_1.x);
    tile_b[side_b * 2u + 1u][row_b + 0u] = vec2<f64>(b_0_0.y, b_0_1.y);
    workgroupBarrier();
    let next = l + 4u;
    if (next + 4u <= last) {
      a_0_0 = b2[at_a_0_0 + next / 2u + side_a];
      a_0_1 = b2[at_a_0_1 + next / 2u + side_a];
      b_0_0 = b3[at_b_0_0 + next / 2u + side_b];
      b_0_1 = b3[at_b_0_1 + next / 2u + side_b];
    }
    {
      let fa0 = tile_a[0][x];
      let fa1 = tile_a[0][x + 4u];
      let fb0 = tile_b[0][y];
      let fb1 = tile_b[0][y + 4u];
      c0_0 += fa0 * fb0.x;
      c1_0 += fa1 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c1_1 += fa1 * fb0.y;
      c0_2 += fa0 * fb1.x;
      c1_2 += fa1 * fb1.x;
      c0_3 += fa0 * fb1.y;
      c1_3 += fa1 * fb1.y;
    }
    {
      let fa0 = tile_a[1][x];
      let fa1 = tile_a[1][x + 4u];
      let fb0 = tile_b[1][y];
      let fb1 = tile_b[1][y + 4u];
      c0_0 += fa0 * fb0.x;
      c1_0 += fa1 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c1_1 += fa1 * fb0.y;
      c0_2 += fa0 * fb1.x;
      c1_2 += fa1 * fb1.x;
      c0_3 += fa0 * fb1.y;
      c1_3 += fa1 * fb1.y;
    }
    {
      let fa0 = tile_a[2][x];
      let fa1 = tile_a[2][x + 4u];
      let fb0 = tile_b[2][y];
      let fb1 = tile_b[2][y + 4u];
      c0_0 += fa0 * fb0.x;
      c1_0 += fa1 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c1_1 += fa1 * fb0.y;
      c0_2 += fa0 * fb1.x;
      c1_2 += fa1 * fb1.x;
      c0_3 += fa0 * fb1.y;
      c1_3 += fa1 * fb1.y;
    }
    {
      let fa0 = tile_a[3][x];
      let fa1 = tile_a[3][x + 4u];
      let fb0 = tile_b[3][y];
      let fb1 = tile_b[3][y + 4u];
      c0_0 += fa0 * fb0.x;
      c1_0 += fa1 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c1_1 += fa1 * fb0.y;
      c0_2 += fa0 * fb1.x;
      c1_2 += fa1 * fb1.x;
      c0_3 += fa0 * fb1.y;
      c1_3 += fa1 * fb1.y;
    }
    workgroupBarrier();
  }
  if (l < last) {
    a_0_0 = b2[at_a_0_0 + min(l / 2u + side_a, (last - 1u) / 2u)];
    a_0_1 = b2[at_a_0_1 + min(l / 2u + side_a, (last - 1u) / 2u)];
    b_0_0 = b3[at_b_0_0 + min(l / 2u + side_b, (last - 1u) / 2u)];
    b_0_1 = b3[at_b_0_1 + min(l / 2u + side_b, (last - 1u) / 2u)];
    tile_a[side_a * 2u + 0u][row_a + 0u] = vec2<f64>(a_0_0.x, a_0_1.x);
    tile_a[side_a * 2u + 1u][row_a + 0u] = vec2<f64>(a_0_0.y, a_0_1.y);
    tile_b[side_b * 2u + 0u][row_b + 0u] = vec2<f64>(b_0_0.x, b_0_1.x);
    tile_b[side_b * 2u + 1u][row_b + 0u] = vec2<f64>(b_0_0.y, b_0_1.y);
    workgroupBarrier();
    for (var i = 0u; i < last - l; i++) {
      let fa0 = tile_a[i][x];
      let fa1 = tile_a[i][x + 4u];
      let fb0 = tile_b[i][y];
      let fb1 = tile_b[i][y + 4u];
      c0_0 += fa0 * fb0.x;
      c1_0 += fa1 * fb0.x;
      c0_1 += fa0 * fb0.y;
      c1_1 += fa1 * fb0.y;
      c0_2 += fa0 * fb1.x;
      c1_2 += fa1 * fb1.x;
      c0_3 += fa0 * fb1.y;
      c1_3 += fa1 * fb1.y;
    }
  }
  let j0 = first_b + (y + 0u) * 2u + 0u;
  put(first_a + (x + 0u) * 2u, j0, c0_0);
  put(first_a + (x + 4u) * 2u, j0, c1_0);
  let j1 = first_b + (y + 0u) * 2u + 1u;
  put(first_a + (x + 0u) * 2u, j1, c0_1);
  put(first_a + (x + 4u) * 2u, j1, c1_1);
  let j2 = first_b + (y + 4u) * 2u + 0u;
  put(first_a + (x + 0u) * 2u, j2, c0_2);
  put(first_a + (x + 4u) * 2u, j2, c1_2);
  let j3 = first_b + (y + 4u) * 2u + 1u;
  put(first_a + (x + 0u) * 2u, j3, c0_3);
  put(first_a + (x + 4u) * 2u, j3, c1_3);
}
