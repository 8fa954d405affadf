// Angles less the nearest multiple of pi / 2. `quarter` counts the multiples, modulo 4, and the
// rest is r + tail.

struct Angle_f32 { r: f32, tail: f32, quarter: i32 }

struct Angle_f64 { r: f64, tail: f64, quarter: i32 }

// |x| up to `near_angle`: three products are exact and the fourth reaches beyond any number's
// distance from a multiple (Cody and Waite).
const near_angle_f32: f32 = 6400.0f;

const near_angle_f64: f64 = 1.6e6lf;

fn angle_near_f32(given: f32) -> Angle_f32 {
  let x = argument_f32(given);
  let count = floor(x * two_over_pi_f32 + 0.5f);
  let first = opaque_f32(x - count * half_pi_part1_f32);
  let second = opaque_f32(first - count * half_pi_part2_f32);
  let third = opaque_f32(second - count * half_pi_part3_f32);
  return Angle_f32(third - count * half_pi_part4_f32, 0.0f, i32(count));
}

fn angle_near_f64(given: f64) -> Angle_f64 {
  let x = argument_f64(given);
  let count = floor(x * two_over_pi_f64 + 0.5lf);
  let first = opaque_f64(x - count * half_pi_part1_f64);
  let second = opaque_f64(count * half_pi_part2_f64);
  let middle = opaque_f64(first - second);
  let lost = opaque_f64(opaque_f64(first - middle) - second);
  let third = opaque_f64(count * half_pi_part3_f64 - lost);
  let r = opaque_f64(middle - third);
  return Angle_f64(r, opaque_f64(middle - r) - third, i32(count));
}

// Any finite x of at least 1: the product of its 24 bits with those of 2 / pi that matter (Payne
// and Hanek).
fn angle_far_f32(x: f32) -> Angle_f32 {
  let bits = bitcast<u32>(x);
  let mantissa = (bits & 0x007fffffu) | 0x00800000u;
  let place = ((bits >> 23u) & 0xffu) - 120u;
  let word = place >> 5u;
  let shift = place & 31u;
  var high = 0u;
  var low = 0u;
  var next = two_over_pi_word_f32(word);
  for (var k = 0u; k < 3u; k++) {
    let after = two_over_pi_word_f32(word + k + 1u);
    let window = select((next << shift) | (after >> (32u - max(shift, 1u))), next, shift == 0u);
    next = after;
    // the first adds to the upper word, the second to both, of the third what reaches the lower
    let product = product_pieces(mantissa, window);
    high += select(select(0u, product.y, k == 1u), product.x, k == 0u);
    let added = select(select(0u, product.x, k == 1u), product.y, k == 2u);
    low += added;
    high += select(0u, 1u, low < added);
  }
  // two bits of quarters, and 62 of the rest, to be taken as signed
  let quarter = i32((high + 0x20000000u) >> 30u);
  high = (high << 2u) | (low >> 30u);
  let below = (high >> 31u) != 0u;
  let rest = select(high, ~high, below);
  let last = select(low << 2u, ~(low << 2u), below);
  let zeros = countLeadingZeros(rest | 1u);
  let top = select((rest << zeros) | (last >> (32u - max(zeros, 1u))), rest, zeros == 0u);
  let part = f32(top) * power_of_two_f32(-32i - i32(zeros));
  let size = part * half_pi_high_f32 + part * half_pi_low_f32;
  let r = select(size, -size, below);
  let negative = (bits >> 31u) != 0u;
  return Angle_f32(select(r, -r, negative), 0.0f, select(quarter, -quarter, negative));
}

fn product_high_u64(a: u64, b: u64) -> u64 {
  let al = a & 0xfffffffflu;
  let ah = a >> 32u;
  let bl = b & 0xfffffffflu;
  let bh = b >> 32u;
  let first = al * bh;
  let second = ah * bl;
  let middle = ((al * bl) >> 32u) + (first & 0xfffffffflu) + (second & 0xfffffffflu);
  return ah * bh + (first >> 32u) + (second >> 32u) + (middle >> 32u);
}

fn leading_zeros_u64(x: u64) -> u32 {
  let high = u32(x >> 32u);
  return select(countLeadingZeros(high), 32u + countLeadingZeros(u32(x)), high == 0u);
}

fn angle_far_f64(x: f64) -> Angle_f64 {
  let bits = bitcast<u64>(x);
  let mantissa = (bits & 0x000ffffffffffffflu) | 0x0010000000000000lu;
  let place = u32((bits >> 52u) & 0x7fflu) - 1013u;
  let word = place >> 6u;
  let shift = place & 63u;
  var high = 0lu;
  var low = 0lu;
  var next = two_over_pi_word_f64(word);
  for (var k = 0u; k < 3u; k++) {
    let after = two_over_pi_word_f64(word + k + 1u);
    let window = select((next << shift) | (after >> (64u - max(shift, 1u))), next, shift == 0u);
    next = after;
    let product = mantissa * window;
    let carried = product_high_u64(mantissa, window);
    high += select(select(0lu, carried, k == 1u), product, k == 0u);
    let added = select(select(0lu, product, k == 1u), carried, k == 2u);
    low += added;
    high += select(0lu, 1lu, low < added);
  }
  let quarter = i32(u32((high + 0x2000000000000000lu) >> 62u));
  high = (high << 2u) | (low >> 62u);
  low = low << 2u;
  let below = (high >> 63u) != 0lu;
  high = select(high, ~high, below);
  low = select(low, ~low, below);
  let zeros = leading_zeros_u64(high | 1lu);
  let top = select((high << zeros) | (low >> (64u - max(zeros, 1u))), high, zeros == 0u);
  let next_bits = low << zeros;
  let unit = power_of_two_f64(-64i - i32(zeros));
  let head = f64(top >> 11u) * 2048.0lf * unit;
  let rest = (f64(top & 0x7fflu) + f64(next_bits >> 11u) * 1.1102230246251565e-16lf) * unit;
  let product = product_f64(head, half_pi_high_f64);
  let more = head * half_pi_low_f64 + rest * half_pi_high_f64;
  let size = ordered_sum_f64(product.x, product.y + more);
  let sign = select(1.0lf, -1.0lf, below != negative_f64(x));
  return Angle_f64(size.x * sign, size.y * sign, select(quarter, -quarter, negative_f64(x)));
}
