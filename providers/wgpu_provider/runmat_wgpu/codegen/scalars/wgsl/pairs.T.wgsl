// Sums of two numbers (x the sum rounded, y what is lost): twice the precision where that is
// needed.

fn sum_T(a: T, b: T) -> vec2<T> {
  let sum = opaque_T(a + b);
  let second = opaque_T(sum - a);
  return vec2<T>(sum, opaque_T(a - opaque_T(sum - second)) + opaque_T(b - second));
}

// Where |a| >= |b|, or a is 0.
fn ordered_sum_T(a: T, b: T) -> vec2<T> {
  let sum = opaque_T(a + b);
  return vec2<T>(sum, b - opaque_T(sum - a));
}

// Both halves of x, whose products are exact; by bits, so that nothing overflows.
fn halves_T(x: T) -> vec2<T> {
  let high = head_T(x);
  return vec2<T>(high, opaque_T(x - high));
}

fn product_T(a: T, b: T) -> vec2<T> {
  let product = opaque_T(a * b);
  let x = halves_T(a);
  let y = halves_T(b);
  let first = opaque_T(opaque_T(x.x * y.x) - product);
  let second = opaque_T(first + opaque_T(x.x * y.y));
  let third = opaque_T(second + opaque_T(x.y * y.x));
  return vec2<T>(product, third + opaque_T(x.y * y.y));
}

// a / b, and what is lost of it.
fn quotient_T(a: T, b: T) -> vec2<T> {
  let quotient = opaque_T(a / b);
  let back = product_T(quotient, b);
  return vec2<T>(quotient, opaque_T(opaque_T(a - back.x) - back.y) / b);
}
