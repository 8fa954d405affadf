// Remainders and shifts of integers. A zero divisor gives x for mod and 0 for rem.

fn mod_i32(x: i32, y: i32) -> i32 {
  let rest = x % select(y, 1i, y == 0i);
  return select(select(rest, rest + y, rest != 0i && (rest ^ y) < 0i), x, y == 0i);
}

fn mod_u32(x: u32, y: u32) -> u32 { return select(x % select(y, 1u, y == 0u), x, y == 0u); }

fn mod_i64(x: i64, y: i64) -> i64 {
  let rest = x % select(y, 1li, y == 0li);
  return select(select(rest, rest + y, rest != 0li && (rest ^ y) < 0li), x, y == 0li);
}

fn mod_u64(x: u64, y: u64) -> u64 { return select(x % select(y, 1lu, y == 0lu), x, y == 0lu); }

fn rem_i32(x: i32, y: i32) -> i32 { return x % select(y, 1i, y == 0i); }

fn rem_u32(x: u32, y: u32) -> u32 { return x % select(y, 1u, y == 0u); }

fn rem_i64(x: i64, y: i64) -> i64 { return x % select(y, 1li, y == 0li); }

fn rem_u64(x: u64, y: u64) -> u64 { return x % select(y, 1lu, y == 0lu); }
