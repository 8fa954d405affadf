// Exponentials in multiplications with an addition. Where the result is far from the ends of the
// range its power of two is added to the bits; elsewhere the general form is taken.

// x less a multiple of ln(2): r, and t, whose lowest bits hold the multiple.
struct Reduced_T { r: T, t: T }

fn reduced_T(x: T) -> Reduced_T {
  let t = fma(x, log2_e_T, rounder_T);
  let count = added_T(t, -rounder_T);
  return Reduced_T(fma(count, -ln2_low_T, fma(count, -ln2_high_T, x)), t);
}

fn exp_T(x: T) -> T {
  if (!(abs(x) < exp_edge_T)) { return exp_any_T(x); }
  return exp_near_T(x);
}

fn exp_near_T(x: T) -> T {
  let n = reduced_T(x);
  return raised_T(fma(n.r, fma(n.r, fma(n.r, exp_tail_T(n.r), 0.5T), 1.0T), 1.0T), n.t);
}

fn expansion_T(x: T, more: T) -> Expansion_T {
  let t = fma(x, log2_e_T, rounder_T);
  let count = added_T(t, -rounder_T);
  let start = fma(count, -ln2_high_T, x);
  let r = fma(count, -ln2_low_T, start);
  let rest = fma(count, -ln2_low_T, added_T(start, -r)) + more;
  let tail = r * r * fma(r, exp_tail_T(r), 0.5T);
  return Expansion_T(r, fma(rest, 1.0T + (r + tail), tail), count_T(t));
}
