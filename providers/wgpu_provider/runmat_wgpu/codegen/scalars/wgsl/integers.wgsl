// Remainders and quotients of integers. A zero divisor gives x for mod and 0 for rem and quotients.
// Those of signed ones are made of sizes: drivers take negative operands of % for large ones.

fn size_i32(x: i32) -> u32 {
  let bits = bitcast<u32>(x);
  return select(bits, ~bits + 1u, x < 0i);
}

fn size_i64(x: i64) -> u64 {
  let bits = bitcast<u64>(x);
  return select(bits, ~bits + 1lu, x < 0li);
}

fn mod_i32(x: i32, y: i32) -> i32 {
  let rest = rem_i32(x, y);
  return select(select(rest, rest + y, rest != 0i && (rest ^ y) < 0i), x, y == 0i);
}

fn mod_u32(x: u32, y: u32) -> u32 { return select(x % select(y, 1u, y == 0u), x, y == 0u); }

fn mod_i64(x: i64, y: i64) -> i64 {
  let rest = rem_i64(x, y);
  return select(select(rest, rest + y, rest != 0li && (rest ^ y) < 0li), x, y == 0li);
}

fn mod_u64(x: u64, y: u64) -> u64 { return select(x % select(y, 1lu, y == 0lu), x, y == 0lu); }

fn rem_i32(x: i32, y: i32) -> i32 {
  let rest = size_i32(x) % select(size_i32(y), 1u, y == 0i);
  return bitcast<i32>(select(rest, ~rest + 1u, x < 0i));
}

fn rem_u32(x: u32, y: u32) -> u32 { return x % select(y, 1u, y == 0u); }

fn rem_i64(x: i64, y: i64) -> i64 {
  let rest = size_i64(x) % select(size_i64(y), 1lu, y == 0li);
  return bitcast<i64>(select(rest, ~rest + 1lu, x < 0li));
}

fn rem_u64(x: u64, y: u64) -> u64 { return x % select(y, 1lu, y == 0lu); }

fn quot_i32(x: i32, y: i32) -> i32 {
  let whole = size_i32(x) / select(size_i32(y), 1u, y == 0i);
  return select(bitcast<i32>(select(whole, ~whole + 1u, (x ^ y) < 0i)), 0i, y == 0i);
}

fn quot_u32(x: u32, y: u32) -> u32 { return select(x / select(y, 1u, y == 0u), 0u, y == 0u); }

fn quot_i64(x: i64, y: i64) -> i64 {
  let whole = size_i64(x) / select(size_i64(y), 1lu, y == 0li);
  return select(bitcast<i64>(select(whole, ~whole + 1lu, (x ^ y) < 0li)), 0li, y == 0li);
}

fn quot_u64(x: u64, y: u64) -> u64 { return select(x / select(y, 1lu, y == 0lu), 0lu, y == 0lu); }
