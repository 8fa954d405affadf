// Operations of which each rounds once and none is regrouped with others: a factor of one that the
// compiler does not know costs nothing in a multiplication with an addition.

fn added_T(a: T, b: T) -> T { return fma(a, one_T(), b); }

fn multiplied_T(a: T, b: T) -> T { return fma(a, b, minus_zero_T()); }

fn sum_T(a: T, b: T) -> vec2<T> {
  let sum = added_T(a, b);
  let second = added_T(sum, -a);
  return vec2<T>(sum, added_T(a, -added_T(sum, -second)) + added_T(b, -second));
}

// Where |a| >= |b|, or a is 0.
fn ordered_sum_T(a: T, b: T) -> vec2<T> {
  let sum = added_T(a, b);
  return vec2<T>(sum, added_T(b, -added_T(sum, -a)));
}

fn product_T(a: T, b: T) -> vec2<T> {
  let product = opaque_T(a * b);
  return vec2<T>(product, fma(a, b, -product));
}

// a / b, and what is lost of it.
fn quotient_T(a: T, b: T) -> vec2<T> {
  let quotient = opaque_T(a / b);
  return vec2<T>(quotient, fma(-quotient, b, a) / b);
}
